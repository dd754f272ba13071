import 'reflect-metadata';
import { Bus, BusModule, BusServer } from '#libs/bus';
import { CacheModule } from '#libs/cache';
import { PublishedCatalogModule } from '#libs/catalog';
import { DatabaseModule } from '#libs/database';
import { EvidenceModule } from '#libs/evidence';
import { createHttpApp, createLogger, PlatformModule, runService, serve, tracingOptions } from '#libs/platform';
import { EnrichmentModule } from './enrichment.module.js';
import { readSettings } from './env.js';

await runService(async () => {
  const settings = readSettings();
  const logger = createLogger({ service: 'enrichment', level: settings.LOG_LEVEL, pretty: settings.pretty });
  const imports = [
    PlatformModule.forRoot(logger, { operatorTokens: [settings.METRICS_TOKEN], tracing: tracingOptions(settings) }),
    DatabaseModule.forRoot({ url: settings.DATABASE_URL, applicationName: 'enrichment', isCritical: false }),
    BusModule.forRoot({ kafka: settings.kafka, clientId: 'enrichment' }),
    CacheModule.forRoot(settings.redis),
    PublishedCatalogModule,
    EvidenceModule.forRoot(settings.evidence),
    EnrichmentModule,
  ];
  const app = await createHttpApp({ module: class Enrichment {}, imports }, logger);
  app.connectMicroservice({ strategy: new BusServer(app.get(Bus)) });
  await serve(app, settings, logger);
});
