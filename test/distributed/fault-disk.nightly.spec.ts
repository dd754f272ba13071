/** Fills PostgreSQL's disk, including the space for the write-ahead log, and then frees it. */
import { dirname } from 'node:path';
import { Deployment } from '../kit/deployment.js';
import { prolongOutage } from '../kit/faults.js';
import { temporaryFolder, until } from '../kit/instance.js';
import { SmallDisk } from '../kit/small-disk.js';
import { FaultTrials } from '../kit/fault-trials.js';

/** Disk size in MiB. A new database needs about 60 MiB, and its write-ahead log needs just as much. */
const DISK_SIZE_MIB = 256;

let deployment: Deployment;
let disk: SmallDisk;
let trials: FaultTrials;

beforeAll(async () => {
  deployment = await Deployment.start();
  trials = new FaultTrials(await temporaryFolder());
  const postgres = deployment.process('postgres');
  await postgres.stop();
  const folder = postgres.command.args[postgres.command.args.indexOf('-D') + 1]!;
  disk = await SmallDisk.mount(postgres, dirname(folder), DISK_SIZE_MIB);
  await postgres.start();
});
afterAll(async () => {
  trials?.print();
  await deployment?.dispose();
  await disk?.dispose();
});

const runStatement = (statement: string): Promise<string> =>
  deployment.database.query(statement).then(
    () => 'done',
    (error: { code?: string }) => String(error.code),
  );

it('neither loses nor duplicates visits when a disk is full, and resumes automatically', async () => {
  const postgres = deployment.process('postgres');
  const row = await trials.run(deployment, 'PostgreSQL disk full', async (load) => {
    await disk.fill();
    // SQLSTATE 53100 is disk_full.
    await until(
      async () => (await runStatement('CREATE TABLE more AS SELECT generate_series(1, 1000000)')) === '53100',
      {
        condition: 'the database reports a full disk',
      },
    );
    await prolongOutage(load, 10);
    // Without space for the write-ahead log, PostgreSQL stops and can't restart.
    const { pid } = postgres;
    await until(async () => (await runStatement('SELECT pg_switch_wal()')) !== 'done' || postgres.pid !== pid, {
      condition: 'the write-ahead log is out of space',
      timeoutMs: 60_000,
    });
    await prolongOutage(load, 10);
    await disk.free();
    await until(async () => (await runStatement('SELECT 1')) === 'done', {
      condition: 'the database is available again',
      timeoutMs: 60_000,
    });
  });
  expect(Number(row.accepted)).toBeGreaterThanOrEqual(99);
  const { rows } = await deployment.database.query('SELECT reason, detail FROM dead_letters');
  expect(rows).toEqual([]);
}, 300_000);
