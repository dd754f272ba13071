import { Module } from '@nestjs/common';
import { AgentsApi, AssistantsApi, FeedsApi } from '#libs/catalog';
import { AGENT_OPERATIONS, ASSISTANT_OPERATIONS, FEED_OPERATIONS } from '#libs/contracts';
import { controllerOf } from '#libs/platform';
import { ProposalVisitsRepository } from '#libs/visit-store';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { CatalogSummaryRepository } from './catalog-summary.repository.js';
import { CatalogController } from './catalog.controller.js';
import { IdentificationsController } from './identifications.controller.js';
import { ProposalVisitsController } from './proposal-visits.controller.js';
import { ProposalVisitsService } from './proposal-visits.service.js';
import { ProposalsRepository } from './proposals.repository.js';

@Module({
  imports: [ProjectsModule, ReadingModule],
  controllers: [
    controllerOf(AGENT_OPERATIONS, AgentsApi),
    controllerOf(ASSISTANT_OPERATIONS, AssistantsApi),
    controllerOf(FEED_OPERATIONS, FeedsApi),
    ProposalVisitsController,
    CatalogController,
    IdentificationsController,
  ],
  providers: [CatalogSummaryRepository, ProposalsRepository, ProposalVisitsRepository, ProposalVisitsService],
})
export class AgentsModule {}
