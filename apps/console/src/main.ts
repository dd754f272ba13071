import 'reflect-metadata';
import { join } from 'node:path';
import { Bus, BusModule, BusServer } from '#libs/bus';
import { CacheModule } from '#libs/cache';
import { CatalogClientModule, RulesClientModule } from '#libs/catalog';
import { DatabaseModule } from '#libs/database';
import { createHttpApp, createLogger, PlatformModule, runService, serve, tracingOptions } from '#libs/platform';
import { VisitStoreModule } from '#libs/visit-store';
import { ConsoleModule } from './console.module.js';
import { readSettings } from './env.js';

await runService(async () => {
  const settings = readSettings();
  const logger = createLogger({ service: 'console', level: settings.LOG_LEVEL, pretty: settings.pretty });
  const imports = [
    PlatformModule.forRoot(logger, {
      operatorTokens: [settings.METRICS_TOKEN, settings.INTERNAL_API_SECRET],
      tracing: tracingOptions(settings),
    }),
    DatabaseModule.forRoot({
      url: settings.DATABASE_URL,
      applicationName: 'console',
      hasReadPool: true,
      replica: settings.replica,
    }),
    VisitStoreModule.forRoot(settings.visitStore),
    BusModule.forRoot({ kafka: settings.kafka, clientId: 'console', isCritical: false }),
    CacheModule.forRoot(settings.redis),
    CatalogClientModule.forRoot(settings.catalog),
    RulesClientModule.forRoot(settings.rules),
    ConsoleModule.forRoot({
      hasQueue: true,
      secretKey: settings.SECRET_KEY,
      previousSecretKey: settings.SECRET_KEY_PREVIOUS,
      publicUrl: settings.PUBLIC_URL,
      settings,
      rules: settings.rules,
      webRoot: join(import.meta.dirname, '../../web'),
    }),
  ];
  const app = await createHttpApp({ module: class Console {}, imports }, logger, {
    trustedProxies: settings.TRUSTED_PROXIES,
  });
  app.connectMicroservice({ strategy: new BusServer(app.get(Bus)) });
  await serve(app, settings, logger);
});
