import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '#libs/bus';
import { CacheModule } from '#libs/cache';
import { DatabaseModule } from '#libs/database';
import { type Logger, PlatformModule } from '#libs/platform';
import { ConsoleModule } from '../../console/src/console.module.js';
import { EnrichmentModule } from '../../enrichment/src/enrichment.module.js';
import { GatewayModule, type GatewayOptions } from '../../gateway/src/gateway.module.js';
import { IngestModule, type IngestOptions } from '../../ingest/src/ingest.module.js';

export interface StandaloneOptions extends GatewayOptions, IngestOptions {
  databaseUrl: string;
  secretKey: string;
  logger: Logger;
}

/** Every service in one process, joined by the in-process bus. */
@Module({})
export class StandaloneModule {
  static forRoot({
    databaseUrl,
    secretKey,
    logger,
    visitRate,
    redactedHeaders,
    retentionDays,
  }: StandaloneOptions): DynamicModule {
    return {
      module: StandaloneModule,
      imports: [
        PlatformModule.forRoot(logger),
        DatabaseModule.forRoot({ url: databaseUrl }),
        BusModule.forRoot(),
        CacheModule.forRoot(),
        GatewayModule.forRoot({ visitRate, redactedHeaders }),
        EnrichmentModule,
        IngestModule.forRoot({ retentionDays }),
        ConsoleModule.forRoot({ secretKey }),
      ],
    };
  }
}
