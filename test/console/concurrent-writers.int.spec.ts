import { setTimeout as sleep } from 'node:timers/promises';
import { newBatchId } from '#libs/contracts';
import { createDataSource } from '#libs/database';
import type { DataSource } from 'typeorm';
import { App } from '../kit/app.js';
import '../kit/dispose-left-overs.js';
import { Client } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { storeVisits } from '../kit/stored-visits.js';
import { StreamReader } from '../kit/stream.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const WRITERS = 4;
const BATCHES = 60;
const VISITS = 7;
const HELD_MS = 15;

let app: App;
let client: Client;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  await app.nest.listen(0, '127.0.0.1');
  client = new Client({ url: await app.nest.getUrl(), apiKey: app.apiKey, accessToken: app.accessToken });
  // Delays commits, and makes some fail after everything was written.
  await query(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_sleep(random() * ${HELD_MS / 1_000});
    IF random() < 0.1 THEN RAISE EXCEPTION 'rolled back by the test'; END IF;
    RETURN NULL;
  END $$`);
  await query(`CREATE CONSTRAINT TRIGGER hold AFTER INSERT OR UPDATE ON visit_positions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold()`);
});

const query = <Row>(text: string, parameters: unknown[] = []): Promise<Row[]> =>
  app.database.dataSource.query(text, parameters) as Promise<Row[]>;

/** Stores the same batch until it succeeds, like redeliveries from Kafka. @returns the number of failures. */
async function store(dataSource: DataSource, projectId: string, paths: readonly string[]): Promise<number> {
  const batch = newBatchId(NOW);
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

function connect(writer: number): Promise<DataSource> {
  return createDataSource({ url: app.database.url, poolSize: 1, applicationName: `writer-${writer}` }).initialize();
}

/** Stores batches like an ingest process. @returns the number of failures. */
async function write(dataSource: DataSource, writer: number, projectId: string): Promise<number> {
  let failures = 0;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const paths = Array.from({ length: VISITS }, (_, index) => `/${writer}/${batch}/${index}`);
    failures += await store(dataSource, projectId, paths);
  }
  await dataSource.destroy();
  return failures;
}

/** Terminates busy connections of writers at random until the signal aborts. @returns the number terminated. */
async function kill(signal: AbortSignal): Promise<number> {
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

/** Reads the stream with many short connections that resume after the last event. @returns the paths. */
async function follow(projectId: string, all: number): Promise<string[]> {
  const seen: string[] = [];
  for (let lastEventId = '0'; seen.length < all;) {
    const reader = await StreamReader.open(client, projectId, { lastEventId });
    const some = Math.min(all - seen.length, 1 + Math.floor(Math.random() * 60));
    await until(() => reader.documents.length >= some, { what: `${some} more visits arrive` });
    reader.close();
    seen.push(...reader.paths);
    lastEventId = reader.lastEventId!;
  }
  return seen;
}

it('streams and counts every visit once while connections of four writers are killed', async () => {
  const projectId = (await app.api('POST', '/projects', { name: 'Shop' })).body.id as string;
  const all = WRITERS * BATCHES * VISITS;
  // Connects before any connection is terminated, because a process that can't connect at startup exits.
  const writers = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => connect(writer)));
  const done = new AbortController();
  const killing = kill(done.signal);
  const following = follow(projectId, all);
  const writing = Promise.all(writers.map((dataSource, writer) => write(dataSource, writer, projectId)));
  const written = await writing.finally(() => done.abort());
  expect(await killing).toBeGreaterThan(0);
  expect(written.reduce((sum, failures) => sum + failures, 0)).toBeGreaterThan(0);
  const seen = await following;
  expect(seen).toHaveLength(all);
  expect(new Set(seen).size).toBe(all);

  const [shards] = await query<{ used: number }>(`SELECT count(DISTINCT position >> 56)::int AS used FROM visits_full`);
  expect(shards!.used).toBeGreaterThan(1);
  const sums = await query(
    `SELECT (SELECT count(*)::int FROM visits_full) AS visits, (SELECT sum(visits)::int FROM visit_counts) AS counts,
       (SELECT sum(visits)::int FROM visit_top_counts WHERE dimension LIKE '%page') AS pages`,
  );
  expect(sums).toEqual([{ visits: all, counts: all, pages: all }]);
}, 120_000);

it('resumes from an ID without a shard and from an ID beyond the last visit', async () => {
  const projectId = (await app.api('POST', '/projects', { name: 'Shop' })).body.id as string;
  const storeOne = (path: string): Promise<number> => store(app.database.dataSource, projectId, [path]);
  await storeOne('/1');
  await storeOne('/2');
  const [last] = await query<{ position: number }>(
    'SELECT max(position)::int AS position FROM visit_positions WHERE project_id = $1',
    [projectId],
  );
  const resumed = await StreamReader.open(client, projectId, { lastEventId: String(last!.position - 1) });
  await until(() => resumed.paths.length > 0, { what: 'the second arrives' });
  expect(resumed.paths).toEqual(['/2']);
  resumed.close();
  const beyond = await StreamReader.open(client, projectId, { lastEventId: '999999999999999999.5' });
  await until(() => beyond.lastEventId !== null && beyond.lastEventId.length < 9, { what: 'it is open' });
  await storeOne('/3');
  await until(() => beyond.paths.length > 0, { what: 'the third arrives' });
  expect(beyond.paths).toEqual(['/3']);
  beyond.close();
});
