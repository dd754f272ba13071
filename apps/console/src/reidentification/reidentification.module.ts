import { Module } from '@nestjs/common';
import { StoredVisitsRepository } from '#libs/visit-store';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReidentificationController } from './reidentification.controller.js';
import { ReidentificationRepository } from './reidentification.repository.js';

/** Stored visits that are identified again: what is asked for, and how far it is. Ingest does it. */
@Module({
  imports: [ProjectsModule],
  controllers: [ReidentificationController],
  providers: [ReidentificationRepository, StoredVisitsRepository],
})
export class ReidentificationModule {}
