import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { RobotsFetchesService } from './robots-fetches.service.js';
import { RobotsHostsRepository } from './robots-hosts.repository.js';
import { RobotsVersionsController } from './robots-versions.controller.js';
import { RobotsVersionsRepository } from './robots-versions.repository.js';

@Module({
  imports: [AccessModule, ProjectsModule],
  controllers: [RobotsVersionsController],
  providers: [RobotsFetchesService, RobotsHostsRepository, RobotsVersionsRepository],
  exports: [RobotsVersionsRepository],
})
export class RobotsVersionsModule {}
