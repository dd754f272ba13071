import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { httpApi, InternalClient } from '#libs/platform';
import { AgentsApi, IdentificationApi } from './api.js';
import { HttpIdentificationApi } from './http-api.js';
import { INTERNAL_AGENT_OPERATIONS } from './internal-operations.js';

const CLIENT = Symbol('catalog client');

export interface CatalogClientOptions {
  /** http://host:port of the catalog service. */
  url: string;
  /** INTERNAL_API_SECRET. */
  secret: string;
}

/** Binds the catalog's operations to the catalog service, over HTTP. */
@Global()
@Module({})
export class CatalogClientModule implements OnApplicationShutdown {
  constructor(@Inject(CLIENT) private readonly client: InternalClient) {}

  static forRoot({ url, secret }: CatalogClientOptions): DynamicModule {
    return {
      module: CatalogClientModule,
      providers: [
        { provide: CLIENT, useFactory: () => new InternalClient({ service: 'catalog', url, secret }) },
        {
          provide: IdentificationApi,
          inject: [CLIENT],
          useFactory: (client: InternalClient) => new HttpIdentificationApi(client),
        },
        {
          provide: AgentsApi,
          inject: [CLIENT],
          useFactory: (client: InternalClient) => httpApi(client, INTERNAL_AGENT_OPERATIONS),
        },
      ],
      exports: [IdentificationApi, AgentsApi],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
