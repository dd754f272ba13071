import { Module } from '@nestjs/common';
import { AgentsApi, AssistantsApi, FeedsApi } from '#libs/catalog';
import { AGENT_OPERATIONS, ASSISTANT_OPERATIONS, FEED_OPERATIONS } from '#libs/contracts';
import { createController } from '#libs/platform';
import { ProposalVisitsRepository, provideRepositories } from '#libs/visit-store';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { CatalogSummaryRepository } from './catalog-summary.repository.js';
import { CatalogController } from './catalog.controller.js';
import { IdentificationsController } from './identifications.controller.js';
import { ProposalVisitsController } from './proposal-visits.controller.js';
import { ProposalVisitsService } from './proposal-visits.service.js';
import { ProposalsRepository } from './proposals.repository.js';

@Module({
  imports: [ProjectsModule, ReadsModule],
  controllers: [
    createController(AGENT_OPERATIONS, AgentsApi),
    createController(ASSISTANT_OPERATIONS, AssistantsApi),
    createController(FEED_OPERATIONS, FeedsApi),
    ProposalVisitsController,
    CatalogController,
    IdentificationsController,
  ],
  providers: [
    ...provideRepositories(ProposalVisitsRepository),
    CatalogSummaryRepository,
    ProposalsRepository,
    ProposalVisitsService,
  ],
})
export class AgentsModule {}
