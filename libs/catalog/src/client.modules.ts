import { type Abstract, type DynamicModule, Inject, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { createHttpApi, InternalClient } from '#libs/platform';
import { AddressListsApi, AgentsApi, AssistantsApi, FeedsApi, IdentificationApi, SnapshotCatalogApi } from './api.js';
import { HttpIdentificationApi } from './http-identification-api.js';
import { HttpSnapshotCatalogApi } from './http-snapshot-catalog-api.js';
import {
  INTERNAL_ADDRESS_LIST_OPERATIONS,
  INTERNAL_AGENT_OPERATIONS,
  INTERNAL_ASSISTANT_OPERATIONS,
  INTERNAL_FEED_OPERATIONS,
} from './internal-operations.js';
import { HttpRulesApi } from './rules/http-rules-api.js';
import { RulesApi } from './rules/rules-api.js';

export interface ServiceClientOptions {
  /** Base URL of the service, such as `http://host:3005`. */
  url: string;
  /** Value of `INTERNAL_API_SECRET`. */
  secret: string;
}

class ClientModule implements OnApplicationShutdown {
  constructor(@Inject(InternalClient) private readonly client: InternalClient) {}

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}

export class CatalogClientModule extends ClientModule {
  static forRoot(options: ServiceClientOptions): DynamicModule {
    return createClientModule(CatalogClientModule, 'catalog', options, [
      [IdentificationApi, (catalog) => new HttpIdentificationApi(catalog)],
      [SnapshotCatalogApi, (catalog) => new HttpSnapshotCatalogApi(catalog)],
      [AgentsApi, (catalog) => createHttpApi(catalog, INTERNAL_AGENT_OPERATIONS)],
      [AssistantsApi, (catalog) => createHttpApi(catalog, INTERNAL_ASSISTANT_OPERATIONS)],
      [AddressListsApi, (catalog) => createHttpApi(catalog, INTERNAL_ADDRESS_LIST_OPERATIONS)],
      [FeedsApi, (catalog) => createHttpApi(catalog, INTERNAL_FEED_OPERATIONS)],
    ]);
  }
}

export class RulesClientModule extends ClientModule {
  static forRoot(options: ServiceClientOptions): DynamicModule {
    return createClientModule(RulesClientModule, 'rules', options, [[RulesApi, (rules) => new HttpRulesApi(rules)]]);
  }
}

function createClientModule(
  module: Type,
  service: string,
  { url, secret }: ServiceClientOptions,
  apis: readonly [Abstract<unknown>, (createClientModule: InternalClient) => unknown][],
): DynamicModule {
  const providers = apis.map(([provide, useFactory]) => ({ provide, useFactory, inject: [InternalClient] }));
  return {
    module,
    global: true,
    providers: [
      { provide: InternalClient, useFactory: () => new InternalClient({ service, url, secret }) },
      ...providers,
    ],
    exports: providers.map(({ provide }) => provide),
  };
}
