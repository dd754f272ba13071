import { Health, type Logger, createHttpApp, PlatformModule } from '#libs/platform';
import { pino } from 'pino';
import { register } from 'prom-client';
import { until } from '../../../test/kit/instance.js';
import { RedisServer } from '../../../test/kit/redis.js';
import { CacheModule, redisAddress } from './cache.module.js';
import { InMemoryRateLimiter, type BucketKind } from './rate-limiter.js';
import { RedisConnection, RedisUnavailableError } from './redis-connection.js';
import { KeyValue, RedisKeyValue } from './key-value.js';
import { RedisPubSub } from './redis-pub-sub.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

const OPEN: BucketKind = { name: 'visits', failsOpen: true };
const SIGN_IN: BucketKind = { name: 'sign-ins', failsOpen: false };
const SILENT = pino({ level: 'silent' });

let server: RedisServer;
const connections: RedisConnection[] = [];

beforeAll(async () => {
  server = await RedisServer.start();
});
afterEach(() => {
  for (const connection of connections.splice(0)) connection.close();
});
afterAll(() => server.dispose());

function open(password?: string, logger: Logger = SILENT, commandTimeoutMs?: number): RedisConnection {
  const address = redisAddress({ REDIS_URL: server.url, REDIS_PASSWORD: password })!;
  const connection = new RedisConnection(address, logger, commandTimeoutMs);
  connections.push(connection);
  return connection;
}

async function connect(logger?: Logger, commandTimeoutMs?: number): Promise<RedisConnection> {
  const connection = open(undefined, logger, commandTimeoutMs);
  await until(async () => (await connection.fault()) === null, { what: 'it is connected' });
  return connection;
}

const logTo = (lines: string[]): Logger => pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });

const isFulfilled = [() => true, () => false] as const;

