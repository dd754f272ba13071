import { Module } from '@nestjs/common';
import { ComplianceRepository, provideRepositories } from '#libs/visit-store';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { ComplianceController } from './compliance.controller.js';
import { ComplianceService } from './compliance.service.js';
import { RobotsLinesRepository } from './robots-lines.repository.js';

@Module({
  imports: [ProjectsModule, ReadsModule, StatisticsModule],
  controllers: [ComplianceController],
  providers: [...provideRepositories(ComplianceRepository), ComplianceService, RobotsLinesRepository],
  exports: [ComplianceService, RobotsLinesRepository],
})
export class ComplianceModule {}
