import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { docsLimit, RateLimiter } from '#libs/cache';
import { Bus, BusServer } from '#libs/bus';
import { openApiDocuments } from '#libs/contracts';
import { createDataSource, migrate, SecretBox } from '#libs/database';
import { EmbeddedPostgres } from '#libs/embedded-postgres';
import {
  appCloser,
  closeAll,
  closeOnSignal,
  type Closers,
  createHttpApp,
  createLogger,
  type Logger,
  registerDocs,
  tracingOptions,
} from '#libs/platform';
import { BootstrapRepository } from '../../console/src/bootstrap.repository.js';
import { resealAll } from '../../console/src/secret-rotation.repository.js';
import { ensureTestAgentKey } from '../../console/src/connecting/test-agent.repository.js';
import { watchDatabaseDisk } from '../../ingest/src/database-disk.js';
import { banner } from './banner.js';
import type { StandaloneSettings } from './env.js';
import { acquireInstanceLock } from './instance-lock.js';
import { StandaloneModule } from './standalone.module.js';

const WEB_ROOT = join(import.meta.dirname, '../../web');

/** Starts all services. Creates missing secrets and data under `DATA_DIR`. */
export async function start(settings: StandaloneSettings): Promise<void> {
  const logger = createLogger({ service: 'agent-traffic', level: settings.LOG_LEVEL, pretty: settings.pretty });
  const dataDirectory = resolve(settings.DATA_DIR);
  // Checks the port before anything is created. The token is only shown on the first start, so a failed one must not
  // count.
  await requirePort(settings.PORT, settings.HOST);
  const lock = await acquireInstanceLock(dataDirectory);
  const closers: Closers = [() => lock.release()];
  closeOnSignal(closers, logger);
  try {
    let databaseUrl = settings.DATABASE_URL;
    const kept = [settings.DATA_DIR];
    let diskPath = settings.DATABASE_DISK_PATH;
    if (databaseUrl === undefined) {
      const postgres = await EmbeddedPostgres.start({ dataDirectory, log: logger });
      closers.push(() => postgres.stop());
      databaseUrl = postgres.url;
      diskPath ??= postgres.clusterDirectory;
      if (!postgres.clusterDirectory.startsWith(dataDirectory)) kept.push(postgres.clusterDirectory);
    }
    watchDatabaseDisk(diskPath);
    const secretKey =
      settings.SECRET_KEY ?? (await keptSecret(join(dataDirectory, 'secret-key'), () => SecretBox.newKey()));
    const previousFile = join(dataDirectory, 'secret-key-previous');
    const previousSecretKey = settings.SECRET_KEY_PREVIOUS ?? (await readSecret(previousFile));
    await prepareDatabase(databaseUrl, new SecretBox(secretKey, previousSecretKey), logger);
    // All secrets are re-encrypted, and no other process uses the folder.
    if (settings.SECRET_KEY_PREVIOUS === undefined) await rm(previousFile, { force: true });
    const module = StandaloneModule.forRoot({
      databaseUrl,
      secretKey,
      previousSecretKey,
      logger,
      metricsToken: settings.METRICS_TOKEN,
      tracing: tracingOptions(settings),
      kafka: settings.kafka,
      redis: settings.redis,
      publicUrl: settings.PUBLIC_URL,
      webRoot: WEB_ROOT,
      evidence: settings.evidence,
      console: settings,
      catalog: settings,
      gateway: settings,
      ingest: settings,
    });
    const app = await createHttpApp(module, logger, { trustedProxies: settings.TRUSTED_PROXIES });
    closers.push(appCloser(app));
    await prepare(app);
    const { firstStart, accessToken, apiKey, setupCode, warnings } = await app.get(BootstrapRepository).bootstrap({
      projectAccessToken: settings.PROJECT_ACCESS_TOKEN,
      apiKey: settings.API_KEY,
      administrator: settings.administrator,
    });
    for (const warning of warnings) logger.warn(warning);
    if (apiKey !== null) await writeSecret(join(dataDirectory, 'api-key'), apiKey);
    await app.listen(settings.PORT, settings.HOST);
    const url = addressOf(app, settings.HOST);
    await lock.publish(url);
    process.stdout.write(
      banner({ url, accessToken: firstStart ? accessToken : null, setupCode: setupCode?.code ?? null, kept }),
    );
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

async function requirePort(port: number, host: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port, host, exclusive: true }, resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

/** Migrates the schema, ensures that the test agent has a key, and completes a key rotation. */
async function prepareDatabase(url: string, secrets: SecretBox, logger: Logger): Promise<void> {
  const dataSource = await createDataSource({ url, poolSize: 2 }).initialize();
  try {
    const migrations = await migrate(dataSource);
    if (migrations.length > 0) logger.debug({ migrations }, 'migrated the database');
    await dataSource.transaction((transaction) => ensureTestAgentKey(transaction, secrets));
    if (!secrets.isRotating) return;
    logger.info(await resealAll(dataSource, secrets), 'encrypted with SECRET_KEY what was under the previous one');
  } finally {
    await dataSource.destroy();
  }
}

/** Prepares routes, documentation and consumers. The app doesn't listen yet. */
async function prepare(app: NestFastifyApplication): Promise<void> {
  app.connectMicroservice({ strategy: new BusServer(app.get(Bus)) });
  const instance = app.getHttpAdapter().getInstance();
  await registerDocs(instance, openApiDocuments(), WEB_ROOT, docsLimit(app.get(RateLimiter)));
  await app.init();
  instance.refuseOtherMethods();
  await app.startAllMicroservices();
}

function addressOf(app: NestFastifyApplication, host: string): string {
  const address = app.getHttpServer().address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

async function keptSecret(path: string, make: () => string): Promise<string> {
  const kept = await readSecret(path);
  if (kept !== undefined) return kept;
  const secret = make();
  await writeSecret(path, secret);
  return secret;
}

/** Returns undefined if there is no such file. */
async function readSecret(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

const writeSecret = (path: string, secret: string): Promise<void> => writeFile(path, `${secret}\n`, { mode: 0o600 });
