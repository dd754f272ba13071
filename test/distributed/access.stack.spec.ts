import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { BusModule } from '#libs/bus';
import { CacheModule, KeyValueStore } from '#libs/cache';
import { CatalogClientModule, PublishedCatalogModule, RulesClientModule } from '#libs/catalog';
import { accessKey, type RevealedAccessToken } from '#libs/contracts';
import { createDataSource, DatabaseModule, hashCredential, migrate, SecretBox } from '#libs/database';
import { createHttpApp, PlatformModule } from '#libs/platform';
import { VisitStoreModule } from '#libs/visit-store';
import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import { ConsoleModule } from '../../apps/console/src/console.module.js';
import { GatewayModule } from '../../apps/gateway/src/gateway.module.js';
import { ExternalPostgres } from '../kit/external-postgres.js';
import { isFullRun } from '../kit/faults.js';
import { until } from '../kit/instance.js';
import { RedisServer } from '../kit/redis.js';

const SILENT = pino({ level: 'silent' });
/** Placeholder for services that this test never calls. */
const UNUSED_SERVICE = { url: 'http://127.0.0.1:9', secret: 'nobody-listens-to-this-one' };

let postgres: ExternalPostgres;
let databaseUrl: string;
let redis: RedisServer;
let console: NestFastifyApplication;
let gateways: NestFastifyApplication[] = [];
let tokens: string;
const headers: Record<string, string> = {};

beforeAll(async () => {
  [postgres, redis] = await Promise.all([ExternalPostgres.start(), RedisServer.start()]);
  databaseUrl = postgres.url;
  const database = await createDataSource({ url: databaseUrl, poolSize: 2 }).initialize();
  await migrate(database);
  await database.destroy();
  console = await start(
    ConsoleModule.forRoot({
      hasQueue: false,
      secretKey: SecretBox.generateKey(),
      publicUrl: 'http://127.0.0.1',
      settings: { ROBOTS_REFRESH_HOURS: 0 },
    }),
  );
  const { apiKey } = await console.get(BootstrapRepository).bootstrap({});
  headers['authorization'] = `Bearer ${apiKey}`;
  const { projects } = (await console.inject({ url: '/api/projects', headers })).json();
  tokens = `/api/projects/${projects[0].id}/tokens`;
  gateways = [await startGateway(), await startGateway()];
});
afterAll(async () => {
  await Promise.all([console, ...gateways].map((app) => app.close()));
  await Promise.all([postgres.dispose(), redis.dispose()]);
});

async function start(module: DynamicModule): Promise<NestFastifyApplication> {
  const imports = [
    PlatformModule.forRoot(SILENT),
    DatabaseModule.forRoot({ url: databaseUrl, isCritical: false, hasReadPool: true }),
    VisitStoreModule.forRoot(null),
    BusModule.forRoot(),
    CacheModule.forRoot({ url: redis.url }),
    PublishedCatalogModule,
    CatalogClientModule.forRoot(UNUSED_SERVICE),
    RulesClientModule.forRoot(UNUSED_SERVICE),
    module,
  ];
  const app = await createHttpApp({ module: class Service {}, imports }, SILENT);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

const startGateway = () => start(GatewayModule.forRoot({ hasOutbox: false }));

const createToken = async (): Promise<RevealedAccessToken> =>
  (await console.inject({ method: 'POST', url: tokens, headers, payload: {} })).json();

const revoke = async ({ id }: RevealedAccessToken): Promise<void> => {
  expect((await console.inject({ method: 'DELETE', url: `${tokens}/${id}`, headers })).statusCode).toBe(204);
};

/** Posts an empty batch, because only authorization matters here. Returns the status. */
async function post(gateway: NestFastifyApplication, { token }: RevealedAccessToken): Promise<number> {
  const request = {
    method: 'POST',
    url: '/visits',
    headers: { authorization: `Bearer ${token}` },
    payload: [],
  } as const;
  return (await gateway.inject(request)).statusCode;
}

it('rejects a revoked token immediately at every gateway', async () => {
  const delaysMs: number[] = [];
  for (let count = 0; count < 10; count += 1) {
    const token = await createToken();
    for (const gateway of gateways) expect(await post(gateway, token)).toBe(204);
    await revoke(token);
    const revokedAt = performance.now();
    for (const gateway of gateways) {
      await until(async () => (await post(gateway, token)) === 401, { condition: 'the token is rejected' });
      delaysMs.push(performance.now() - revokedAt);
    }
  }
  // Gateways that only poll take up to 3 s. The median ignores the few delays that a busy machine causes.
  const medianMs = delaysMs.toSorted((one, other) => one - other)[delaysMs.length / 2]!;
  expect(medianMs).toBeLessThan(1_000);
});

it('rejects a revoked token within 5 s while Redis is down', async () => {
  const token = await createToken();
  for (const gateway of gateways) expect(await post(gateway, token)).toBe(204);
  await redis.process.kill();
  await revoke(token);
  for (const gateway of gateways) {
    await until(async () => (await post(gateway, token)) === 401, {
      condition: 'the token is rejected',
      timeoutMs: isFullRun ? 5_000 : 60_000,
    });
  }
  await redis.process.start();
});

it('accepts cached tokens and rejects revoked ones at a gateway started without the database', async () => {
  const [good, revoked, unseen] = [await createToken(), await createToken(), await createToken()];
  const [gateway] = gateways;
  const readCachedToken = async ({ token }: RevealedAccessToken) =>
    gateway!.get(KeyValueStore, { strict: false }).get(accessKey(hashCredential(token).toString('hex')));
  for (const token of [good, revoked]) {
    // Redis may still be reconnecting.
    await until(
      async () => (await post(gateway!, token)) === 204 && (await readCachedToken(token).catch(() => null)) !== null,
      {
        condition: 'the token is cached',
      },
    );
  }
  await revoke(revoked);
  await until(async () => (await readCachedToken(revoked))?.includes('"revoked":true'), {
    condition: 'the token is cached as revoked',
  });
  await postgres.stop();
  const cold = await startGateway();
  gateways.push(cold);
  expect(await post(cold, good)).toBe(204);
  expect(await post(cold, revoked)).toBe(401);
  expect(await post(cold, unseen)).toBe(503);
  await postgres.resume();
  await until(async () => (await post(cold, unseen)) === 204, { condition: 'the gateway queries the database again' });
});
