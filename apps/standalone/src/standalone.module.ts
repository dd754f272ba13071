import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule, type KafkaOptions } from '#libs/bus';
import { CacheModule, type RedisAddress } from '#libs/cache';
import { TOPICS } from '#libs/contracts';
import { DatabaseModule } from '#libs/database';
import { EvidenceModule, type EvidenceOptions } from '#libs/evidence';
import { type Clock, type Logger, PlatformModule, type TracingOptions } from '#libs/platform';
import { CatalogModule, type CatalogModuleOptions } from '../../catalog/src/catalog.module.js';
import type { MailSettings } from '../../console/src/alerts/channels/mail-settings.js';
import type { SecondFactorPolicy } from '../../console/src/access/second-factor-policy.js';
import type { OidcSettings } from '../../console/src/accounts/oidc-settings.js';
import type { SitePolicy } from '../../console/src/connecting/site-request.js';
import type { NetworkFiles } from '../../console/src/networks/networks.service.js';
import type { ReadingLimits } from '../../console/src/visits/stream-limits.js';
import { ConsoleModule } from '../../console/src/console.module.js';
import { EnrichmentModule } from '../../enrichment/src/enrichment.module.js';
import { GatewayModule, type GatewayOptions } from '../../gateway/src/gateway.module.js';
import { IngestModule, type IngestOptions } from '../../ingest/src/ingest.module.js';
import { RulesModule } from '../../rules/src/rules.module.js';

export interface StandaloneOptions {
  databaseUrl: string;
  secretKey: string;
  /** Accepted too, while the key is rotated. */
  previousSecretKey?: string | undefined;
  logger: Logger;
  /** Reads metrics from other machines. */
  metricsToken?: string | undefined;
  /** None unless given. */
  tracing?: TracingOptions | null;
  /** Null joins the services within the process. */
  kafka: KafkaOptions | null;
  /** Null keeps in memory what is short-lived. */
  redis: RedisAddress | null;
  publicUrl: string;
  /** None unless given. */
  oidc?: OidcSettings | null;
  sessionDays?: number;
  /** Who needs a second factor; nobody unless given. */
  secondFactor?: SecondFactorPolicy;
  /** To public addresses unless given. */
  testVisits?: SitePolicy;
  /** To public addresses unless given. */
  alertChannels?: SitePolicy;
  /** No mail server unless given. */
  mail?: MailSettings | null;
  /** Hours after which robots.txt is fetched again; 0 and absent: only on request. */
  robotsRefreshHours?: number;
  /** Networks have no names unless given. */
  networks?: NetworkFiles;
  limits?: ReadingLimits;
  /** Folder of the dashboard's bundle; without it only the interfaces are served. */
  webRoot?: string;
  catalog: CatalogModuleOptions;
  evidence: EvidenceOptions;
  /** The system's unless given. */
  clock?: Clock;
  gateway: GatewayOptions;
  ingest: IngestOptions;
}

/** Every service in one process. */
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
        DatabaseModule.forRoot({ url: databaseUrl, hasReadingPool: true }),
        BusModule.forRoot({ kafka, publishes: [TOPICS.visitsReceived] }),
        CacheModule.forRoot(redis),
        CatalogModule.forRoot(options.catalog),
        EvidenceModule.forRoot(options.evidence),
        RulesModule.forRoot({ isServed: false }),
        GatewayModule.forRoot(options.gateway),
        EnrichmentModule,
        IngestModule.forRoot(options.ingest),
        ConsoleModule.forRoot({
          hasQueue: kafka !== null,
          secretKey,
          previousSecretKey: options.previousSecretKey,
          publicUrl,
          oidc: options.oidc ?? null,
          ...(options.sessionDays !== undefined && { sessionDays: options.sessionDays }),
          ...(options.secondFactor && { secondFactor: options.secondFactor }),
          ...(options.testVisits && { testVisits: options.testVisits }),
          ...(options.alertChannels && { alertChannels: options.alertChannels }),
          mail: options.mail ?? null,
          ...(options.robotsRefreshHours !== undefined && { robotsRefreshHours: options.robotsRefreshHours }),
          ...(options.networks && { networks: options.networks }),
          ...(options.limits && { limits: options.limits }),
          ...(webRoot !== undefined && { webRoot }),
        }),
      ],
    };
  }
}
