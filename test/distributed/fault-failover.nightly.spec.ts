/** Loses PostgreSQL permanently and promotes a streaming replica at the same address. */
import { Client as Postgres } from 'pg';
import { Deployment, PORT_OFFSET } from '../kit/deployment.js';
import { prolongOutage } from '../kit/faults.js';
import { freePort, temporaryFolder, until } from '../kit/instance.js';
import { startReplica } from '../kit/postgres-replica.js';
import { TcpRelay } from '../kit/tcp-relay.js';
import { FaultTrials } from '../kit/fault-trials.js';
import type { ServerProcess } from '../stack/server-process.ts';

let relay: TcpRelay;
let deployment: Deployment;
let trials: FaultTrials;
let primary: ServerProcess;
let primaryPort = 15_432 + PORT_OFFSET;
const replicas: ServerProcess[] = [];

beforeAll(async () => {
  relay = await TcpRelay.start(() => primaryPort);
  deployment = await Deployment.start({ databasePort: relay.port });
  trials = new FaultTrials(await temporaryFolder());
  primary = deployment.process('postgres');
});
afterAll(async () => {
  trials?.print();
  for (const replica of replicas) await replica.stop();
  await deployment?.dispose();
  await relay?.close();
});

function toUrl(port: number): string {
  const url = new URL(deployment.databaseUrl);
  url.port = String(port);
  return url.href;
}

async function query(port: number, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const connection = new Postgres({ connectionString: toUrl(port) });
  await connection.connect();
  try {
    const results = [];
    for (const statement of statements) results.push((await connection.query(statement)).rows);
    return results.at(-1) as Record<string, unknown>[];
  } finally {
    await connection.end();
  }
}

/** Starts a replica and waits until it streams. A synchronous replica also contains every later commit. */
async function replicate(isSynchronous: boolean): Promise<ServerProcess> {
  const replica = await startReplica(deployment, toUrl(primaryPort), await freePort());
  replicas.push(replica);
  const names = isSynchronous ? '*' : '';
  await query(primaryPort, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`, 'SELECT pg_reload_conf()');
  const state = isSynchronous ? 'sync' : 'async';
  await until(
    async () => (await query(primaryPort, 'SELECT sync_state FROM pg_stat_replication'))[0]?.['sync_state'] === state,
    { condition: `the replica is ${state}` },
  );
  return replica;
}

/** Redirects connections to the replica and promotes it. Until it's promoted, the replica is read-only. */
async function failOver(replica: ServerProcess, beforePromotion: () => Promise<void>): Promise<void> {
  primaryPort = replica.port;
  await beforePromotion();
  await query(
    replica.port,
    'SELECT pg_promote()',
    `ALTER SYSTEM SET synchronous_standby_names = ''`,
    'SELECT pg_reload_conf()',
  );
  primary = replica;
}

it('loses no visits with a synchronous replica', async () => {
  const replica = await replicate(true);
  const row = await trials.run(deployment, 'PostgreSQL lost, synchronous replica promoted', async (load) => {
    await primary.kill();
    await prolongOutage(load, 10);
    await failOver(replica, () => prolongOutage(load, 10));
  });
  expect(Number(row.accepted)).toBeGreaterThanOrEqual(99);
}, 300_000);

it('recovers visits missing on an asynchronous replica by replaying them from Kafka', async () => {
  const replica = await replicate(false);
  const since = new Date().toISOString();
  const row = await trials.run(deployment, 'PostgreSQL lost, asynchronous replica promoted', async (load) => {
    // Disconnect the replica from the primary.
    await query(replica.port, `ALTER SYSTEM SET primary_conninfo = ''`, 'SELECT pg_reload_conf()');
    await prolongOutage(load, 5);
    await until(async () => (await countStored(primaryPort)) > (await countStored(replica.port)) + 300, {
      condition: 'the primary stores visits that the replica is missing',
    });
    await primary.kill();
    await failOver(replica, () => prolongOutage(load, 5));
    await deployment.cli(['visits', 'replay', '--from', since, '--to', new Date().toISOString()]);
  });
  expect(Number(row.accepted)).toBeGreaterThanOrEqual(99);
}, 300_000);

async function countStored(port: number): Promise<number> {
  const [row] = await query(port, 'SELECT count(*)::int AS visits FROM visits_full');
  return row!['visits'] as number;
}
