import { type DynamicModule, Module } from '@nestjs/common';
import { AgentsApi, CurrentCatalogue, IdentificationApi } from '#libs/catalogue';
import { fetchUnder, PUBLIC_EGRESS, type EgressPolicy } from '#libs/evidence';
import { AgentsController } from './agents/agents.controller.js';
import { AgentsRepository } from './agents/agents.repository.js';
import { AgentsService } from './agents/agents.service.js';
import { CatalogueRepository } from './catalogue/catalogue.repository.js';
import { CATALOGUE_OPTIONS, CatalogueService, type CatalogueOptions } from './catalogue/catalogue.service.js';
import { IdentificationController } from './identification/identification.controller.js';
import { IdentificationService } from './identification/identification.service.js';
import { AddressListsRepository } from './lists/address-lists.repository.js';
import {
  ADDRESS_LISTS_OPTIONS,
  AddressListsService,
  LIST_FETCH,
  type AddressListsOptions,
} from './lists/address-lists.service.js';

export interface CatalogOptions {
  catalogue: CatalogueOptions;
  addressLists: AddressListsOptions;
  /** Where lists may be fetched from; public addresses unless given. */
  egress?: EgressPolicy;
  /** Whether other services ask over HTTP; then their secret has to guard it. */
  isServed: boolean;
}

/** The list of agents: storage, the lists that operators publish, identification. */
@Module({})
export class CatalogModule {
  static forRoot({ catalogue, addressLists, egress, isServed }: CatalogOptions): DynamicModule {
    return {
      module: CatalogModule,
      global: true,
      controllers: isServed ? [AgentsController, IdentificationController] : [],
      providers: [
        CatalogueRepository,
        CatalogueService,
        AgentsRepository,
        AgentsService,
        IdentificationService,
        AddressListsRepository,
        AddressListsService,
        { provide: LIST_FETCH, useValue: fetchUnder(egress ?? PUBLIC_EGRESS) },
        { provide: CATALOGUE_OPTIONS, useValue: catalogue },
        { provide: ADDRESS_LISTS_OPTIONS, useValue: addressLists },
        { provide: CurrentCatalogue, useExisting: CatalogueService },
        { provide: IdentificationApi, useExisting: IdentificationService },
        { provide: AgentsApi, useExisting: AgentsService },
      ],
      exports: [CurrentCatalogue, IdentificationApi, AgentsApi],
    };
  }
}
