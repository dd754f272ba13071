import { Module } from '@nestjs/common';
import { ComplianceModule } from '../compliance/compliance.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { RobotsVersionsModule } from '../robots-versions/robots-versions.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { VisitsModule } from '../visits/visits.module.js';
import { OperatorFetchesService } from './operator-fetches.service.js';
import { RobotsHistoryService } from './robots-history.service.js';
import { StatementKeysRepository } from './statement-keys.repository.js';
import { StatementsController } from './statements.controller.js';
import { StatementsService } from './statements.service.js';

/** Provides signed statements of an operator's fetches, and the keys to check them with. */
@Module({
  imports: [ComplianceModule, ProjectsModule, ReadsModule, RobotsVersionsModule, StatisticsModule, VisitsModule],
  controllers: [StatementsController],
  providers: [OperatorFetchesService, RobotsHistoryService, StatementKeysRepository, StatementsService],
})
export class StatementsModule {}
