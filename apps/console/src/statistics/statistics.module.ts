import { Module } from '@nestjs/common';
import {
  CountsRepository,
  DimensionsRepository,
  LoadRepository,
  NewsRepository,
  ReferralPagesRepository,
  SamplesRepository,
  StatusSeriesRepository,
  StoredCountsRepository,
  StoredVisitsRepository,
  provideRepositories,
} from '#libs/visit-store';
import { NetworksModule } from '../networks/networks.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { VisitsModule } from '../visits/visits.module.js';
import { AgentFilesService } from './agent-files.service.js';
import { AgentNamesRepository } from './agent-names.repository.js';
import { RecentActivityController } from './recent-activity.controller.js';
import { RecentActivityService } from './recent-activity.service.js';
import { LoadController } from './load.controller.js';
import { LoadService } from './load.service.js';
import { AddressListsRepository } from './news/address-lists.repository.js';
import { ChangeCausesService } from './news/change-causes.service.js';
import { FaultNewsService } from './news/fault-news.service.js';
import { ImpersonationsService } from './news/impersonations.service.js';
import { NewsController } from './news/news.controller.js';
import { NewsService } from './news/news.service.js';
import { OverviewCountsService } from './overview-counts.service.js';
import { OverviewService } from './overview.service.js';
import { AssistantOperatorsRepository } from './assistant-operators.repository.js';
import { ReferralsService } from './referrals.service.js';
import { RobotsFilesRepository } from './robots-files.repository.js';
import { SeenAgentsController } from './seen-agents.controller.js';
import { SeenAgentsService } from './seen-agents.service.js';
import { StatisticsController } from './statistics.controller.js';
import { VerificationService } from './verification.service.js';
import { VisitCountController } from './visit-count.controller.js';
import { VisitCountService } from './visit-count.service.js';
import { VisitingAgentService } from './visiting-agent.service.js';
import { VisitingAgentsService } from './visiting-agents.service.js';

@Module({
  imports: [NetworksModule, ProjectsModule, ReadsModule, VisitsModule],
  controllers: [
    StatisticsController,
    LoadController,
    NewsController,
    RecentActivityController,
    SeenAgentsController,
    VisitCountController,
  ],
  providers: [
    ...provideRepositories(
      LoadRepository,
      NewsRepository,
      SamplesRepository,
      StoredCountsRepository,
      StoredVisitsRepository,
    ),
    CountsRepository,
    DimensionsRepository,
    StatusSeriesRepository,
    AgentFilesService,
    AgentNamesRepository,
    OverviewCountsService,
    OverviewService,
    AddressListsRepository,
    LoadService,
    NewsService,
    ChangeCausesService,
    FaultNewsService,
    ImpersonationsService,
    VisitingAgentsService,
    VisitingAgentService,
    VerificationService,
    AssistantOperatorsRepository,
    ReferralPagesRepository,
    ReferralsService,
    RobotsFilesRepository,
    RecentActivityService,
    SeenAgentsService,
    VisitCountService,
  ],
  exports: [
    AgentFilesService,
    AgentNamesRepository,
    CountsRepository,
    DimensionsRepository,
    LoadService,
    NewsService,
    OverviewService,
    RecentActivityService,
    ReferralsService,
  ],
})
export class StatisticsModule {}
