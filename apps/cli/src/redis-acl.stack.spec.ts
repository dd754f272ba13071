import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { RedisConnection, RedisKeyValueStore, RedisPubSub, RedisRateLimiter, toRedisAddress } from '#libs/cache';
import { readSnapshot, writeSnapshot } from '#libs/catalog';
import { ACCESS_CHANNEL, accessKey, CATALOG_CHANNEL, CATALOG_KEYS, proofKey, visitsChannel } from '#libs/contracts';
import { temporaryFolder, until } from '../../../test/kit/instance.js';
import { RedisServer } from '../../../test/kit/redis.js';
import { createSecrets } from './secrets.js';
import { distributeSecrets } from './service-secrets.js';

const LIMIT = { perSecond: 1, burst: 1 };
const CATALOG = { revision: 1, catalog: { agents: [] } } as unknown as Parameters<typeof writeSnapshot>[1];

let folder: string;
let server: RedisServer;
const connections: RedisConnection[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  await createSecrets(join(folder, 'all'));
  await distributeSecrets(join(folder, 'all'), folder);
  server = await RedisServer.start('--aclfile', join(folder, 'redis/users.acl'));
});
afterEach(() => {
  for (const connection of connections.splice(0)) connection.close();
});
afterAll(async () => {
  await server?.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function open(user: string, password?: string): Promise<RedisConnection> {
  const REDIS_URL = server.url.replace('//', `//${user}@`);
  const address = toRedisAddress({ REDIS_URL, REDIS_PASSWORD: password })!;
  const connection = new RedisConnection(address, pino({ level: 'silent' }));
  connections.push(connection);
  await connection.firstAttempt;
  return connection;
}

const connectAs = async (service: string): Promise<RedisConnection> =>
  open(service, (await readFile(join(folder, service, 'redis-password'), 'utf8')).trim());

/** Publishes repeatedly until the listener receives a message, because the subscription may not be active yet. */
async function assertReceives(listener: RedisConnection, speaker: RedisConnection, channel: string): Promise<void> {
  let isReceived = false;
  const stop = new RedisPubSub(listener).subscribe(channel, () => (isReceived = true));
  const publish = async (): Promise<boolean> => {
    await new RedisPubSub(speaker).publish(channel, '');
    return isReceived;
  };
  await until(publish, { condition: `a message on ${channel} arrives` });
  stop();
}

it('grants each service access to the channels and keys it needs', async () => {
  const [gateway, console, enrichment] = await Promise.all(['gateway', 'console', 'enrichment'].map(connectAs));
  const [ingest, catalog, rules] = await Promise.all(['ingest', 'catalog', 'rules'].map(connectAs));
  await assertReceives(console!, ingest!, visitsChannel('one'));
  for (const listener of [gateway!, console!, enrichment!]) await assertReceives(listener, console!, ACCESS_CHANNEL);
  for (const listener of [enrichment!, ingest!, rules!]) await assertReceives(listener, catalog!, CATALOG_CHANNEL);

  await writeSnapshot(new RedisKeyValueStore(catalog!), CATALOG);
  for (const reader of [enrichment!, ingest!, rules!]) {
    expect(await readSnapshot(new RedisKeyValueStore(reader))).toMatchObject({ revision: 1 });
  }
  await new RedisKeyValueStore(catalog!).delete(CATALOG_KEYS.revision);

  await new RedisKeyValueStore(gateway!).set(accessKey('hash'), 'known', 60);
  expect(await new RedisKeyValueStore(gateway!).get(accessKey('hash'))).toBe('known');
  await new RedisKeyValueStore(console!).delete(accessKey('hash'));
  expect(await new RedisKeyValueStore(gateway!).get(accessKey('hash'))).toBeNull();

  await new RedisKeyValueStore(console!).set(proofKey('one', 'marker'), 'GPTBot', 60);
  expect(await new RedisKeyValueStore(enrichment!).get(proofKey('one', 'marker'))).toBe('GPTBot');

  for (const reader of [enrichment!, ingest!, catalog!]) {
    const values = new RedisKeyValueStore(reader);
    expect(await values.claim('directory-turn:one', 60)).toBe(true);
    await values.delete('directory-turn:one');
    for (const key of ['directory:one', 'dns:ptr:192.0.2.1']) {
      await values.set(key, 'known', 60);
      expect(await values.get(key)).toBe('known');
    }
  }
});

it('allows the gateway and the console to enforce rate limits', async () => {
  const visits = new RedisRateLimiter(await connectAs('gateway'));
  const attempts = new RedisRateLimiter(await connectAs('console'));
  for (const [limiter, name] of [[visits, 'visits'] as const, [attempts, 'sign-in'] as const]) {
    const kind = { name, failsOpen: true };
    const states = [await limiter.take(kind, 'one', 100, LIMIT), await limiter.take(kind, 'one', 100, LIMIT)];
    expect(states.map(({ allowed }) => allowed)).toEqual([true, false]);
  }
  expect(await visits.takeFromWindow('agents', 'one', 1, 60)).toBe(0);
  expect(await visits.takeFromWindow('agents', 'one', 1, 60)).toBeGreaterThan(0);
});

it.each<[string, string[]]>([
  ['gateway', ['SET', CATALOG_KEYS.snapshot, '{}']],
  ['gateway', ['GET', 'directory:https://agent.example']],
  ['gateway', ['HGETALL', 'rate:sign-in:one']],
  ['gateway', ['HSET', 'rate:sign-in:one', 'level', '1000']],
  ['gateway', ['EVAL', "return redis.call('HMGET', KEYS[1], 'level')", '1', 'rate:sign-in:one']],
  ['gateway', ['EVAL', "return redis.call('GET', 'directory:one')", '0']],
  ['gateway', ['SUBSCRIBE', visitsChannel('one')]],
  ['gateway', ['PUBLISH', ACCESS_CHANNEL, '']],
  ['gateway', ['KEYS', '*']],
  ['gateway', ['SCAN', '0']],
  ['gateway', ['FLUSHALL']],
  ['gateway', ['CONFIG', 'GET', '*']],
  ['gateway', ['ACL', 'LIST']],
  ['gateway', ['MONITOR']],
  ['console', ['GET', accessKey('hash')]],
  ['enrichment', ['SET', proofKey('one', 'marker'), 'GPTBot']],
  ['enrichment', ['SET', CATALOG_KEYS.snapshot, '{}']],
  ['ingest', ['GET', accessKey('hash')]],
  ['ingest', ['SET', CATALOG_KEYS.snapshot, '{}']],
  ['ingest', ['PUBLISH', ACCESS_CHANNEL, '']],
  ['rules', ['SET', CATALOG_KEYS.revision, '2']],
])('denies %s the command %j', async (service, [command, ...args]) => {
  const { commands } = await connectAs(service);
  await expect(commands.call(command!, ...args)).rejects.toThrow(/NOPERM|can't access at least one of the keys/);
});

it.each<[string, string | undefined]>([
  ['', undefined],
  ['', 'any'],
  ['default', 'any'],
  ['gateway', undefined],
  ['gateway', 'another'],
  ['nobody', 'any'],
])('rejects a client that connects as %j with the password %j', async (user, password) => {
  const connection = await open(user, password);
  expect(await connection.getFault()).not.toBeNull();
  await expect(connection.commands.call('GET', accessKey('hash'))).rejects.toThrow(/NOAUTH|WRONGPASS|writeable/);
});

it('allows the health check to run only PING', async () => {
  const { commands } = await open('health', 'health');
  expect(await commands.ping()).toBe('PONG');
  await expect(commands.get(accessKey('hash'))).rejects.toThrow('NOPERM');
});
