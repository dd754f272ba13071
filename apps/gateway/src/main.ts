import 'reflect-metadata';
import { join } from 'node:path';
import { Bus, BusModule, BusServer } from '#libs/bus';
import { CacheModule, createDocsLimit, RateLimiter } from '#libs/cache';
import { CatalogClientModule, PublishedCatalogModule, RulesClientModule } from '#libs/catalog';
import { openApiDocuments, TOPICS } from '#libs/contracts';
import { DatabaseModule } from '#libs/database';
import {
  createHttpApp,
  createLogger,
  PlatformModule,
  registerDocs,
  runService,
  serve,
  tracingOptions,
} from '#libs/platform';
import { VisitStoreModule } from '#libs/visit-store';
import { readSettings } from './env.js';
import { GatewayModule } from './gateway.module.js';

/** Dashboard bundle. The API documentation uses one of its scripts. */
const webRoot = join(import.meta.dirname, '../../web');

await runService(async () => {
  const settings = readSettings();
  const logger = createLogger({ service: 'gateway', level: settings.LOG_LEVEL, pretty: settings.pretty });
  const imports = [
    PlatformModule.forRoot(logger, {
      operatorTokens: [settings.METRICS_TOKEN, settings.INTERNAL_API_SECRET],
      tracing: tracingOptions(settings),
    }),
    // Neither the database nor the bus is critical: the gateway works as long as one of them is up.
    DatabaseModule.forRoot({ url: settings.DATABASE_URL, applicationName: 'gateway', isCritical: false }),
    VisitStoreModule.forRoot(settings.visitStore),
    BusModule.forRoot({
      kafka: settings.kafka,
      clientId: 'gateway',
      publishes: [TOPICS.visitsReceived],
      isCritical: false,
    }),
    CacheModule.forRoot(settings.redis),
    PublishedCatalogModule,
    CatalogClientModule.forRoot(settings.catalog),
    RulesClientModule.forRoot(settings.rules),
    GatewayModule.forRoot({ settings, secrets: settings.secrets, hasOutbox: true }),
  ];
  const app = await createHttpApp({ module: class Gateway {}, imports }, logger, {
    trustedProxies: settings.TRUSTED_PROXIES,
  });
  app.connectMicroservice({ strategy: new BusServer(app.get(Bus)) });
  await registerDocs(
    app.getHttpAdapter().getInstance(),
    openApiDocuments(),
    webRoot,
    createDocsLimit(app.get(RateLimiter)),
  );
  await serve(app, settings, logger);
});
