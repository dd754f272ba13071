/**
 * Measures how fast two and four processes store one project's visits, compared with a single process. Uses a local
 * database, then one that delays each commit like synchronous replication would.
 */
import { randomUUID } from 'node:crypto';
import { createDataSource, migrate } from '#libs/database';
import { printRows, ROUNDS, ROUND_SECONDS, type Row } from './compare.ts';
import { startPostgres } from './postgres.ts';
import { Writers } from './writer-processes.ts';

const COMMIT_DELAY_MS = 20;
const MAX_WRITERS = 4;

const postgres = await startPostgres();
let writers: Writers | undefined;
try {
  const rows = [...(await measureWriters('local', null)), ...(await measureWriters('held', COMMIT_DELAY_MS))];
  printRows("one project's visits, 50 per statement", rows);
} finally {
  writers?.stop();
  await postgres.stop();
}

async function measureWriters(name: string, commitDelayMs: number | null): Promise<Row[]> {
  const url = await postgres.createDatabase(`bench_${name}`);
  const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
  await migrate(dataSource);
  if (commitDelayMs !== null) {
    // Delays commits. The trigger is deferred until the commit, so the transaction holds all of its locks during the
    // delay.
    await dataSource.query(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_sleep(${commitDelayMs / 1_000}); RETURN NULL; END $$`);
    await dataSource.query(`CREATE CONSTRAINT TRIGGER hold AFTER INSERT OR UPDATE ON visit_positions
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold()`);
  }
  const projectId = randomUUID();
  const started = (writers = await Writers.start(url, projectId, MAX_WRITERS));
  const rate = async (count: number): Promise<number> => {
    await dataSource.query('TRUNCATE visits, unknown_visits');
    return (await started.store(count, ROUND_SECONDS * 1_000)) / ROUND_SECONDS;
  };
  await rate(MAX_WRITERS);
  const location = commitDelayMs === null ? 'local database' : `commits delayed by ${commitDelayMs} ms`;
  const rows = [2, 4].map((count): Row => ({
    what: `${count} writers, ${location}`,
    peer: 'one writer',
    unit: 'visits/s',
    ours: [],
    theirs: [],
    goal: commitDelayMs === null ? null : 0.85 * count,
  }));
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = await rate(1);
    for (const [index, row] of rows.entries()) {
      row.ours.push(await rate(2 * (index + 1)));
      row.theirs.push(one);
    }
    process.stderr.write('.');
  }
  started.stop();
  await dataSource.destroy();
  return rows;
}
