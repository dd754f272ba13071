import { createBatchId, createVisitId } from '#libs/contracts';
import { App, type Json } from '../kit/app.js';
import '../kit/dispose-all.js';
import { until } from '../kit/instance.js';
import { createTenant } from '../kit/tenant.js';
import { Person } from '../kit/person.js';
import { storeVisits, type StoredVisit } from '../kit/stored-visits.js';
import { onlyInPostgres, readVisits } from '../kit/visit-store.js';

const NOW = Date.now();
const AT = new Date(NOW).toISOString();
const ADDRESS = '203.0.113.7';
const V6 = '2001:db8::7';
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };

let app: App;
beforeAll(async () => {
  app = await App.start();
});

const query = <Row>(text: string): Promise<Row[]> => app.database.dataSource.query(text) as Promise<Row[]>;
const project = async (name: string): Promise<string> => (await app.api('POST', '/projects', { name })).body.id;
const store = (projectId: string, visits: Omit<StoredVisit, 'at'>[], batch?: string) =>
  storeVisits(
    app.database.dataSource,
    projectId,
    NOW,
    visits.map((visit) => ({ at: AT, ...visit })),
    batch,
  );
const paths = async (projectId: string): Promise<string[]> =>
  (await app.api('GET', `/projects/${projectId}/visits?limit=100`)).body.visits
    .map(({ visit }: Json) => visit.request_path)
    .toSorted();
const deleteVisits = async (body: object): Promise<Json> => {
  const total: Json = { visits: 0, dead_letters: 0, refused_requests: 0 };
  for (let cursor: string | null | undefined; cursor !== null;) {
    const response = await app.api('POST', '/visits/delete', { ...body, ...(cursor && { cursor }) });
    expect(response.status).toBe(200);
    for (const [name, count] of Object.entries(response.body.deleted)) total[name] += count;
    cursor = response.body.next_cursor as string | null;
    total.waiting = response.body.waiting;
  }
  return total;
};
const sumVisitCounts = async (projectId: string): Promise<number> =>
  (
    await query<{ visits: number }>(
      `SELECT sum(visits)::int AS visits FROM visit_counts WHERE project_id = '${projectId}'`,
    )
  )[0]!.visits;

/** Columns that contain only catalog names and constants, never addresses. */
const COLUMNS_WITHOUT_ADDRESSES = new Set(['agent_type', 'operator', 'result', 'assistant', 'decisions']);

onlyInPostgres(() => {
  onlyInPostgres(() => {
    it('searches and clears every column that can contain an address', async () => {
      const projectId = await project('Columns');
      const columns = await query<{ table: string; name: string; type: string }>(
        `SELECT attrelid::regclass::text AS table, attname AS name, atttypid::regtype::text AS type FROM pg_attribute
     WHERE attrelid IN ('visits'::regclass, 'unknown_visits'::regclass) AND attnum > 0 AND NOT attisdropped
       AND atttypid NOT IN ('uuid'::regtype, 'timestamptz'::regtype, 'int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'float8'::regtype)`,
      );
      const searched = columns.filter(({ name }) => !COLUMNS_WITHOUT_ADDRESSES.has(name));
      expect(searched.length).toBeGreaterThan(0);
      const values: Record<string, string> = {
        project_id: `'${projectId}'`,
        occurred_at: 'now()',
        position: '1',
        path: `'/'`,
        kinds: '1',
        document: `'{}'`,
      };
      const agentColumns: Record<string, string> = { agent_id: 'gen_random_uuid()', result: `'verified'` };
      const batch = createBatchId(NOW);
      for (const [index, { table, name, type }] of searched.entries()) {
        const addressLiteral = `'${type.startsWith('json') ? JSON.stringify([ADDRESS]) : ADDRESS}'::${type}`;
        const row = {
          ...values,
          ...(table === 'visits' && agentColumns),
          id: `'${createVisitId(batch, index)}'`,
          [name]: addressLiteral,
        };
        await query(`INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`);
      }
      const { visits } = await deleteVisits({ address: ADDRESS, project_id: projectId });
      const uncleared: string[] = [];
      for (const [index, { table, name }] of searched.entries()) {
        const [row] = await query<{ columns: object }>(
          `SELECT jsonb_strip_nulls(to_jsonb(v)) - 'id' AS columns FROM ${table} v WHERE id = '${createVisitId(batch, index)}'`,
        );
        if (row !== undefined && Object.keys(row.columns).length > 0) uncleared.push(`${table}.${name}`);
      }
      expect(uncleared).toEqual([]);
      expect(visits).toBe(searched.length);
    });
  });
});

it('deletes only visits that contain the address in any field, and preserves the counts', async () => {
  const one = await project('One');
  const other = await project('Other');
  const visits: Omit<StoredVisit, 'at'>[] = [
    { path: '/person', address: ADDRESS },
    { path: '/agent', address: ADDRESS, ...GPTBOT },
    { path: '/header', headers: { 'x-forwarded-for': `10.0.0.1, ${ADDRESS}:443` }, ...GPTBOT },
    { path: '/mapped', headers: { 'x-real-ip': `::ffff:${ADDRESS}` } },
    { path: '/field', extra: { note: `from ${ADDRESS}.` } },
    { path: `/path?ip=${ADDRESS}` },
    { path: `/path?q=%22${ADDRESS}%22` },
    { path: '/longer', address: `${ADDRESS}1` },
    { path: '/shorter', headers: { 'x-forwarded-for': `1${ADDRESS}` } },
    { path: '/version', headers: { 'user-agent': `x/${ADDRESS}.4` } },
    { path: '/else', ...GPTBOT },
  ];
  await store(one, visits);
  await store(other, visits.slice(0, 2));
  const remaining = ['/else', '/longer', '/shorter', '/version'];
  expect(await deleteVisits({ address: ADDRESS, project_id: one })).toMatchObject({ visits: 7, waiting: 0 });
  expect([await paths(one), await paths(other)]).toEqual([remaining, ['/agent', '/person']]);
  expect(await deleteVisits({ address: ADDRESS })).toMatchObject({ visits: 2 });
  expect([await paths(one), await paths(other)]).toEqual([remaining, []]);
  expect([await sumVisitCounts(one), await sumVisitCounts(other)]).toEqual([11, 2]);
  const stored = await readVisits(app.database.dataSource);
  expect(stored.filter(({ document }) => /[^0-9]203\.0\.113\.7[^0-9.]/.test(document))).toEqual([]);
});

