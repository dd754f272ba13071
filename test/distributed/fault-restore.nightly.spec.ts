/** Restores PostgreSQL from an older backup under load. Later visits must be recovered from Kafka exactly once. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client as Postgres } from 'pg';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import { Deployment } from '../kit/deployment.js';
import { prolongOutage } from '../kit/faults.js';
import { temporaryFolder, until } from '../kit/instance.js';
import { Kafka, logLevel } from '../kit/kafkajs.js';
import { FaultTrials } from '../kit/fault-trials.js';

const run = promisify(execFile);
const NAME = 'agent_traffic';

let deployment: Deployment;
let folder: string;
let trials: FaultTrials;

beforeAll(async () => {
  folder = await temporaryFolder();
  trials = new FaultTrials(folder);
  deployment = await Deployment.start();
}, 180_000);
afterAll(async () => {
  trials?.print();
  await deployment?.dispose();
});

function toUrl(database: string): string {
  const url = new URL(deployment.databaseUrl);
  url.pathname = `/${database}`;
  return url.href;
}

const postgres = (program: string, ...args: string[]): Promise<unknown> =>
  run(deployment.postgresProgram(program), args);

/** Restores the dump to a new database that replaces the current one. */
async function restore(dump: string): Promise<void> {
  const connection = new Postgres({ connectionString: toUrl('postgres') });
  await connection.connect();
  await connection.query(`CREATE DATABASE restored OWNER ${NAME}`);
  const restoreOptions = ['--no-owner', '--role', NAME, '--exit-on-error'];
  await postgres('pg_restore', ...restoreOptions, '--dbname', toUrl('restored'), dump);
  await connection.query(`ALTER DATABASE ${NAME} ALLOW_CONNECTIONS false`);
  await connection.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${NAME}'`);
  await until(
    () =>
      connection.query(`ALTER DATABASE ${NAME} RENAME TO lost`).then(
        () => true,
        () => false,
      ),
    { condition: 'all connections are closed' },
  );
  await connection.query(`ALTER DATABASE restored RENAME TO ${NAME}`);
  await connection.query('DROP DATABASE lost');
  await connection.end();
}

const replay = (since: Date): Promise<unknown> =>
  deployment.cli(['visits', 'replay', '--from', since.toISOString(), '--to', new Date().toISOString()]);

/** Makes ingest reread everything in Kafka. Offsets can only be reset while the group has no members. */
async function resetOffsets(): Promise<void> {
  const ingest = deployment.process('ingest');
  await ingest.stop();
  const admin = new Kafka({ ...(await deployment.stack.kafkaClient()), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const [groupId, topic] = [CONSUMER_GROUPS.ingest, TOPICS.visitsEnriched];
  await until(
    () =>
      admin.resetOffsets({ groupId, topic, earliest: true }).then(
        () => true,
        () => false,
      ),
    { condition: 'the group is empty' },
  );
  await admin.disconnect();
  await ingest.start();
}

it.each<[string, (since: Date) => Promise<unknown>]>([
  ['visits replayed', replay],
  ['offsets reset', resetOffsets],
])(
  'recovers every visit exactly once after a restore: %s',
  async (method, recoverVisits) => {
    const dump = join(folder, `${method.replace(' ', '-')}.dump`);
    const row = await trials.run(deployment, `PostgreSQL restored, ${method}`, async (load) => {
      const since = new Date();
      await postgres('pg_dump', '--format', 'custom', '--file', dump, deployment.databaseUrl);
      const { stored } = await deployment.countTotals();
      await prolongOutage(load, 10);
      await until(async () => (await deployment.countTotals()).stored > stored + 300, {
        condition: 'visits missing from the backup are stored',
      });
      await restore(dump);
      await prolongOutage(load, 5);
      await recoverVisits(since);
    });
    expect(Number(row.accepted)).toBeGreaterThanOrEqual(99);
  },
  300_000,
);
