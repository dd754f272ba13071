import 'reflect-metadata';
import { Bus, BusModule, BusServer } from '#libs/bus';
import { CacheModule } from '#libs/cache';
import { PublishedCatalogModule } from '#libs/catalog';
import { DatabaseModule } from '#libs/database';
import { EvidenceModule } from '#libs/evidence';
import { createHttpApp, createLogger, PlatformModule, runService, serve, tracingOptions } from '#libs/platform';
import { VisitStoreModule } from '#libs/visit-store';
import { setDatabaseDiskPath } from './database-disk.js';
import { IngestModule } from './ingest.module.js';
import { readSettings } from './env.js';

await runService(async () => {
  const settings = readSettings();
  setDatabaseDiskPath(settings.DATABASE_DISK_PATH);
  const logger = createLogger({ service: 'ingest', level: settings.LOG_LEVEL, pretty: settings.pretty });
  const imports = [
    PlatformModule.forRoot(logger, { operatorTokens: [settings.METRICS_TOKEN], tracing: tracingOptions(settings) }),
    DatabaseModule.forRoot({ url: settings.DATABASE_URL, applicationName: 'ingest' }),
    VisitStoreModule.forRoot(settings.visitStore),
    BusModule.forRoot({ kafka: settings.kafka, clientId: 'ingest' }),
    CacheModule.forRoot(settings.redis),
    PublishedCatalogModule,
    EvidenceModule.forRoot(settings.evidence),
    IngestModule.forRoot(settings),
  ];
  const app = await createHttpApp({ module: class Ingest {}, imports }, logger);
  app.connectMicroservice({ strategy: new BusServer(app.get(Bus)) });
  await serve(app, settings, logger);
});
