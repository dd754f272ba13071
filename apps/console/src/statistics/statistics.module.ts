import { Module } from '@nestjs/common';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { AgentNamesRepository } from './agent-names.repository.js';
import { CountsRepository } from './counts.repository.js';
import { LatestController } from './latest.controller.js';
import { LatestService } from './latest.service.js';
import { OverviewService } from './overview.service.js';
import { ReadingRepository } from './reading.repository.js';
import { SamplesRepository } from './samples.repository.js';
import { StatisticsController } from './statistics.controller.js';
import { VerificationService } from './verification.service.js';
import { VisitingAgentService } from './visiting-agent.service.js';
import { VisitingAgentsService } from './visiting-agents.service.js';

/** What the dashboard shows of visits beside the visits themselves. */
@Module({
  controllers: [StatisticsController, LatestController],
  providers: [
    ProjectsRepository,
    ReadingRepository,
    CountsRepository,
    SamplesRepository,
    AgentNamesRepository,
    OverviewService,
    VisitingAgentsService,
    VisitingAgentService,
    VerificationService,
    LatestService,
  ],
  exports: [ReadingRepository],
})
export class StatisticsModule {}
