import { type DynamicModule, Module } from '@nestjs/common';
import {
  AgentsApi,
  AssistantsApi,
  CurrentCatalog,
  FeedsApi,
  IdentificationApi,
  INTERNAL_AGENT_OPERATIONS,
  INTERNAL_ASSISTANT_OPERATIONS,
  INTERNAL_FEED_OPERATIONS,
} from '#libs/catalog';
import { fetchUnder, PUBLIC_EGRESS, type EgressPolicy } from '#libs/evidence';
import { controllerOf } from '#libs/platform';
import { AgentsRepository } from './agents/agents.repository.js';
import { AgentsService } from './agents/agents.service.js';
import { AssistantsRepository } from './assistants/assistants.repository.js';
import { AssistantsService } from './assistants/assistants.service.js';
import { CATALOG_SETTINGS, type CatalogSettings } from './catalog-settings.js';
import { CatalogRepository } from './catalog/catalog.repository.js';
import { CatalogService } from './catalog/catalog.service.js';
import { defaultCatalogSettings } from './env.js';
import { FeedsRepository } from './feeds/feeds.repository.js';
import { FeedsService } from './feeds/feeds.service.js';
import { IdentificationController } from './identification/identification.controller.js';
import { IdentificationService } from './identification/identification.service.js';
import { AddressListsRepository } from './lists/address-lists.repository.js';
import { AddressListsService, LIST_FETCH } from './lists/address-lists.service.js';

interface CatalogModuleOptions {
  settings?: Partial<CatalogSettings>;
  /** Destinations from which lists and feeds may be fetched. Default: public addresses. */
  egress?: EgressPolicy;
  /** Whether other services access the catalog over HTTP. If so, the app must require the internal secret. */
  isServed: boolean;
}

@Module({})
export class CatalogModule {
  static forRoot({ settings, egress, isServed }: CatalogModuleOptions): DynamicModule {
    return {
      module: CatalogModule,
      global: true,
      controllers: isServed
        ? [
            controllerOf(INTERNAL_AGENT_OPERATIONS, AgentsApi),
            controllerOf(INTERNAL_ASSISTANT_OPERATIONS, AssistantsApi),
            controllerOf(INTERNAL_FEED_OPERATIONS, FeedsApi),
            IdentificationController,
          ]
        : [],
      providers: [
        CatalogRepository,
        CatalogService,
        AgentsRepository,
        AgentsService,
        AssistantsRepository,
        AssistantsService,
        IdentificationService,
        AddressListsRepository,
        AddressListsService,
        FeedsRepository,
        FeedsService,
        { provide: LIST_FETCH, useValue: fetchUnder(egress ?? PUBLIC_EGRESS) },
        { provide: CATALOG_SETTINGS, useValue: { ...defaultCatalogSettings(), ...settings } },
        { provide: CurrentCatalog, useExisting: CatalogService },
        { provide: IdentificationApi, useExisting: IdentificationService },
        { provide: AgentsApi, useExisting: AgentsService },
        { provide: AssistantsApi, useExisting: AssistantsService },
        { provide: FeedsApi, useExisting: FeedsService },
      ],
      exports: [CurrentCatalog, IdentificationApi, AgentsApi, AssistantsApi, FeedsApi],
    };
  }
}
