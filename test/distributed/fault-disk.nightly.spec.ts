/** Fills PostgreSQL's disk, including the space for its write-ahead log, and then frees it. */
import { dirname } from 'node:path';
import { Deployment } from '../kit/deployment.js';
import { outage } from '../kit/faults.js';
import { temporaryFolder, until } from '../kit/instance.js';
import { SmallDisk } from '../kit/small-disk.js';
import { Trials } from '../kit/trials.js';

/** Disk size in MiB. A new database needs about 60, and its write-ahead log the same again. */
const DISK = 256;

let deployment: Deployment;
let disk: SmallDisk;
let trials: Trials;

beforeAll(async () => {
  deployment = await Deployment.start();
  trials = new Trials(await temporaryFolder());
  const postgres = deployment.process('postgres');
  await postgres.stop();
  const folder = postgres.command.args[postgres.command.args.indexOf('-D') + 1]!;
  disk = await SmallDisk.under(postgres, dirname(folder), DISK);
  await postgres.start();
});
afterAll(async () => {
  trials?.print();
  await deployment?.dispose();
  await disk?.dispose();
});

const answers = (statement: string): Promise<string> =>
  deployment.database.query(statement).then(
    () => 'done',
    (error: { code?: string }) => String(error.code),
  );

it('loses and duplicates nothing, and resumes without help', async () => {
  const postgres = deployment.process('postgres');
  const row = await trials.withstand(deployment, 'disk of PostgreSQL full', async (load) => {
    await disk.fill();
    // SQLSTATE 53100 is disk_full.
    await until(async () => (await answers('CREATE TABLE more AS SELECT generate_series(1, 1000000)')) === '53100', {
      what: 'the database says that the disk is full',
    });
    await outage(load, 10);
    // Without space for the write-ahead log, PostgreSQL stops and can't restart.
    const { pid } = postgres;
    await until(async () => (await answers('SELECT pg_switch_wal()')) !== 'done' || postgres.pid !== pid, {
      what: 'there is no space for the log',
      within: 60_000,
    });
    await outage(load, 10);
    await disk.free();
    await until(async () => (await answers('SELECT 1')) === 'done', { what: 'the database is back', within: 60_000 });
  });
  expect(Number(row.accepted)).toBeGreaterThanOrEqual(99);
  const { rows } = await deployment.database.query('SELECT reason, detail FROM dead_letters');
  expect(rows).toEqual([]);
}, 300_000);
