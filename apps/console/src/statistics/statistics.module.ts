import { Module } from '@nestjs/common';
import {
  CountsRepository,
  DimensionsRepository,
  NewsRepository,
  ReferralPagesRepository,
  SamplesRepository,
  StoredCountsRepository,
  StoredVisitsRepository,
} from '#libs/visit-store';
import { NetworksModule } from '../networks/networks.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { VisitsModule } from '../visits/visits.module.js';
import { AgentNamesRepository } from './agent-names.repository.js';
import { LatestController } from './latest.controller.js';
import { LatestService } from './latest.service.js';
import { AddressListsRepository } from './news/address-lists.repository.js';
import { FaultNewsService } from './news/fault-news.service.js';
import { NewsController } from './news/news.controller.js';
import { NewsService } from './news/news.service.js';
import { OverviewCountsService } from './overview-counts.service.js';
import { OverviewService } from './overview.service.js';
import { AssistantOperatorsRepository } from './assistant-operators.repository.js';
import { ReferralsService } from './referrals.service.js';
import { SeenAgentsController } from './seen-agents.controller.js';
import { SeenAgentsService } from './seen-agents.service.js';
import { StatisticsController } from './statistics.controller.js';
import { VerificationService } from './verification.service.js';
import { VisitCountController } from './visit-count.controller.js';
import { VisitCountService } from './visit-count.service.js';
import { VisitingAgentService } from './visiting-agent.service.js';
import { VisitingAgentsService } from './visiting-agents.service.js';

@Module({
  imports: [NetworksModule, ProjectsModule, ReadingModule, VisitsModule],
  controllers: [StatisticsController, NewsController, LatestController, SeenAgentsController, VisitCountController],
  providers: [
    CountsRepository,
    DimensionsRepository,
    SamplesRepository,
    StoredCountsRepository,
    StoredVisitsRepository,
    AgentNamesRepository,
    OverviewCountsService,
    OverviewService,
    NewsRepository,
    AddressListsRepository,
    NewsService,
    FaultNewsService,
    VisitingAgentsService,
    VisitingAgentService,
    VerificationService,
    AssistantOperatorsRepository,
    ReferralPagesRepository,
    ReferralsService,
    LatestService,
    SeenAgentsService,
    VisitCountService,
  ],
  exports: [AgentNamesRepository, CountsRepository, DimensionsRepository, OverviewService],
})
export class StatisticsModule {}
