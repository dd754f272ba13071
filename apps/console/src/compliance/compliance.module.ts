import { Module } from '@nestjs/common';
import { ComplianceRepository } from '#libs/visit-store';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { ComplianceController } from './compliance.controller.js';
import { ComplianceService } from './compliance.service.js';
import { RobotsLinesRepository } from './robots-lines.repository.js';

@Module({
  imports: [ProjectsModule, ReadingModule, StatisticsModule],
  controllers: [ComplianceController],
  providers: [ComplianceRepository, ComplianceService, RobotsLinesRepository],
})
export class ComplianceModule {}
