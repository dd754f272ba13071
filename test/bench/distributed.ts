/**
 * Measures the services on a real Kafka, Redis, and PostgreSQL. Command-line words select the rows that contain one of
 * them.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs from 'kafkajs';
import { CONSUMER_GROUPS, TOPICS } from '../../libs/contracts/src/topics.ts';
import { Stack } from '../stack/stack.ts';
import {
  insertBareRows,
  compare,
  stopServers,
  matchesFilter,
  printVisitRows,
  ROUNDS,
  startServer,
  STORED_VISITS,
  type Comparison,
  type Row,
} from './compare.ts';
import { identificationRequest, measureRequestRate } from './load.ts';
import { connectTo } from './postgres.ts';
import { measureRobotsTxt } from './robots-txt.ts';

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
  const startPeer = (name: string): Promise<string> =>
    startServer([join(import.meta.dirname, `peers/${name}.ts`)], {
      KAFKA_BROKERS: brokers.join(','),
      KAFKA_PASSWORD: sasl.password,
    });
  const bareUrl = await startPeer('bare-fastify');
  const kafkajs = await startPeer('fastify-kafkajs');
  const platformatic = await startPeer('fastify-platformatic-kafka');

  // Stop the services that process visits after the gateway. They would compete with it for CPU time.
  const downstreamServices = ['enrichment', 'ingest'].map((name) => stack.service(name)[0]!);
  await Promise.all(downstreamServices.map((service) => service.stop()));
  const sharedOptions = { ours, token, connections: CONNECTIONS };
  const one = 'gateway, 1 visit per request, acknowledged';
  const fifty = 'gateway, 50 visits per request, acknowledged';
  const stored = 'received to stored, all services and servers, 50 visits per request';
  const rows: Row[] = [];
  const add = async (comparison: Omit<Comparison, 'ours' | 'token'> & { ours?: string }): Promise<void> => {
    if (matchesFilter(`${comparison.what} ÷ ${comparison.peer}`))
      rows.push(await compare({ ...sharedOptions, ...comparison }));
  };
  await add({
    what: 'agent-identifications, one per request, through gateway and catalog',
    peer: 'bare Fastify, JSON in, same JSON out',
    theirs: await startPeer('bare-echo'),
    operation: { path: '/agent-identifications', body: identificationRequest },
    goal: 0.5,
  });
  const robots = '/robots-txts, all types, through gateway and rules';
  if (matchesFilter(robots)) rows.push(await measureRobotsTxt({ what: robots, ours, token }));
  await add({ what: one, peer: 'bare Fastify, JSON in, 204 out', theirs: bareUrl, perRequest: 1, goal: 0.5 });
  await add({ what: one, peer: 'handwritten Fastify + kafkajs', theirs: kafkajs, perRequest: 1 });
  await add({ what: fifty, peer: 'handwritten Fastify + kafkajs', theirs: kafkajs, perRequest: 50, goal: 0.8 });
  await add({
    what: 'handwritten Fastify + @platformatic/kafka, 1 visit per request',
    peer: 'handwritten Fastify + kafkajs',
    ours: platformatic,
    theirs: kafkajs,
    perRequest: 1,
  });
  if (matchesFilter(stored)) {
    await skipBacklog();
    await Promise.all(downstreamServices.map((service) => service.start()));
    rows.push(await receivedToStored(stored, ours, token));
  }
  printVisitRows(rows);
} finally {
  stopServers();
  await stack.stop();
}

/** Skips visits that the gateway measurements left in Kafka, because processing them takes minutes. */
async function skipBacklog(): Promise<void> {
  const admin = new kafkajs.Kafka({ ...(await stack.kafkaClient()), logLevel: kafkajs.logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.resetOffsets({ groupId: CONSUMER_GROUPS.enrichment, topic: TOPICS.visitsReceived, earliest: false });
  await admin.disconnect();
}

/** Measures the time from the first byte sent to the last visit stored. The peer inserts the same rows. */
async function receivedToStored(what: string, url: string, token: string): Promise<Row> {
  const row: Row = {
    what,
    peer: 'bare unnest INSERT of the same rows in batches of 1,000',
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
    await measureRequestRate({ url, token, perRequest: 50, connections: 32, amount: STORED_VISITS / 50 });
    while ((await count()) < STORED_VISITS) await sleep(20);
    row.ours.push((STORED_VISITS * 1_000) / (performance.now() - started));
    row.theirs.push(await insertBareRows(pool));
    process.stderr.write('.');
  }
  await pool.end();
  return row;
}
