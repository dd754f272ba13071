import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { RetentionSetting } from '../../apps/ingest/src/retention-setting.service.js';
import { InstanceReporter } from '#libs/database';
import { getProductVersion } from '#libs/platform';
import { App, type Json } from '../kit/app.js';
import { testVisitStore } from '../kit/clickhouse.js';
import { until } from '../kit/instance.js';

let app: App;
beforeAll(async () => {
  app = await App.start();
});
afterAll(() => app?.dispose());

const query = <T>(sql: string, parameters: unknown[] = []): Promise<T[]> =>
  app.database.dataSource.query(sql, parameters);
const system = async (): Promise<Json> => (await app.api('GET', '/system')).body;
const addProcess = (service: string, secondsAgo: number, status = 'ok', checks: object = {}): Promise<unknown> =>
  query(
    `INSERT INTO service_instances (id, service, host, version, started_at, reported_at, status, checks)
     VALUES ($1, $2, 'elsewhere', '0.0.1', now(), now() - make_interval(secs => $3), $4, $5)`,
    [randomUUID(), service, secondsAgo, status, JSON.stringify(checks)],
  );

it('reports the process and storage in standalone mode', async () => {
  await until(async () => (await system()).processes[0]?.state === 'ok', { condition: 'the process has reported' });
  expect(await system()).toEqual({
    processes: [
      {
        id: expect.any(String),
        service: 'agent-traffic',
        host: hostname(),
        version: getProductVersion(),
        started_at: expect.any(String),
        reported_at: expect.any(String),
        seconds_since_report: expect.any(Number),
        state: 'ok',
        checks: expect.objectContaining({ database: null, bus: null }),
        untrusted_forwarders: [],
      },
    ],
    rules: null,
    queue: null,
    dead_letters: { open: 0, newest_at: null },
    catalog: {
      version: expect.any(String),
      bundled_version: expect.any(String),
      agents: expect.any(Number),
      own_agents: 0,
      lists: expect.any(Array),
      bundled_ranges: expect.arrayContaining([
        { operator: 'Google', ranges: expect.any(Number), as_of: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      ]),
    },
    disk: {
      database_bytes: expect.any(Number),
      visits_bytes: expect.any(Number),
      counts_bytes: expect.any(Number),
      // ClickHouse has no partitions without visits.
      partitions:
        testVisitStore(app.database.dataSource) === null
          ? expect.arrayContaining([expect.objectContaining({ day: new Date().toISOString().slice(0, 10) })])
          : [],
      outbox: { messages: 0, bytes: expect.any(Number), oldest_at: null },
      visit_store: {
        name: process.env['TEST_VISIT_STORE'] === 'clickhouse' ? 'ClickHouse' : 'PostgreSQL',
        fault: null,
        pending_batches: 0,
        oldest_pending_at: null,
      },
    },
    network_files: [],
    is_public_url_insecure: false,
    retention: {
      days: 3_650,
      set_days: null,
      configured_days: 3_650,
      bytes_per_day: null,
      unknown_days: 7,
      unknown_bytes_per_day: null,
      audit_days: 365,
    },
  });
});

it('reports the total size of all count tables', async () => {
  const [sum] = await query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relkind = 'r' AND relname ~ '^visit_.*counts$'`,
  );
  expect((await system()).disk.counts_bytes).toBe(Number(sum!.bytes));
});

it('reports silent processes and removes them after a day', async () => {
  await addProcess('gateway', 31);
  await addProcess('gateway', 2, 'degraded', { outbox: '5 messages wait for Kafka' });
  await addProcess('ingest', 86_500);
  const { processes } = await system();
  expect(processes.map(({ service, state }: Json) => `${service} ${state}`)).toEqual([
    'agent-traffic ok',
    'gateway degraded',
    'gateway silent',
  ]);
  expect(processes[1].checks).toEqual({ outbox: '5 messages wait for Kafka' });
  await app.nest.get(InstanceReporter).report();
  expect(await query(`SELECT FROM service_instances WHERE service = 'ingest'`)).toEqual([]);
  await query(`DELETE FROM service_instances WHERE host = 'elsewhere'`);
});

it('reports untrusted proxies that send forwarding headers', async () => {
  const ask = (remoteAddress: string, forwarded: string) =>
    app.nest.inject({ url: '/api/session', remoteAddress, headers: { 'x-forwarded-for': forwarded } });
  await ask('127.0.0.1', '203.0.113.7');
  await ask('127.0.0.1', '66.249.66.1, 203.0.113.7');
  for (let count = 0; count < 3; count += 1) await ask('172.18.0.1', '203.0.113.7');
  await ask('127.0.0.1', '203.0.113.7, 10.1.2.3');
  await app.nest.get(InstanceReporter).report();
  expect((await system()).processes[0].untrusted_forwarders).toEqual([
    { address: '172.18.0.1', requests: 3 },
    { address: '10.1.2.3', requests: 1 },
  ]);
});

it("counts dead letters that haven't been replayed", async () => {
  await app.post('/visits', [{ request_path: '/no-headers' }]);
  await until(async () => (await system()).dead_letters.open === 1, { condition: 'the dead letter is counted' });
  const { dead_letters: letters } = (await app.api('GET', '/dead-letters')).body;
  const { body } = await app.api('GET', `/dead-letters/${letters[0].id}`);
  expect(Buffer.from(body.value_base64, 'base64').toString()).toContain('/no-headers');
});

it('uses the retention setting, which defaults to the configured value', async () => {
  const change = (days: unknown) => app.api('PUT', '/system/retention', { days });
  const setting = app.nest.get(RetentionSetting);
  expect((await change(30)).body).toMatchObject({ days: 30, set_days: 30, configured_days: 3_650 });
  expect([await setting.refresh(), setting.days]).toEqual([true, 30]);
  expect([await setting.refresh(), setting.days]).toEqual([false, 30]);
  for (const days of [0, 3_651, 1.5, '7', undefined]) expect((await change(days)).status).toBe(422);
  expect((await change(null)).body).toMatchObject({ days: 3_650, set_days: null });
  expect([await setting.refresh(), setting.days]).toEqual([true, 3_650]);
});

it('supports a separate retention period for unknown visitors', async () => {
  const change = (body: object) => app.api('PUT', '/system/retention', body);
  const read = async () => (await app.api('GET', '/system/retention')).body;
  const setting = app.nest.get(RetentionSetting);
  await query(`UPDATE instance_settings SET unknown_retention_days = NULL`);
  await change({ days: 30 });
  expect(await read()).toMatchObject({ days: 30, unknown_days: null });
  await setting.refresh();
  expect([setting.days, setting.unknownDays]).toEqual([30, 30]);
  expect((await change({ unknown_days: null })).body).toMatchObject({ unknown_days: null });
  await change({ unknown_days: 3 });
  expect(await read()).toMatchObject({ days: 30, set_days: 30, unknown_days: 3 });
  expect([await setting.refresh(), setting.days, setting.unknownDays]).toEqual([true, 30, 3]);
  for (const body of [{}, { unknown_days: 0 }, { unknown_days: 'x' }]) expect((await change(body)).status).toBe(422);
  await change({ days: null, unknown_days: 7 });
});

it('estimates daily storage once visits exist', async () => {
  const visit = { request_path: '/', request_method: 'GET', request_headers: { 'user-agent': 'GPTBot/1.2' } };
  expect((await app.post('/visits', [visit, visit])).status).toBe(204);
  await query('ANALYZE visits');
  const { retention, disk } = await system();
  expect(disk.partitions.reduce((sum: number, { visits }: Json) => sum + visits, 0)).toBeGreaterThanOrEqual(2);
  expect(retention.bytes_per_day).toBeGreaterThan(1_000);
});

it('reports the state of the pipeline', async () => {
  expect((await app.api('GET', '/pipeline')).body).toEqual({
    state: 'running',
    parts: ['gateway', 'enrichment', 'ingest', 'database'].map((part) => ({ part, state: 'running', detail: null })),
  });
});

it('recovers after a failed database write', async () => {
  const reporter = app.nest.get(InstanceReporter);
  await query(`ALTER TABLE service_instances RENAME TO elsewhere`);
  expect(await reporter.report()).toBe(false);
  await query(`ALTER TABLE elsewhere RENAME TO service_instances`);
  await query(`DELETE FROM service_instances`);
  expect(await reporter.report()).toBe(true);
  expect(await query(`SELECT service FROM service_instances`)).toEqual([{ service: 'agent-traffic' }]);
  await reporter.beforeApplicationShutdown();
  expect(await query(`SELECT FROM service_instances`)).toEqual([]);
});

it('warns when PUBLIC_URL uses http behind TLS', async () => {
  const isInsecure = async (): Promise<boolean> => (await app.api('GET', '/system')).body.is_public_url_insecure;
  // If the request didn't come through a proxy, the client may have set the header itself.
  await app.send('GET', '/api/session', undefined, { 'x-forwarded-proto': 'https' });
  expect(await isInsecure()).toBe(false);
  await app.send('GET', '/api/session', undefined, { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' });
  expect(await isInsecure()).toBe(true);
});
