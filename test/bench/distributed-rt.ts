/** Each service on its own, on a real Kafka, Redis and PostgreSQL. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs from 'kafkajs';
import { Pool } from 'pg';
import { CONSUMER_GROUPS, TOPICS } from '../../libs/contracts/src/topics.ts';
import { Stack } from '../stack/stack.ts';
import { bareInsert, compare, endServers, print, ROUNDS, serve, STORED, type Row } from './compare.ts';
import { identification, requestsPerSecond } from './load.ts';
import { robotsTxtRow } from './robots-txt.ts';

const PORT_OFFSET = 7_000;
/** Enough that waiting for acknowledgements does not leave the gateway without work. */
const CONNECTIONS = 128;

const stack = await Stack.start({
  only: ['gateway','catalog','rules'],
  portOffset: PORT_OFFSET,
  env: { LOG_LEVEL: 'warn', DNS_SERVERS: 'off', IP_LISTS_REFRESH_HOURS: '0' },
});
try {
  const token = await stack.secret('access-token');
  const ours = stack.url('gateway');
  const rows: Row[] = [await robotsTxtRow({ what: 'robots', ours, token })];
  print(rows);
} finally {
  endServers();
  await stack.stop();
}

/** What the rows of the gateway left is not worth the minutes that it takes. */
async function skipBacklog(): Promise<void> {
  const admin = new kafkajs.Kafka({ brokers: stack.kafkaBrokers, logLevel: kafkajs.logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.resetOffsets({ groupId: CONSUMER_GROUPS.enrichment, topic: TOPICS.visitsReceived, earliest: false });
  await admin.disconnect();
}

/** From the first byte sent to the last visit stored, against inserting the very rows that were stored. */
async function receivedToStored(url: string, token: string): Promise<Row> {
  const row: Row = {
    what: 'received to stored, all services and servers, 50 visits a request',
    peer: 'bare unnest INSERT of the same rows, 1,000 at a time',
    unit: 'visits/s',
    ours: [],
    theirs: [],
    goal: 0.25,
  };
  const pool = new Pool({ connectionString: await stack.databaseUrl(), max: 1 });
  pool.on('error', () => undefined);
  const stored = async (): Promise<number> =>
    (await pool.query('SELECT count(*)::int AS stored FROM visits')).rows[0].stored as number;
  for (let round = 0; round < ROUNDS; round += 1) {
    await pool.query('TRUNCATE visits');
    const started = performance.now();
    await requestsPerSecond({ url, token, perRequest: 50, connections: 32, amount: STORED / 50 });
    while ((await stored()) < STORED) await sleep(20);
    row.ours.push((STORED * 1_000) / (performance.now() - started));
    row.theirs.push(await bareInsert(pool));
    process.stderr.write('.');
  }
  await pool.end();
  return row;
}
