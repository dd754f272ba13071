import { Health, type Logger, createHttpApp, PlatformModule } from '#libs/platform';
import { pino } from 'pino';
import { register } from 'prom-client';
import { until } from '../../../test/kit/instance.js';
import { RedisServer } from '../../../test/kit/redis.js';
import { CacheModule, toRedisAddress } from './cache.module.js';
import { InMemoryRateLimiter, type BucketKind } from './rate-limiter.js';
import { RedisConnection, RedisUnavailableError } from './redis-connection.js';
import { KeyValueStore, RedisKeyValueStore } from './key-value.js';
import { RedisPubSub } from './redis-pub-sub.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

const VISIT_BUCKETS: BucketKind = { name: 'visits', failsOpen: true };
const SIGN_IN_BUCKETS: BucketKind = { name: 'sign-ins', failsOpen: false };
const SILENT_LOGGER = pino({ level: 'silent' });

let server: RedisServer;
const connections: RedisConnection[] = [];

beforeAll(async () => {
  server = await RedisServer.start();
});
afterEach(() => {
  for (const connection of connections.splice(0)) connection.close();
});
afterAll(() => server.dispose());

function openConnection(password?: string, logger: Logger = SILENT_LOGGER, commandTimeoutMs?: number): RedisConnection {
  const address = toRedisAddress({ REDIS_URL: server.url, REDIS_PASSWORD: password })!;
  const connection = new RedisConnection(address, logger, commandTimeoutMs);
  connections.push(connection);
  return connection;
}

async function connect(logger?: Logger, commandTimeoutMs?: number): Promise<RedisConnection> {
  const connection = openConnection(undefined, logger, commandTimeoutMs);
  await until(async () => (await connection.getFault()) === null, { condition: 'Redis is connected' });
  return connection;
}

const createCapturingLogger = (lines: string[]): Logger =>
  pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });

const isFulfilled = [() => true, () => false] as const;

