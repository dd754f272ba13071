import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { LicensesRepository } from './licenses.repository.js';
import { LicensesService } from './licenses.service.js';
import { RobotsFetchesService } from './robots-fetches.service.js';
import { RobotsHostsRepository } from './robots-hosts.repository.js';
import { RobotsVersionsController } from './robots-versions.controller.js';
import { RobotsVersionsRepository } from './robots-versions.repository.js';

@Module({
  imports: [AccessModule, ProjectsModule],
  controllers: [RobotsVersionsController],
  providers: [
    LicensesRepository,
    LicensesService,
    RobotsFetchesService,
    RobotsHostsRepository,
    RobotsVersionsRepository,
  ],
  exports: [LicensesRepository, RobotsVersionsRepository],
})
export class RobotsVersionsModule {}
