import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsRepository } from './projects.repository.js';
import { TokensController } from './tokens.controller.js';
import { TokensRepository } from './tokens.repository.js';

@Module({
  imports: [AccessModule],
  controllers: [ProjectsController, TokensController],
  providers: [ProjectsRepository, TokensRepository],
  exports: [ProjectsRepository],
})
export class ProjectsModule {}
