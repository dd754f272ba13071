import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { InternalClient } from '#libs/platform';
import { RulesApi } from './api.js';
import { HttpRulesApi } from './http-api.js';

const CLIENT = Symbol('rules client');

export interface RulesClientOptions {
  /** http://host:port of the rules service. */
  url: string;
  /** INTERNAL_API_SECRET. */
  secret: string;
}

/** Binds {@link RulesApi} to the rules service, over HTTP. */
@Global()
@Module({})
export class RulesClientModule implements OnApplicationShutdown {
  constructor(@Inject(CLIENT) private readonly client: InternalClient) {}

  static forRoot({ url, secret }: RulesClientOptions): DynamicModule {
    return {
      module: RulesClientModule,
      providers: [
        { provide: CLIENT, useFactory: () => new InternalClient({ service: 'rules', url, secret }) },
        { provide: RulesApi, inject: [CLIENT], useFactory: (client: InternalClient) => new HttpRulesApi(client) },
      ],
      exports: [RulesApi],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
