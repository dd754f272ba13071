import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule, type KafkaOptions } from '#libs/bus';
import { CacheModule, type RedisAddress } from '#libs/cache';
import { TOPICS } from '#libs/contracts';
import { DatabaseModule, SecretBox, type ReplicaOptions } from '#libs/database';
import { EvidenceModule, type EvidenceOptions } from '#libs/evidence';
import { type Clock, type Logger, PlatformModule, type TracingOptions } from '#libs/platform';
import { VisitStoreModule, type VisitStoreOptions } from '#libs/visit-store';
import { CatalogModule } from '../../catalog/src/catalog.module.js';
import type { CatalogSettings } from '../../catalog/src/catalog-settings.js';
import { ConsoleModule } from '../../console/src/console.module.js';
import type { ConsoleSettings } from '../../console/src/console-settings.js';
import { EnrichmentModule } from '../../enrichment/src/enrichment.module.js';
import { GatewayModule } from '../../gateway/src/gateway.module.js';
import type { GatewaySettings } from '../../gateway/src/gateway-settings.js';
import { IngestModule } from '../../ingest/src/ingest.module.js';
import type { IngestSettings } from '../../ingest/src/ingest-settings.js';
import { RulesModule } from '../../rules/src/rules.module.js';

interface StandaloneOptions {
  databaseUrl: string;
  /** Default: none. */
  replica?: ReplicaOptions | null;
  /** Default: PostgreSQL stores the visits. */
  visitStore?: VisitStoreOptions | null;
  secretKey: string;
  /** Previous key, still accepted during a key rotation. */
  previousSecretKey?: string | undefined;
  logger: Logger;
  /** Token that other machines need to read metrics. */
  metricsToken?: string | undefined;
  /** Default: no tracing. */
  tracing?: TracingOptions | null;
  /** Kafka connection, or null to use the in-process bus. */
  kafka: KafkaOptions | null;
  /** Redis address, or null to store short-lived data in memory. */
  redis: RedisAddress | null;
  publicUrl: string;
  /** Folder that contains the dashboard bundle. If omitted, only the APIs are served. */
  webRoot?: string;
  evidence: EvidenceOptions;
  /** Default: the system clock. */
  clock?: Clock;
  console: Partial<ConsoleSettings>;
  catalog: Partial<CatalogSettings>;
  gateway: Partial<GatewaySettings>;
  ingest: Partial<IngestSettings>;
}

@Module({})
export class StandaloneModule {
  static forRoot(options: StandaloneOptions): DynamicModule {
    const { databaseUrl, secretKey, publicUrl, webRoot, logger, kafka, redis } = options;
    return {
      module: StandaloneModule,
      imports: [
        PlatformModule.forRoot(logger, {
          clock: options.clock,
          operatorTokens: [options.metricsToken],
          tracing: options.tracing ?? null,
        }),
        DatabaseModule.forRoot({ url: databaseUrl, hasReadPool: true, replica: options.replica ?? null }),
        VisitStoreModule.forRoot(options.visitStore ?? null),
        BusModule.forRoot({ kafka, publishes: [TOPICS.visitsReceived] }),
        CacheModule.forRoot(redis),
        CatalogModule.forRoot({
          settings: { ...options.catalog, PUBLIC_URL: publicUrl },
          egress: options.evidence.egress,
          isServed: false,
        }),
        EvidenceModule.forRoot(options.evidence),
        RulesModule.forRoot({ isServed: false }),
        GatewayModule.forRoot({
          settings: options.gateway,
          secrets: new SecretBox(secretKey, options.previousSecretKey),
          hasOutbox: kafka !== null,
        }),
        EnrichmentModule,
        IngestModule.forRoot(options.ingest),
        ConsoleModule.forRoot({
          hasQueue: kafka !== null,
          secretKey,
          previousSecretKey: options.previousSecretKey,
          publicUrl,
          settings: options.console,
          ...(webRoot !== undefined && { webRoot }),
        }),
      ],
    };
  }
}
