import { pino } from 'pino';
import { until } from '../../../test/kit/instance.js';
import { RedisServer } from '../../../test/kit/redis.js';
import { InMemoryRateLimiter } from './rate-limiter.js';
import { RedisConnection, RedisUnavailableError } from './redis-connection.js';
import { RedisKeyValue } from './key-value.js';
import { RedisPubSub } from './redis-pub-sub.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

let server: RedisServer;
const connections: RedisConnection[] = [];

beforeAll(async () => {
  server = await RedisServer.start();
});
afterEach(() => {
  for (const connection of connections.splice(0)) connection.close();
});
afterAll(() => server.dispose());

async function connect(): Promise<RedisConnection> {
  const connection = new RedisConnection({ url: server.url }, pino({ level: 'silent' }));
  connections.push(connection);
  await until(async () => (await connection.fault()) === null, { what: 'it is connected' });
  return connection;
}

describe('pub/sub', () => {
  it('reaches other processes, until one has heard enough', async () => {
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

  it('is heard again after Redis was gone', async () => {
    const [here, there] = [new RedisPubSub(await connect()), new RedisPubSub(await connect())];
    let heard = 0;
    there.subscribe('again', () => (heard += 1));
    await server.process.kill();
    await expect(here.publish('again', '')).rejects.toBeInstanceOf(RedisUnavailableError);
    await server.process.start();
    await until(
      async () => {
        await here.publish('again', '').catch(() => undefined);
        return heard > 0;
      },
      { what: 'it is heard again', within: 10_000 },
    );
  });
});

describe('rate limits', () => {
  it('count as those in memory do', async () => {
    const limiter = new RedisRateLimiter(await connect());
    // So slow that nothing comes back during the test.
    const limit = { perSecond: 0.001, burst: 100 };
    const memory = new InMemoryRateLimiter(() => 0);
    for (const cost of [0, 1, 30, 0.5, 0, 50, 0, 40, 0, 1, 7]) {
      const [ours, theirs] = [await limiter.take('same', cost, limit), await memory.take('same', cost, limit)];
      expect([cost, ours.allowed, ours.remaining]).toEqual([cost, theirs.allowed, theirs.remaining]);
    }
  });

  it('are shared by processes, and come back with time', async () => {
    const [one, two] = [new RedisRateLimiter(await connect()), new RedisRateLimiter(await connect())];
    const limit = { perSecond: 20, burst: 10 };
    expect(await one.take('shared', 10, limit)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await two.take('shared', 0, limit)).toMatchObject({ allowed: false, retryAfter: 1 });
    await until(async () => (await two.take('shared', 0, limit)).allowed, { what: 'one is let in', within: 2_000 });
  });

  it.each([
    ['killed', () => server.process.kill(), () => server.process.start()],
    ['frozen', async () => server.process.freeze(), async () => server.process.thaw()],
  ])('let everybody in, quickly, while Redis is %s', async (_, fail, recover) => {
    const connection = await connect();
    const limiter = new RedisRateLimiter(connection);
    const limit = { perSecond: 0.001, burst: 1 };
    await limiter.take('closed', 1, limit);
    expect((await limiter.take('closed', 0, limit)).allowed).toBe(false);
    await fail();
    const started = Date.now();
    for (let count = 0; count < 100; count += 1) expect((await limiter.take('closed', 0, limit)).allowed).toBe(true);
    expect(Date.now() - started).toBeLessThan(600);
    expect(await connection.fault()).toContain('rate limits are off');
    await recover();
    await until(async () => (await connection.fault()) === null, { what: 'Redis is back', within: 5_000 });
  });
});

it('keeps values for their time', async () => {
  const [one, two] = [new RedisKeyValue(await connect()), new RedisKeyValue(await connect())];
  await one.set('key', 'value ä', 1);
  expect(await two.get('key')).toBe('value ä');
  await until(async () => (await two.get('key')) === null, { what: 'it is forgotten', within: 3_000 });
  await one.set('key', 'again', 60);
  await two.delete('key');
  expect(await one.get('key')).toBeNull();
});

it('is there once Redis is', async () => {
  await server.process.kill();
  const connection = new RedisConnection({ url: server.url }, pino({ level: 'silent' }));
  connections.push(connection);
  expect(await connection.fault()).not.toBeNull();
  await server.process.start();
  await until(async () => (await connection.fault()) === null, { what: 'it is connected', within: 5_000 });
});
