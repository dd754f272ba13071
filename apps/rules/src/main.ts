import 'reflect-metadata';
import { CacheModule } from '#libs/cache';
import { FollowedCatalogueModule } from '#libs/catalogue';
import { createHttpApp, createLogger, PlatformModule, registerInternalAccess, runService, serve } from '#libs/platform';
import { readSettings } from './env.js';
import { RulesModule } from './rules.module.js';

/** Bytes: what fits into a client's request may take more room when it is passed on. */
const BODY_LIMIT = 32 * 1024 * 1024;

await runService(async () => {
  const settings = readSettings();
  const logger = createLogger({ service: 'rules', level: settings.LOG_LEVEL, pretty: settings.pretty });
  const imports = [
    PlatformModule.forRoot(logger),
    CacheModule.forRoot(settings.redis),
    FollowedCatalogueModule,
    RulesModule.forRoot({ isServed: true }),
  ];
  const app = await createHttpApp({ module: class Rules {}, imports }, logger, { bodyLimit: BODY_LIMIT });
  registerInternalAccess(app.getHttpAdapter().getInstance(), settings.INTERNAL_API_SECRET);
  await serve(app, settings, logger);
});
