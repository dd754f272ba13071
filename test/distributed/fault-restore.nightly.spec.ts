/** Restores PostgreSQL from an older backup under load. Later visits must come back from Kafka, once. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client as Postgres } from 'pg';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import { Deployment } from '../kit/deployment.js';
import { outage } from '../kit/faults.js';
import { temporaryFolder, until } from '../kit/instance.js';
import { Kafka, logLevel } from '../kit/kafkajs.js';
import { Trials } from '../kit/trials.js';

const run = promisify(execFile);
const NAME = 'agent_traffic';

let deployment: Deployment;
let folder: string;
let trials: Trials;

beforeAll(async () => {
  folder = await temporaryFolder();
  trials = new Trials(folder);
  deployment = await Deployment.start();
}, 180_000);
afterAll(async () => {
  trials?.print();
  await deployment?.dispose();
});

function urlOf(database: string): string {
  const url = new URL(deployment.databaseUrl);
  url.pathname = `/${database}`;
  return url.href;
}

const postgres = (program: string, ...args: string[]): Promise<unknown> =>
  run(deployment.postgresProgram(program), args);

/** Restores the dump into a new database, which replaces the current one. */
async function restore(dump: string): Promise<void> {
  const connection = new Postgres({ connectionString: urlOf('postgres') });
  await connection.connect();
  await connection.query(`CREATE DATABASE restored OWNER ${NAME}`);
  const how = ['--no-owner', '--role', NAME, '--exit-on-error'];
  await postgres('pg_restore', ...how, '--dbname', urlOf('restored'), dump);
  await connection.query(`ALTER DATABASE ${NAME} ALLOW_CONNECTIONS false`);
  await connection.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${NAME}'`);
  await until(
    () =>
      connection.query(`ALTER DATABASE ${NAME} RENAME TO lost`).then(
        () => true,
        () => false,
      ),
    { what: 'nobody is connected any more' },
  );
  await connection.query(`ALTER DATABASE restored RENAME TO ${NAME}`);
  await connection.query('DROP DATABASE lost');
  await connection.end();
}

const replay = (since: Date): Promise<unknown> =>
  deployment.cli(['visits', 'replay', '--from', since.toISOString(), '--to', new Date().toISOString()]);

/** Makes ingest reread everything in Kafka. Offsets can be reset only while the group has no members. */
async function setOffsetsBack(): Promise<void> {
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
    { what: 'the group is empty' },
  );
  await admin.disconnect();
  await ingest.start();
}

it.each<[string, (since: Date) => Promise<unknown>]>([
  ['visits replayed', replay],
  ['offsets set back', setOffsetsBack],
])(
  'recovers every visit exactly once after a restore: %s',
  async (way, bringBack) => {
    const dump = join(folder, `${way.replace(' ', '-')}.dump`);
    const row = await trials.withstand(deployment, `PostgreSQL restored, ${way}`, async (load) => {
      const since = new Date();
      await postgres('pg_dump', '--format', 'custom', '--file', dump, deployment.databaseUrl);
      const { stored } = await deployment.sums();
      await outage(load, 10);
      await until(async () => (await deployment.sums()).stored > stored + 300, {
        what: 'visits are stored that the backup lacks',
      });
      await restore(dump);
      await outage(load, 5);
      await bringBack(since);
    });
    expect(Number(row.accepted)).toBeGreaterThanOrEqual(99);
  },
  300_000,
);
