import { Module } from '@nestjs/common';
import { AgentsApi, AssistantsApi } from '#libs/catalog';
import { AGENT_OPERATIONS, ASSISTANT_OPERATIONS } from '#libs/contracts';
import { controllerOf } from '#libs/platform';
import { ProjectsModule } from '../projects/projects.module.js';
import { CatalogSummaryRepository } from './catalog-summary.repository.js';
import { CatalogController } from './catalog.controller.js';
import { IdentificationsController } from './identifications.controller.js';

/** The lists of agents and assistants, and identification with its evidence. */
@Module({
  imports: [ProjectsModule],
  controllers: [
    controllerOf(AGENT_OPERATIONS, AgentsApi),
    controllerOf(ASSISTANT_OPERATIONS, AssistantsApi),
    CatalogController,
    IdentificationsController,
  ],
  providers: [CatalogSummaryRepository],
})
export class AgentsModule {}
