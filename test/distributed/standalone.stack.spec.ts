import { Client, CREDENTIALS, CREDENTIALS_ENV, visit } from '../kit/client.js';
import { Instance, until } from '../kit/instance.js';
import { KafkaCluster } from '../kit/kafka.js';
import { RedisServer } from '../kit/redis.js';

it('uses Kafka and Redis in single-process mode if configured', async () => {
  const [kafka, redis] = await Promise.all([KafkaCluster.start(), RedisServer.start()]);
  const instance = await Instance.start({
    env: {
      ...CREDENTIALS_ENV,
      KAFKA_BROKERS: kafka.addresses.join(','),
      KAFKA_REPLICATION_FACTOR: '1',
      KAFKA_MIN_INSYNC_REPLICAS: '1',
      REDIS_URL: redis.url,
    },
  });
  const client = new Client({ url: instance.url, ...CREDENTIALS });
  expect((await client.post('/visits', [visit('/one'), visit('/two')])).status).toBe(204);
  await until(async () => (await client.visits()).length === 2, { condition: 'both visits are stored' });
  expect(await (await fetch(`${instance.url}/readyz`)).json()).toEqual({
    status: 'ok',
    checks: { database: 'ok', bus: 'ok', topics: 'ok', redis: 'ok', outbox: 'ok', catalog: 'ok' },
  });

  // While Kafka is down, visits wait in the embedded database.
  await kafka.brokers[0]!.kill();
  expect((await client.post('/visits', visit('/three'))).status).toBe(204);
  await kafka.brokers[0]!.start();
  await until(async () => (await client.visits()).length === 3, {
    condition: 'the third visit is stored',
    timeoutMs: 40_000,
  });
  expect(await instance.stop()).toBe(0);
  await instance.dispose();
  await Promise.all([kafka.dispose(), redis.dispose()]);
}, 120_000);