function blockEventLoop(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

const countFailures = async (): Promise<number> =>
  (await register.getSingleMetric('agent_traffic_redis_failures_total')!.get()).values[0]!.value;

describe('RedisPubSub', () => {
  it("doesn't reconnect if a listener subscribes on connect", async () => {
    const connection = openConnection();
    let connects = 0;
    connection.subscriber.on('connect', () => {
      connects += 1;
      new RedisPubSub(connection).subscribe('early', () => undefined);
    });
    await until(() => connection.subscriber.status === 'ready', { condition: 'the subscriber is ready' });
    expect(connects).toBe(1);
  });

  it('delivers messages to other processes until they unsubscribe', async () => {
    const [localPubSub, remotePubSub] = [new RedisPubSub(await connect()), new RedisPubSub(await connect())];
    const received: string[] = [];
    const unsubscribe = remotePubSub.subscribe('channel', (payload) => received.push(payload));
    const unsubscribeOther = remotePubSub.subscribe('other', (payload) => received.push(payload));
    await until(
      async () => {
        await localPubSub.publish('channel', 'one');
        return received.includes('one');
      },
      { condition: 'the message is received' },
    );
    unsubscribe();
    received.length = 0;
    await localPubSub.publish('channel', 'two');
    await until(
      async () => {
        await localPubSub.publish('other', 'three');
        return received.includes('three');
      },
      { condition: 'a message on the other channel is received' },
    );
    expect(received).not.toContain('two');
    unsubscribeOther();
  });

  it.each([
    ['killed', () => server.process.kill(), () => server.process.start()],
    ['frozen for a long time', async () => server.process.freeze(), async () => server.process.thaw()],
  ])('resumes delivery after Redis was %s', async (_, fail, recover) => {
    const connection = await connect();
    const [localPubSub, remotePubSub] = [new RedisPubSub(await connect()), new RedisPubSub(connection)];
    let received = 0;
    remotePubSub.subscribe('again', () => (received += 1));
    await fail();
    const isConnectionClosed = async () =>
      (await connection.getFault()) !== null && connection.commands.status !== 'ready';
    await until(isConnectionClosed, { condition: 'the connection is closed' });
    await expect(localPubSub.publish('again', '')).rejects.toBeInstanceOf(RedisUnavailableError);
    await recover();
    await until(
      async () => {
        await localPubSub.publish('again', '').catch(() => undefined);
        return received > 0;
      },
      { condition: 'a message is received again' },
    );
  });
});

describe('RedisRateLimiter', () => {
  it('returns the same results as the in-memory limiter', async () => {
    // Use a long timeout, because requests aren't limited if Redis responds too late.
    const limiter = new RedisRateLimiter(await connect(SILENT_LOGGER, 30_000));
    // This rate is so low that no tokens are refilled during the test.
    const limit = { perSecond: 0.001, burst: 100 };
    const memory = new InMemoryRateLimiter(() => 0);
    const costs: number[] = [];
    for (let count = 0; count < 300; count += 1) {
      const name = `same ${count % 10}`;
      const cost = Math.random() < 0.5 ? 0 : Math.random() * 30;
      costs.push(cost);
      const [redisResult, memoryResult] = [
        await limiter.take(VISIT_BUCKETS, name, cost, limit),
        await memory.take(VISIT_BUCKETS, name, cost, limit),
      ];
      expect([costs, redisResult.allowed, redisResult.remaining]).toEqual([
        costs,
        memoryResult.allowed,
        memoryResult.remaining,
      ]);
    }
  });

  it('shares limits between processes and refills them over time', async () => {
    const [one, two] = [new RedisRateLimiter(await connect()), new RedisRateLimiter(await connect())];
    const limit = { perSecond: 1, burst: 10 };
    expect(await one.take(VISIT_BUCKETS, 'shared', 10, limit)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await two.take(VISIT_BUCKETS, 'shared', 0, limit)).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
    await until(async () => (await two.take(VISIT_BUCKETS, 'shared', 0, limit)).allowed, {
      condition: 'a request is allowed',
    });
  });

  it('allows exactly the limit per window across processes, and counts per process while Redis is down', async () => {
    const limiters = [
      new RedisRateLimiter(await connect(SILENT_LOGGER, 30_000)),
      new RedisRateLimiter(await connect()),
    ];
    const take = async (count: number) => {
      const requests = Array.from({ length: count }, (_, index) =>
        limiters[index % 2]!.takeFromWindow('agents', 'GPTBot', 60, 60),
      );
      return (await Promise.all(requests)).filter((seconds) => seconds === 0).length;
    };
    expect(await take(200)).toBe(60);
    const seconds = await limiters[0]!.takeFromWindow('agents', 'GPTBot', 60, 60);
    expect(seconds > 0 && seconds <= 60).toBe(true);
    await server.process.kill();
    const allowed = await take(200);
    await server.process.start();
    expect(allowed).toBe(120);
  });

  it('limits sign-in attempts per process while Redis is down', async () => {
    const limiter = new RedisRateLimiter(await connect());
    const limit = { perSecond: 0.001, burst: 3 };
    await limiter.take(SIGN_IN_BUCKETS, 'account', 1, limit);
    await server.process.kill();
    const allowed: boolean[] = [];
    for (let guess = 0; guess < 6; guess += 1) {
      allowed.push((await limiter.take(SIGN_IN_BUCKETS, 'account', 1, limit)).allowed);
    }
    const visitResult = await limiter.take(VISIT_BUCKETS, 'account', 1, limit);
    await server.process.start();
    // One more attempt may be allowed, because the bucket refills during the test.
    expect([allowed.slice(0, 3), allowed.at(-1)]).toEqual([[true, true, true], false]);
    expect(visitResult.allowed).toBe(true);
  });

  it.each([
    ['killed', () => server.process.kill(), () => server.process.start()],
    ['frozen', async () => server.process.freeze(), async () => server.process.thaw()],
  ])('admits all requests while Redis is %s and rarely queries it', async (_, fail, recover) => {
    const lines: string[] = [];
    const logger = createCapturingLogger(lines);
    const connection = await connect(logger);
    lines.length = 0;
    const limiter = new RedisRateLimiter(connection);
    const limit = { perSecond: 0.001, burst: 1 };
    await limiter.take(VISIT_BUCKETS, 'closed', 1, limit);
    expect((await limiter.take(VISIT_BUCKETS, 'closed', 0, limit)).allowed).toBe(false);
    await fail();
    const failuresBefore = await countFailures();
    for (let count = 0; count < 100; count += 1)
      expect((await limiter.take(VISIT_BUCKETS, 'closed', 0, limit)).allowed).toBe(true);
    const queryCount = (await countFailures()) - failuresBefore;
    expect(queryCount).toBeGreaterThan(0);
    // One query per second, each with a timeout of 200 ms.
    expect(queryCount).toBeLessThan(50);
    expect(await connection.getFault()).toContain('no rate limit');
    expect(lines.filter((line) => line.includes('admitted without a rate limit'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("Redis isn't responding"))).toHaveLength(1);
    await recover();
    await until(async () => (await connection.getFault()) === null, { condition: 'Redis is available again' });
  });
});

describe('RedisConnection timeouts', () => {
  it('accepts a response that arrives in time while the event loop is blocked', async () => {
    const lines: string[] = [];
    const connection = await connect(createCapturingLogger(lines));
    lines.length = 0;
    for (const stallMs of [250, 600, 1_200]) {
      const response = connection.run((redis) => redis.echo('here'));
      blockEventLoop(stallMs);
      expect(await response).toBe('here');
    }
    expect(lines).toEqual([]);
  });

  it("rejects late commands, but doesn't report an outage after only a short delay", async () => {
    const lines: string[] = [];
    const connection = await connect(createCapturingLogger(lines), 1);
    lines.length = 0;
    await server.process.freeze();
    const runLateCommand = () => connection.run((redis) => redis.echo('late'));
    const outcomes = await Promise.allSettled([runLateCommand(), runLateCommand()]);
    const reported = [...lines];
    server.process.thaw();
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(reported).toEqual([]);
    await until(() => connection.run((redis) => redis.echo('here')).then(...isFulfilled), {
      condition: 'commands succeed again',
    });
  });
});

it('RedisKeyValueStore stores values until they expire or are deleted', async () => {
  const [one, two] = [new RedisKeyValueStore(await connect()), new RedisKeyValueStore(await connect())];
  await one.set('key', 'value ä', 1);
  expect(await two.get('key')).toBe('value ä');
  await until(async () => (await two.get('key')) === null, { condition: 'the value expires' });
  await one.set('key', 'again', 60);
  await two.delete('key');
  expect(await one.get('key')).toBeNull();
});

it('RedisKeyValueStore grants a claim to one process until it is released or expires', async () => {
  const [one, two] = [new RedisKeyValueStore(await connect()), new RedisKeyValueStore(await connect())];
  const claims = await Promise.all([one, two, one, two].map((values) => values.claim('held', 60)));
  expect(claims.filter(Boolean)).toHaveLength(1);
  await one.delete('held');
  expect(await two.claim('held', 1)).toBe(true);
  expect(await one.claim('held', 1)).toBe(false);
  await until(() => one.claim('held', 60), { condition: 'the claim expires' });
});

it('CacheModule makes Redis available to the first requests without delaying startup', async () => {
  const start = async () => {
    const imports = [PlatformModule.forRoot(SILENT_LOGGER), CacheModule.forRoot({ url: server.url })];
    return (await createHttpApp({ module: class Service {}, imports }, SILENT_LOGGER)).init();
  };
  const appWithRedis = await start();
  expect(await appWithRedis.get(KeyValueStore, { strict: false }).get('nothing')).toBeNull();
  await appWithRedis.close();
  server.process.freeze();
  const appWithoutRedis = await start();
  await expect(appWithoutRedis.get(KeyValueStore, { strict: false }).get('nothing')).rejects.toThrow(
    RedisUnavailableError,
  );
  server.process.thaw();
  await appWithoutRedis.close();
});

it('RedisConnection logs the reason for a failed connection once', async () => {
  const admin = await connect();
  await admin.commands.config('SET', 'requirepass', 'right');
  const lines: string[] = [];
  const connectionWithWrongPassword = openConnection('wrong', createCapturingLogger(lines));
  let errors = 0;
  connectionWithWrongPassword.commands.on('error', () => (errors += 1));
  await until(() => errors > 2, { condition: 'the connection is retried' });
  expect(await connectionWithWrongPassword.getFault()).not.toBeNull();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('WRONGPASS');
  const connectionWithRightPassword = openConnection('right');
  await until(async () => (await connectionWithRightPassword.getFault()) === null, {
    condition: 'the password is accepted',
  });
  await admin.commands.config('SET', 'requirepass', '');
});

it('CacheModule starts without Redis, connects once it is up and disconnects on shutdown', async () => {
  await server.process.kill();
  const imports = [PlatformModule.forRoot(SILENT_LOGGER), CacheModule.forRoot({ url: server.url })];
  const app = await createHttpApp({ module: class Service {}, imports }, SILENT_LOGGER);
  await app.init();
  const health = app.get(Health);
  expect(await health.report()).toMatchObject({
    isReady: true,
    status: 'degraded',
    faults: { redis: expect.stringContaining('no rate limit') },
  });
  await server.process.start();
  await until(async () => (await health.report()).status === 'ok', { condition: 'Redis is connected' });
  const { commands } = await connect();
  const countClients = async () => ((await commands.client('LIST')) as string).trim().split('\n').length;
  await until(async () => (await countClients()) === 4, { condition: 'both clients have two connections each' });
  await app.close();
  await until(async () => (await countClients()) === 2, { condition: "the app's connections are closed" });
});
