import 'reflect-metadata';
import { CacheModule } from '#libs/cache';
import { PublishedCatalogModule, RULES_SERVICE_OPERATIONS } from '#libs/catalog';
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
import { readSettings } from './env.js';
import { RulesModule } from './rules.module.js';

await runService(async () => {
  const settings = readSettings();
  const logger = createLogger({ service: 'rules', level: settings.LOG_LEVEL, pretty: settings.pretty });
  const imports = [
    PlatformModule.forRoot(logger, {
      operatorTokens: [settings.METRICS_TOKEN, settings.INTERNAL_API_SECRET],
      tracing: tracingOptions(settings),
    }),
    CacheModule.forRoot(settings.redis),
    PublishedCatalogModule,
    RulesModule.forRoot({ isServed: true }),
  ];
  const app = await createHttpApp({ module: class Rules {}, imports }, logger, { bodyLimit: MAX_INTERNAL_BODY_BYTES });
  registerInternalAccess(
    app.getHttpAdapter().getInstance(),
    settings.INTERNAL_API_SECRET,
    Object.values(RULES_SERVICE_OPERATIONS),
  );
  await serve(app, settings, logger);
});