function stall(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

const failures = async (): Promise<number> =>
  (await register.getSingleMetric('agent_traffic_redis_failures_total')!.get()).values[0]!.value;

describe('pub/sub', () => {
  it('does not reconnect when something subscribes on connect', async () => {
    const connection = open();
    let connects = 0;
    connection.subscriber.on('connect', () => {
      connects += 1;
      new RedisPubSub(connection).subscribe('early', () => undefined);
    });
    await until(() => connection.subscriber.status === 'ready', { what: 'it is ready' });
    expect(connects).toBe(1);
  });

  it('delivers messages to other processes until they unsubscribe', async () => {
    const [here, there] = [new RedisPubSub(await connect()), new RedisPubSub(await connect())];
    const heard: string[] = [];
    const stop = there.subscribe('channel', (payload) => heard.push(payload));
    const other = there.subscribe('other', (payload) => heard.push(payload));
    await until(
      async () => {
        await here.publish('channel', 'one');
        return heard.includes('one');
      },
      { what: 'it is heard' },
    );
    stop();
    heard.length = 0;
    await here.publish('channel', 'two');
    await until(
      async () => {
        await here.publish('other', 'three');
        return heard.includes('three');
      },
      { what: 'the other channel is heard' },
    );
    expect(heard).not.toContain('two');
    other();
  });

  it.each([
    ['gone', () => server.process.kill(), () => server.process.start()],
    ['silent for long', async () => server.process.freeze(), async () => server.process.thaw()],
  ])('delivers messages again after Redis was %s', async (_, fail, recover) => {
    const connection = await connect();
    const [here, there] = [new RedisPubSub(await connect()), new RedisPubSub(connection)];
    let heard = 0;
    there.subscribe('again', () => (heard += 1));
    await fail();
    const isGivenUp = async () => (await connection.fault()) !== null && connection.commands.status !== 'ready';
    await until(isGivenUp, { what: 'the connection is given up' });
    await expect(here.publish('again', '')).rejects.toBeInstanceOf(RedisUnavailableError);
    await recover();
    await until(
      async () => {
        await here.publish('again', '').catch(() => undefined);
        return heard > 0;
      },
      { what: 'it is heard again' },
    );
  });
});

describe('rate limits', () => {
  it('matches the in-memory limiter', async () => {
    // A long timeout: a late response would admit the request without a limit.
    const limiter = new RedisRateLimiter(await connect(SILENT, 30_000));
    // So slow that no tokens are refilled during the test.
    const limit = { perSecond: 0.001, burst: 100 };
    const memory = new InMemoryRateLimiter(() => 0);
    const costs: number[] = [];
    for (let count = 0; count < 300; count += 1) {
      const name = `same ${count % 10}`;
      const cost = Math.random() < 0.5 ? 0 : Math.random() * 30;
      costs.push(cost);
      const [ours, theirs] = [await limiter.take(OPEN, name, cost, limit), await memory.take(OPEN, name, cost, limit)];
      expect([costs, ours.allowed, ours.remaining]).toEqual([costs, theirs.allowed, theirs.remaining]);
    }
  });

  it('shares limits between processes and refills them over time', async () => {
    const [one, two] = [new RedisRateLimiter(await connect()), new RedisRateLimiter(await connect())];
    const limit = { perSecond: 1, burst: 10 };
    expect(await one.take(OPEN, 'shared', 10, limit)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await two.take(OPEN, 'shared', 0, limit)).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
    await until(async () => (await two.take(OPEN, 'shared', 0, limit)).allowed, {
      what: 'one is let in',
    });
  });

  it('limits guesses within the process while Redis is down', async () => {
    const limiter = new RedisRateLimiter(await connect());
    const limit = { perSecond: 0.001, burst: 3 };
    await limiter.take(SIGN_IN, 'account', 1, limit);
    await server.process.kill();
    const allowed: boolean[] = [];
    for (let guess = 0; guess < 6; guess += 1) {
      allowed.push((await limiter.take(SIGN_IN, 'account', 1, limit)).allowed);
    }
    const ofVisits = await limiter.take(OPEN, 'account', 1, limit);
    await server.process.start();
    // A slightly refilled bucket may allow one more.
    expect([allowed.slice(0, 3), allowed.at(-1)]).toEqual([[true, true, true], false]);
    expect(ofVisits.allowed).toBe(true);
  });

  it.each([
    ['killed', () => server.process.kill(), () => server.process.start()],
    ['frozen', async () => server.process.freeze(), async () => server.process.thaw()],
  ])('admits all requests while Redis is %s, and rarely queries it', async (_, fail, recover) => {
    const lines: string[] = [];
    const logger = logTo(lines);
    const connection = await connect(logger);
    lines.length = 0;
    const limiter = new RedisRateLimiter(connection);
    const limit = { perSecond: 0.001, burst: 1 };
    await limiter.take(OPEN, 'closed', 1, limit);
    expect((await limiter.take(OPEN, 'closed', 0, limit)).allowed).toBe(false);
    await fail();
    const before = await failures();
    for (let count = 0; count < 100; count += 1)
      expect((await limiter.take(OPEN, 'closed', 0, limit)).allowed).toBe(true);
    const asked = (await failures()) - before;
    expect(asked).toBeGreaterThan(0);
    // One query per second, each with a timeout of 200 ms.
    expect(asked).toBeLessThan(50);
    expect(await connection.fault()).toContain('no rate limit');
    expect(lines.filter((line) => line.includes('admitted without a rate limit'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('Redis does not answer'))).toHaveLength(1);
    await recover();
    await until(async () => (await connection.fault()) === null, { what: 'Redis is back' });
  });
});

describe('delays', () => {
  it('accepts a response that arrives in time while the event loop is busy', async () => {
    const lines: string[] = [];
    const connection = await connect(logTo(lines));
    lines.length = 0;
    for (const stallMs of [250, 600, 1_200]) {
      const response = connection.run((redis) => redis.echo('here'));
      stall(stallMs);
      expect(await response).toBe('here');
    }
    expect(lines).toEqual([]);
  });

  it('rejects late commands after a short delay without reporting an outage', async () => {
    const lines: string[] = [];
    const connection = await connect(logTo(lines), 1);
    lines.length = 0;
    await server.process.freeze();
    const late = () => connection.run((redis) => redis.echo('late'));
    const outcomes = await Promise.allSettled([late(), late()]);
    const reported = [...lines];
    server.process.thaw();
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(reported).toEqual([]);
    await until(() => connection.run((redis) => redis.echo('here')).then(...isFulfilled), {
      what: 'it is asked again',
    });
  });
});

it('stores values until they expire or are deleted', async () => {
  const [one, two] = [new RedisKeyValue(await connect()), new RedisKeyValue(await connect())];
  await one.set('key', 'value ä', 1);
  expect(await two.get('key')).toBe('value ä');
  await until(async () => (await two.get('key')) === null, { what: 'it is forgotten' });
  await one.set('key', 'again', 60);
  await two.delete('key');
  expect(await one.get('key')).toBeNull();
});

it('grants a claim to one process until it is released or expires', async () => {
  const [one, two] = [new RedisKeyValue(await connect()), new RedisKeyValue(await connect())];
  const claims = await Promise.all([one, two, one, two].map((values) => values.claim('held', 60)));
  expect(claims.filter(Boolean)).toHaveLength(1);
  await one.delete('held');
  expect(await two.claim('held', 1)).toBe(true);
  expect(await one.claim('held', 1)).toBe(false);
  await until(() => one.claim('held', 60), { what: 'its time is over' });
});

it('is available to the first requests and does not delay startup', async () => {
  const start = async () => {
    const imports = [PlatformModule.forRoot(SILENT), CacheModule.forRoot({ url: server.url })];
    return (await createHttpApp({ module: class Service {}, imports }, SILENT)).init();
  };
  const found = await start();
  expect(await found.get(KeyValue, { strict: false }).get('nothing')).toBeNull();
  await found.close();
  server.process.freeze();
  const without = await start();
  await expect(without.get(KeyValue, { strict: false }).get('nothing')).rejects.toThrow(RedisUnavailableError);
  server.process.thaw();
  await without.close();
});

it('logs why the connection fails, once', async () => {
  const admin = await connect();
  await admin.commands.config('SET', 'requirepass', 'right');
  const lines: string[] = [];
  const wrong = open('wrong', logTo(lines));
  let errors = 0;
  wrong.commands.on('error', () => (errors += 1));
  await until(() => errors > 2, { what: 'it was tried again' });
  expect(await wrong.fault()).not.toBeNull();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('WRONGPASS');
  const right = open('right');
  await until(async () => (await right.fault()) === null, { what: 'the password is taken' });
  await admin.commands.config('SET', 'requirepass', '');
});

it('starts without Redis, connects once it is up, and disconnects on shutdown', async () => {
  await server.process.kill();
  const imports = [PlatformModule.forRoot(SILENT), CacheModule.forRoot({ url: server.url })];
  const app = await createHttpApp({ module: class Service {}, imports }, SILENT);
  await app.init();
  const health = app.get(Health);
  expect(await health.report()).toMatchObject({
    isReady: true,
    status: 'degraded',
    faults: { redis: expect.stringContaining('no rate limit') },
  });
  await server.process.start();
  await until(async () => (await health.report()).status === 'ok', { what: 'it is connected' });
  const { commands } = await connect();
  const clients = async () => ((await commands.client('LIST')) as string).trim().split('\n').length;
  await until(async () => (await clients()) === 4, { what: 'both have both of their connections' });
  await app.close();
  await until(async () => (await clients()) === 2, { what: 'its connections are closed' });
});
