import { Module } from '@nestjs/common';
import { AgentsApi } from '#libs/catalog';
import { AGENT_OPERATIONS } from '#libs/contracts';
import { controllerOf } from '#libs/platform';
import { ProjectsModule } from '../projects/projects.module.js';
import { CatalogSummaryRepository } from './catalog-summary.repository.js';
import { CatalogController } from './catalog.controller.js';
import { IdentificationsController } from './identifications.controller.js';

/** The list of agents, and identification with its evidence. */
@Module({
  imports: [ProjectsModule],
  controllers: [controllerOf(AGENT_OPERATIONS, AgentsApi), CatalogController, IdentificationsController],
  providers: [CatalogSummaryRepository],
})
export class AgentsModule {}
