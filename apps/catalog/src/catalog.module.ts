import { type DynamicModule, Module } from '@nestjs/common';
import {
  AddressListsApi,
  AgentsApi,
  AssistantsApi,
  CurrentCatalog,
  FeedsApi,
  IdentificationApi,
  INTERNAL_ADDRESS_LIST_OPERATIONS,
  INTERNAL_AGENT_OPERATIONS,
  INTERNAL_ASSISTANT_OPERATIONS,
  INTERNAL_FEED_OPERATIONS,
  SnapshotCatalogApi,
} from '#libs/catalog';
import { createGuardedFetch, PUBLIC_EGRESS, type EgressPolicy } from '#libs/evidence';
import { createController } from '#libs/platform';
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
import { SnapshotCatalogController } from './snapshot/snapshot-catalog.controller.js';
import { SnapshotCatalogService } from './snapshot/snapshot-catalog.service.js';

interface CatalogModuleOptions {
  settings?: Partial<CatalogSettings>;
  /** Restricts where lists and feeds may be fetched from. Default: public addresses only. */
  egress?: EgressPolicy;
  /** Exposes the catalog to other services over HTTP. If true, the app must require the internal secret. */
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
            createController(INTERNAL_AGENT_OPERATIONS, AgentsApi),
            createController(INTERNAL_ASSISTANT_OPERATIONS, AssistantsApi),
            createController(INTERNAL_ADDRESS_LIST_OPERATIONS, AddressListsApi),
            createController(INTERNAL_FEED_OPERATIONS, FeedsApi),
            IdentificationController,
            SnapshotCatalogController,
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
        SnapshotCatalogService,
        AddressListsRepository,
        AddressListsService,
        FeedsRepository,
        FeedsService,
        { provide: LIST_FETCH, useValue: createGuardedFetch(egress ?? PUBLIC_EGRESS) },
        { provide: CATALOG_SETTINGS, useValue: { ...defaultCatalogSettings(), ...settings } },
        { provide: CurrentCatalog, useExisting: CatalogService },
        { provide: IdentificationApi, useExisting: IdentificationService },
        { provide: SnapshotCatalogApi, useExisting: SnapshotCatalogService },
        { provide: AgentsApi, useExisting: AgentsService },
        { provide: AssistantsApi, useExisting: AssistantsService },
        { provide: AddressListsApi, useExisting: AddressListsService },
        { provide: FeedsApi, useExisting: FeedsService },
      ],
      exports: [
        CurrentCatalog,
        IdentificationApi,
        SnapshotCatalogApi,
        AgentsApi,
        AssistantsApi,
        AddressListsApi,
        FeedsApi,
      ],
    };
  }
}
