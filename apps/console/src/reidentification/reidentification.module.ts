import { Module } from '@nestjs/common';
import { StoredVisitsRepository, provideRepositories } from '#libs/visit-store';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReidentificationController } from './reidentification.controller.js';
import { ReidentificationRepository } from './reidentification.repository.js';

@Module({
  imports: [ProjectsModule],
  controllers: [ReidentificationController],
  providers: [...provideRepositories(StoredVisitsRepository), ReidentificationRepository],
})
export class ReidentificationModule {}
