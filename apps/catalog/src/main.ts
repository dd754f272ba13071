import 'reflect-metadata';
import { CacheModule } from '#libs/cache';
import { CATALOG_SERVICE_OPERATIONS } from '#libs/catalog';
import { DatabaseModule } from '#libs/database';
import { EvidenceModule } from '#libs/evidence';
import {
  createHttpApp,
  createLogger,
  MAX_INTERNAL_BODY_BYTES,
  PlatformModule,
  registerInternalAccess,
  runService,
  serve,
  tracingOptions,
} from '#libs/platform';
import { CatalogModule } from './catalog.module.js';
import { readSettings } from './env.js';

await runService(async () => {
  const settings = readSettings();
  const logger = createLogger({ service: 'catalog', level: settings.LOG_LEVEL, pretty: settings.pretty });
  const imports = [
    PlatformModule.forRoot(logger, {
      operatorTokens: [settings.METRICS_TOKEN, settings.INTERNAL_API_SECRET],
      tracing: tracingOptions(settings),
    }),
    // The database isn't critical, because queries are served from memory. Only changes require it.
    DatabaseModule.forRoot({ url: settings.DATABASE_URL, applicationName: 'catalog', isCritical: false }),
    CacheModule.forRoot(settings.redis),
    CatalogModule.forRoot({ settings, isServed: true }),
    EvidenceModule.forRoot(settings.evidence),
  ];
  const app = await createHttpApp({ module: class Catalog {}, imports }, logger, {
    bodyLimit: MAX_INTERNAL_BODY_BYTES,
  });
  registerInternalAccess(app.getHttpAdapter().getInstance(), settings.INTERNAL_API_SECRET, CATALOG_SERVICE_OPERATIONS);
  await serve(app, settings, logger);
});
