import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createDocsLimit, RateLimiter } from '#libs/cache';
import { Bus, BusServer } from '#libs/bus';
import { openApiDocuments } from '#libs/contracts';
import { createDataSource, migrate, SecretBox } from '#libs/database';
import { EmbeddedPostgres } from '#libs/embedded-postgres';
import {
  createAppCloser,
  closeAll,
  closeOnSignal,
  type Closers,
  createHttpApp,
  createLogger,
  type Logger,
  registerDocs,
  tracingOptions,
} from '#libs/platform';
import { prepareVisitStore, type VisitStoreOptions } from '#libs/visit-store';
import { BootstrapRepository } from '../../console/src/bootstrap.repository.js';
import { resealAll } from '../../console/src/secret-rotation.repository.js';
import { ensureTestAgentKey } from '../../console/src/onboarding/test-agent.repository.js';
import { setDatabaseDiskPath } from '../../ingest/src/database-disk.js';
import { banner } from './banner.js';
import type { StandaloneSettings } from './env.js';
import { acquireInstanceLock } from './instance-lock.js';
import { StandaloneModule } from './standalone.module.js';

const WEB_ROOT = join(import.meta.dirname, '../../web');

/** Starts all services in this process. Creates missing secrets and the embedded database in `DATA_DIR`. */
export async function start(settings: StandaloneSettings): Promise<void> {
  const logger = createLogger({ service: 'agent-traffic', level: settings.LOG_LEVEL, pretty: settings.pretty });
  const dataDirectory = resolve(settings.DATA_DIR);
  // Check the port before creating anything. The access token is only shown on the first start, so a failed start must
  // not count as the first.
  await requirePort(settings.PORT, settings.HOST);
  const lock = await acquireInstanceLock(dataDirectory);
  const closers: Closers = [() => lock.release()];
  closeOnSignal(closers, logger);
  try {
    let databaseUrl = settings.DATABASE_URL;
    const dataLocations = [settings.DATA_DIR];
    let diskPath = settings.DATABASE_DISK_PATH;
    if (databaseUrl === undefined) {
      const postgres = await EmbeddedPostgres.start({ dataDirectory, log: logger });
      closers.push(() => postgres.stop());
      databaseUrl = postgres.url;
      diskPath ??= postgres.clusterDirectory;
      if (!postgres.clusterDirectory.startsWith(dataDirectory)) dataLocations.push(postgres.clusterDirectory);
    }
    setDatabaseDiskPath(diskPath);
    const secretKey =
      settings.SECRET_KEY ??
      (await loadOrCreateSecret(join(dataDirectory, 'secret-key'), () => SecretBox.generateKey()));
    const previousFile = join(dataDirectory, 'secret-key-previous');
    const previousSecretKey = settings.SECRET_KEY_PREVIOUS ?? (await readSecret(previousFile));
    await prepareDatabase(databaseUrl, new SecretBox(secretKey, previousSecretKey), settings.visitStore, logger);
    // The previous key is no longer needed: all secrets are now encrypted with the new key, and no other process is
    // using the folder.
    if (settings.SECRET_KEY_PREVIOUS === undefined) await rm(previousFile, { force: true });
    const module = StandaloneModule.forRoot({
      databaseUrl,
      replica: settings.replica,
      visitStore: settings.visitStore,
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
    closers.push(createAppCloser(app));
    await prepare(app);
    const { firstStart, accessToken, apiKey, setupCode, warnings } = await app.get(BootstrapRepository).bootstrap({
      projectAccessToken: settings.PROJECT_ACCESS_TOKEN,
      apiKey: settings.API_KEY,
      administrator: settings.administrator,
    });
    for (const warning of warnings) logger.warn(warning);
    if (apiKey !== null) await writeSecret(join(dataDirectory, 'api-key'), apiKey);
    await app.listen(settings.PORT, settings.HOST);
    const url = toUrl(app, settings.HOST);
    await lock.publish(url);
    process.stdout.write(
      banner({
        url,
        accessToken: firstStart ? accessToken : null,
        setupCode: setupCode?.code ?? null,
        kept: dataLocations,
      }),
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

/** Migrates the schema, ensures that the test agent has a key, and re-encrypts secrets after a key rotation. */
async function prepareDatabase(
  url: string,
  secrets: SecretBox,
  visitStore: VisitStoreOptions | null,
  logger: Logger,
): Promise<void> {
  const dataSource = await createDataSource({ url, poolSize: 2 }).initialize();
  try {
    const migrations = await migrate(dataSource);
    if (migrations.length > 0) logger.debug({ migrations }, 'migrated the database');
    if (visitStore !== null) await prepareVisitStore(dataSource, visitStore);
    await dataSource.transaction((transaction) => ensureTestAgentKey(transaction, secrets));
    if (!secrets.isRotating) return;
    logger.info(await resealAll(dataSource, secrets), 're-encrypted secrets with the new SECRET_KEY');
  } finally {
    await dataSource.destroy();
  }
}

/** Registers routes, documentation and consumers. The app doesn't accept connections yet. */
async function prepare(app: NestFastifyApplication): Promise<void> {
  app.connectMicroservice({ strategy: new BusServer(app.get(Bus)) });
  const instance = app.getHttpAdapter().getInstance();
  await registerDocs(instance, openApiDocuments(), WEB_ROOT, createDocsLimit(app.get(RateLimiter)));
  await app.init();
  instance.rejectOtherMethods();
  await app.startAllMicroservices();
}

function toUrl(app: NestFastifyApplication, host: string): string {
  const address = app.getHttpServer().address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

async function loadOrCreateSecret(path: string, createSecret: () => string): Promise<string> {
  const dataLocations = await readSecret(path);
  if (dataLocations !== undefined) return dataLocations;
  const secret = createSecret();
  await writeSecret(path, secret);
  return secret;
}

/** Returns undefined if the file doesn't exist. */
async function readSecret(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

const writeSecret = (path: string, secret: string): Promise<void> => writeFile(path, `${secret}\n`, { mode: 0o600 });
