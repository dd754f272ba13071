import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule, type KafkaOptions } from '#libs/bus';
import { CacheModule, type RedisAddress } from '#libs/cache';
import { DatabaseModule } from '#libs/database';
import { type Logger, PlatformModule } from '#libs/platform';
import { ConsoleModule } from '../../console/src/console.module.js';
import { EnrichmentModule } from '../../enrichment/src/enrichment.module.js';
import { GatewayModule, type GatewayOptions } from '../../gateway/src/gateway.module.js';
import { IngestModule, type IngestOptions } from '../../ingest/src/ingest.module.js';

export interface StandaloneOptions {
  databaseUrl: string;
  secretKey: string;
  logger: Logger;
  /** Null joins the services within the process. */
  kafka: KafkaOptions | null;
  /** Null keeps in memory what is short-lived. */
  redis: RedisAddress | null;
  gateway: GatewayOptions;
  ingest: IngestOptions;
}

/** Every service in one process. */
@Module({})
export class StandaloneModule {
  static forRoot({ databaseUrl, secretKey, logger, kafka, redis, gateway, ingest }: StandaloneOptions): DynamicModule {
    return {
      module: StandaloneModule,
      imports: [
        PlatformModule.forRoot(logger),
        DatabaseModule.forRoot({ url: databaseUrl }),
        BusModule.forRoot({ kafka }),
        CacheModule.forRoot(redis),
        GatewayModule.forRoot(gateway),
        EnrichmentModule,
        IngestModule.forRoot(ingest),
        ConsoleModule.forRoot({ secretKey }),
      ],
    };
  }
}
