/**
 * Measures the services on a real Kafka, Redis and PostgreSQL. Words on the command line select the rows that contain one
 * of them.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs from 'kafkajs';
import { CONSUMER_GROUPS, TOPICS } from '../../libs/contracts/src/topics.ts';
import { Stack } from '../stack/stack.ts';
import {
  bareInsert,
  compare,
  endServers,
  isWanted,
  print,
  ROUNDS,
  serve,
  STORED,
  type Comparison,
  type Row,
} from './compare.ts';
import { identification, requestsPerSecond } from './load.ts';
import { connectTo } from './postgres.ts';
import { robotsTxtRow } from './robots-txt.ts';

const PORT_OFFSET = 7_000;
/** Enough connections to keep the gateway busy while requests wait for acknowledgments. */
const CONNECTIONS = 128;

const stack = await Stack.start({
  only: ['gateway', 'enrichment', 'ingest', 'catalog', 'rules'],
  portOffset: PORT_OFFSET,
  env: { LOG_LEVEL: 'warn', DNS_SERVERS: 'off', IP_LISTS_REFRESH_HOURS: '0' },
});
try {
  const token = await stack.secret('access-token');
  const ours = stack.url('gateway');
  const { brokers, sasl } = await stack.kafkaClient();
  const peer = (name: string): Promise<string> =>
    serve([join(import.meta.dirname, `peers/${name}.ts`)], {
      KAFKA_BROKERS: brokers.join(','),
      KAFKA_PASSWORD: sasl.password,
    });
  const bare = await peer('bare-fastify');
  const kafkajs = await peer('fastify-kafkajs');
  const platformatic = await peer('fastify-platformatic-kafka');

  // Stop the services behind the gateway, which would compete with it for CPU time.
  const behind = ['enrichment', 'ingest'].map((name) => stack.service(name)[0]!);
  await Promise.all(behind.map((service) => service.stop()));
  const both = { ours, token, connections: CONNECTIONS };
  const one = 'gateway, 1 visit a request, acknowledged';
  const fifty = 'gateway, 50 visits a request, acknowledged';
  const stored = 'received to stored, all services and servers, 50 visits a request';
  const rows: Row[] = [];
  const add = async (comparison: Omit<Comparison, 'ours' | 'token'> & { ours?: string }): Promise<void> => {
    if (isWanted(`${comparison.what} ÷ ${comparison.peer}`)) rows.push(await compare({ ...both, ...comparison }));
  };
  await add({
    what: 'agent-identifications, one a request, through gateway and catalog',
    peer: 'bare Fastify, JSON in, the same JSON out',
    theirs: await peer('bare-echo'),
    operation: { path: '/agent-identifications', body: identification },
    goal: 0.5,
  });
  const robots = '/robots-txts, all types, through gateway and rules';
  if (isWanted(robots)) rows.push(await robotsTxtRow({ what: robots, ours, token }));
  await add({ what: one, peer: 'bare Fastify, JSON in, 204 out', theirs: bare, perRequest: 1, goal: 0.5 });
  await add({ what: one, peer: 'Fastify + kafkajs by hand', theirs: kafkajs, perRequest: 1 });
  await add({ what: fifty, peer: 'Fastify + kafkajs by hand', theirs: kafkajs, perRequest: 50, goal: 0.8 });
  await add({
    what: 'Fastify + @platformatic/kafka by hand, 1 visit a request',
    peer: 'Fastify + kafkajs by hand',
    ours: platformatic,
    theirs: kafkajs,
    perRequest: 1,
  });
  if (isWanted(stored)) {
    await skipBacklog();
    await Promise.all(behind.map((service) => service.start()));
    rows.push(await receivedToStored(stored, ours, token));
  }
  print(rows);
} finally {
  endServers();
  await stack.stop();
}

/** Skips visits that the gateway's rows left in Kafka, because processing them takes minutes. */
async function skipBacklog(): Promise<void> {
  const admin = new kafkajs.Kafka({ ...(await stack.kafkaClient()), logLevel: kafkajs.logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.resetOffsets({ groupId: CONSUMER_GROUPS.enrichment, topic: TOPICS.visitsReceived, earliest: false });
  await admin.disconnect();
}

/** Measures from the first byte sent to the last visit stored. The peer inserts the same rows. */
async function receivedToStored(what: string, url: string, token: string): Promise<Row> {
  const row: Row = {
    what,
    peer: 'bare unnest INSERT of the same rows, 1,000 at a time',
    unit: 'visits/s',
    ours: [],
    theirs: [],
    goal: 0.25,
  };
  const pool = connectTo(await stack.databaseUrl());
  const count = async (): Promise<number> =>
    (await pool.query('SELECT count(*)::int AS stored FROM visits_full')).rows[0].stored as number;
  for (let round = 0; round < ROUNDS; round += 1) {
    await pool.query('TRUNCATE visits, unknown_visits');
    const started = performance.now();
    await requestsPerSecond({ url, token, perRequest: 50, connections: 32, amount: STORED / 50 });
    while ((await count()) < STORED) await sleep(20);
    row.ours.push((STORED * 1_000) / (performance.now() - started));
    row.theirs.push(await bareInsert(pool));
    process.stderr.write('.');
  }
  await pool.end();
  return row;
}
