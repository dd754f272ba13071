import { Module } from '@nestjs/common';
import { PermissionVisitsRepository, provideRepositories } from '#libs/visit-store';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { RobotsVersionsModule } from '../robots-versions/robots-versions.module.js';
import { PermissionSourcesRepository } from './permission-sources.repository.js';
import { PermissionsController } from './permissions.controller.js';
import { PermissionsService } from './permissions.service.js';

@Module({
  imports: [ProjectsModule, ReadsModule, RobotsVersionsModule],
  controllers: [PermissionsController],
  providers: [...provideRepositories(PermissionVisitsRepository), PermissionSourcesRepository, PermissionsService],
})
export class PermissionsModule {}