it('finds an IPv6 address in any notation', async () => {
  const id = await project('Six');
  await store(id, [
    { path: '/six', address: V6 },
    { path: '/upper', headers: { forwarded: 'for="[2001:DB8::7]"' } },
    { path: '/field', headers: { 'user-agent': `a\f${V6}` }, extra: { note: `ip:${V6}` } },
    { path: '/x', address: `${V6}a` },
  ]);
  expect(await deleteVisits({ address: '2001:0DB8:0:0::7' })).toMatchObject({ visits: 3 });
  expect(await paths(id)).toEqual(['/x']);
});

it("doesn't store a deleted visit again when its batch is redelivered", async () => {
  const id = await project('Replayed');
  const batch = createBatchId(NOW);
  const visits = [
    { path: '/a', address: ADDRESS },
    { path: '/b', address: ADDRESS, ...GPTBOT },
  ];
  await store(id, visits, batch);
  await deleteVisits({ address: ADDRESS });
  await store(id, visits, batch);
  expect([await paths(id), await sumVisitCounts(id)]).toEqual([[], 2]);
});

it('finds visits that move between tables during the search', async () => {
  const id = await project('Moving');
  await store(id, [{ path: '/agent', address: ADDRESS, ...GPTBOT }]);
  await query(
    `INSERT INTO reidentifications (id, project_id, range_from, range_to, after_at, state)
     VALUES (gen_random_uuid(), '${id}', 'epoch', now(), 'epoch', 'applying')`,
  );
  const cursors = new Set<string>();
  let deleted = 0;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const response = await app.api('POST', '/visits/delete', { address: ADDRESS, ...(cursor && { cursor }) });
    if (cursors.size === 0) {
      // Simulate a visit that moves between the tables after the first page has been searched.
      deleted += response.body.deleted.visits;
      await store(id, [{ path: '/moved', address: ADDRESS }]);
      await query(
        `UPDATE reidentifications SET state = 'applied', moved_at = clock_timestamp() WHERE project_id = '${id}'`,
      );
    } else deleted += response.body.deleted.visits;
    cursor = response.body.next_cursor as string | null;
    if (cursor !== null) cursors.add(cursor);
  }
  expect([deleted, await paths(id)]).toEqual([2, []]);
});

it("deletes only the given project's visits, dead letters, and rejected requests", async () => {
  const admin = await Person.administrator(app.nest, 'root@example.com', 'correct horse battery staple');
  const [one, other] = [await createTenant(app, admin, 'one'), await createTenant(app, admin, 'other')];
  const rows = (table: string, id: string) => query(`SELECT FROM ${table} WHERE project_id = '${id}'`);
  expect(await rows('dead_letters', one.id)).not.toEqual([]);
  // The gateway stores rejected requests asynchronously, about a second later.
  for (const { id } of [one, other]) {
    await until(async () => (await rows('refused_requests', id)).length > 0, {
      condition: 'the rejected request is stored',
    });
  }
  const before = [
    await paths(other.id),
    await rows('dead_letters', other.id),
    await rows('refused_requests', other.id),
  ];
  const deleted = await deleteVisits({ project_id: one.id });
  expect(deleted.visits).toBeGreaterThan(0);
  for (const table of ['visits', 'unknown_visits', 'dead_letters', 'refused_requests']) {
    expect([table, await rows(table, one.id)]).toEqual([table, []]);
  }
  expect([
    await paths(other.id),
    await rows('dead_letters', other.id),
    await rows('refused_requests', other.id),
  ]).toEqual(before);
});

it('deletes dead letters that contain the address, and reports visits waiting in the outbox', async () => {
  const value = Buffer.from(JSON.stringify({ client_address: ADDRESS, request_path: 1 }));
  const id = await project('Letters');
  for (const text of [value, Buffer.from(`é${ADDRESS}`), Buffer.from(`é ${ADDRESS}9`)]) {
    await app.database.dataSource.query(
      `INSERT INTO dead_letters (id, project_id, topic, value, headers, reason, detail, step, failed_at)
       VALUES (gen_random_uuid(), $1, 't', $2, '{}', 'r', '', 's', now())`,
      [id, text],
    );
  }
  await app.database.dataSource.query(`INSERT INTO visits_outbox (topic, value, headers) VALUES ('t', $1, '{}')`, [
    value,
  ]);
  expect(await deleteVisits({ address: ADDRESS })).toMatchObject({ dead_letters: 2, waiting: 1 });
  expect(await query(`SELECT FROM dead_letters WHERE project_id = '${id}'`)).toHaveLength(1);
});

it.each([
  [{}, 422],
  [{ address: 'x' }, 422],
  [{ address: ADDRESS, cursor: 'x' }, 422],
  [{ project_id: '00000000-0000-0000-0000-000000000000' }, 404],
])('rejects a deletion with %j', async (body, status) => {
  expect((await app.api('POST', '/visits/delete', body)).status).toBe(status);
});
