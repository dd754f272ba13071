import { setTimeout as sleep } from 'node:timers/promises';
import { createBatchId } from '#libs/contracts';
import { createDataSource } from '#libs/database';
import type { DataSource } from 'typeorm';
import { App } from '../kit/app.js';
import '../kit/dispose-all.js';
import { Client } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { storeVisits } from '../kit/stored-visits.js';
import { StreamReader } from '../kit/stream.js';
import { readVisits } from '../kit/visit-store.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const WRITERS = 4;
const BATCHES = 60;
const VISITS_PER_BATCH = 7;
const MAX_COMMIT_DELAY_MS = 15;

let app: App;
let client: Client;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  await app.nest.listen(0, '127.0.0.1');
  client = new Client({ url: await app.nest.getUrl(), apiKey: app.apiKey, accessToken: app.accessToken });
  // Delay commits, and make some fail after all rows are written.
  await query(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_sleep(random() * ${MAX_COMMIT_DELAY_MS / 1_000});
    IF random() < 0.1 THEN RAISE EXCEPTION 'rolled back by the test'; END IF;
    RETURN NULL;
  END $$`);
  await query(`CREATE CONSTRAINT TRIGGER hold AFTER INSERT OR UPDATE ON visit_positions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold()`);
});

const query = <Row>(text: string, parameters: unknown[] = []): Promise<Row[]> =>
  app.database.dataSource.query(text, parameters) as Promise<Row[]>;

/** Stores the same batch until it succeeds, like a Kafka redelivery. @returns the number of failed attempts */
async function store(dataSource: DataSource, projectId: string, paths: readonly string[]): Promise<number> {
  const batch = createBatchId(NOW);
  const visits = paths.map((path) => ({ at: new Date(NOW).toISOString(), path }));
  for (let failures = 0; ; failures += 1) {
    try {
      await storeVisits(dataSource, projectId, NOW, visits, batch);
      return failures;
    } catch {
      continue;
    }
  }
}

function connectWriter(writer: number): Promise<DataSource> {
  return createDataSource({ url: app.database.url, poolSize: 1, applicationName: `writer-${writer}` }).initialize();
}

/** Stores batches like an ingest process. @returns the number of failed attempts */
async function writeBatches(dataSource: DataSource, writer: number, projectId: string): Promise<number> {
  let failures = 0;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const paths = Array.from({ length: VISITS_PER_BATCH }, (_, index) => `/${writer}/${batch}/${index}`);
    failures += await store(dataSource, projectId, paths);
  }
  await dataSource.destroy();
  return failures;
}

/**
 * Terminates random busy connections of the writers until the signal aborts. @returns the number of terminated
 * connections
 */
async function killConnections(signal: AbortSignal): Promise<number> {
  let killed = 0;
  while (!signal.aborted) {
    const rows = await query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name LIKE 'writer-%' AND datname = current_database() AND state = 'active' AND random() < 0.2`,
    );
    killed += rows.length;
    await sleep(20);
  }
  return killed;
}

/**
 * Reads the stream over many short connections, each of which resumes after the last event. @returns the visits' paths
 */
async function readStreamInPieces(projectId: string, totalVisits: number): Promise<string[]> {
  const seen: string[] = [];
  for (let lastEventId = '0'; seen.length < totalVisits;) {
    const reader = await StreamReader.open(client, projectId, { lastEventId });
    const some = Math.min(totalVisits - seen.length, 1 + Math.floor(Math.random() * 60));
    await until(() => reader.documents.length >= some, { condition: `${some} more visits arrive` });
    reader.close();
    seen.push(...reader.paths);
    lastEventId = reader.lastEventId!;
  }
  return seen;
}

it('streams and counts every visit exactly once while the connections of four writers are being killed', async () => {
  const projectId = (await app.api('POST', '/projects', { name: 'Shop' })).body.id as string;
  const totalVisits = WRITERS * BATCHES * VISITS_PER_BATCH;
  // Connect before terminating any connections, because a process that can't connect at startup exits.
  const writers = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => connectWriter(writer)));
  const abortController = new AbortController();
  const killing = killConnections(abortController.signal);
  const following = readStreamInPieces(projectId, totalVisits);
  const writing = Promise.all(writers.map((dataSource, writer) => writeBatches(dataSource, writer, projectId)));
  const written = await writing.finally(() => abortController.abort());
  expect(await killing).toBeGreaterThan(0);
  expect(written.reduce((sum, failures) => sum + failures, 0)).toBeGreaterThan(0);
  const seen = await following;
  expect(seen).toHaveLength(totalVisits);
  expect(new Set(seen).size).toBe(totalVisits);

  const stored = await readVisits(app.database.dataSource);
  expect(stored).toHaveLength(totalVisits);
  expect(new Set(stored.map(({ shard }) => shard)).size).toBeGreaterThan(1);
  const sums = await query(
    `SELECT (SELECT sum(visits)::int FROM visit_counts) AS counts,
       (SELECT sum(visits)::int FROM visit_top_counts WHERE dimension LIKE '%page') AS pages`,
  );
  expect(sums).toEqual([{ counts: totalVisits, pages: totalVisits }]);
}, 120_000);

it('resumes from an event ID without a shard and from one beyond the last visit', async () => {
  const projectId = (await app.api('POST', '/projects', { name: 'Shop' })).body.id as string;
  const storeOne = (path: string): Promise<number> => store(app.database.dataSource, projectId, [path]);
  await storeOne('/1');
  await storeOne('/2');
  const [last] = await query<{ position: number }>(
    'SELECT max(position)::int AS position FROM visit_positions WHERE project_id = $1',
    [projectId],
  );
  const resumed = await StreamReader.open(client, projectId, { lastEventId: String(last!.position - 1) });
  await until(() => resumed.paths.length > 0, { condition: 'the second visit arrives' });
  expect(resumed.paths).toEqual(['/2']);
  resumed.close();
  const beyond = await StreamReader.open(client, projectId, { lastEventId: '999999999999999999.5' });
  await until(() => beyond.lastEventId !== null && beyond.lastEventId.length < 9, { condition: 'the stream is open' });
  await storeOne('/3');
  await until(() => beyond.paths.length > 0, { condition: 'the third visit arrives' });
  expect(beyond.paths).toEqual(['/3']);
  beyond.close();
});
