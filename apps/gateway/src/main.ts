import 'reflect-metadata';
import { BusModule } from '#libs/bus';
import { CacheModule } from '#libs/cache';
import { DatabaseModule } from '#libs/database';
import { appCloser, closeOnSignal, createHttpApp, createLogger, PlatformModule } from '#libs/platform';
import { readSettings, visitRate } from './env.js';
import { GatewayModule } from './gateway.module.js';

const settings = readSettings();
const logger = createLogger({ service: 'gateway', level: settings.LOG_LEVEL, pretty: settings.pretty });
const app = await createHttpApp(
  {
    module: class Gateway {},
    imports: [
      PlatformModule.forRoot(logger),
      DatabaseModule.forRoot({ url: settings.DATABASE_URL, applicationName: 'gateway' }),
      BusModule.forRoot(),
      CacheModule.forRoot(),
      GatewayModule.forRoot({ visitRate: visitRate(settings), redactedHeaders: settings.REDACTED_HEADERS }),
    ],
  },
  logger,
);
await app.init();
app.getHttpAdapter().getInstance().refuseOtherMethods();
await app.listen(settings.PORT, settings.HOST);
closeOnSignal([appCloser(app)], logger);
logger.info({ port: settings.PORT }, 'gateway listens');
