import type { TSchema } from 'typebox';
import { agentId } from '#libs/catalog';
import {
  completeQuery,
  getLoad,
  LoadReportSchema,
  LoadSeriesSchema,
  validator,
  type LoadReport,
  type LoadSeries,
  type TimelineFilters,
} from '#libs/contracts';
import { App } from '../../../../test/kit/app.js';
import { testVisitStore } from '../../../../test/kit/clickhouse.js';
import '../../../../test/kit/dispose-all.js';
import { storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { LoadService } from './load.service.js';
import { createSeries, resolveRange } from './time-range.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
const CLAUDEBOT = { agent: 'ClaudeBot', type: 'AI Data Scraper', operator: 'Anthropic' };
const NOBODY = { agent: 'Nobody', type: 'Uncategorized' };
/** Compiles the schema without `$id`s, because they aren't unique if it contains another schema twice. */
const compile = (type: TSchema) =>
  validator(JSON.parse(JSON.stringify(type, (key, value: unknown) => (key === '$id' ? undefined : value))) as TSchema);
const schema = compile(LoadReportSchema);
const seriesSchema = compile(LoadSeriesSchema);

const at = (time: string): string => `2026-11-21T08:${time}Z`;
const response = (size: number | null, milliseconds: number | null, more: object = {}): Pick<StoredVisit, 'extra'> => ({
  extra: { response_size_in_bytes: size, response_duration_in_milliseconds: milliseconds, ...more },
});

const VISITS: StoredVisit[] = [
  { at: at('00:00'), ...GPTBOT, path: '/docs/a?x=1', ...response(1_000, 10.5) },
  { at: at('00:09.999'), ...GPTBOT, path: '/docs/a?x=1', ...response(2_000, 20) },
  { at: at('00:10'), ...GPTBOT, path: '/docs/a?x=2', ...response(0, 30, { response_status_code: 304 }) },
  { at: '2026-11-20T23:59:59.999Z', ...GPTBOT, path: '/docs/a?x=2', ...response(3_000_000_000, 0.001) },
  {
    at: at('01:00'),
    ...CLAUDEBOT,
    path: '/',
    ...response(500, null, { response_size_type: 'sent', response_cache: 'hit' }),
  },
  { at: at('01:01'), ...CLAUDEBOT, path: '/docs', ...response(null, 100, { response_cache: 'miss' }) },
  { at: at('01:02'), ...CLAUDEBOT, path: '/docs/b/c', ...response(null, 200), result: 'verification_failed' },
  { at: at('02:00'), ...NOBODY, path: '/blog/', extra: { response_status_code: null } },
  { at: at('02:01'), path: '/docs/a', ...response(9, 1) },
  { at: at('02:02'), path: '/docs/a', ...response(9, 1) },
  { at: at('02:03'), path: '/docs/a', keptAs: 'counted', ...response(9, 1) },
];

let app: App;
let project: string;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  const { body } = await app.api('POST', '/projects', { name: 'Shop', time_zone: 'Europe/Berlin' });
  project = body.id as string;
  await storeVisits(app.database.dataSource, project, NOW, VISITS);
});
afterAll(() => app.dispose());

async function load(query = ''): Promise<LoadReport> {
  const { status, body, text } = await app.api('GET', `/projects/${project}/load?${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  expect(schema.faults(body)).toEqual([]);
  return body as LoadReport;
}

it('sums up the load of each agent', async () => {
  const { rows, total, sample, not_stored: notStored } = await load('by=agent');
  expect([sample, notStored]).toEqual([null, 1]);
  expect(rows.map(({ value, agent_token: token }) => [value, token])).toEqual([
    [agentId('GPTBot'), 'GPTBot'],
    [agentId('ClaudeBot'), 'ClaudeBot'],
    [null, null],
    [agentId('Nobody'), 'Nobody'],
  ]);
  expect(rows[0]).toEqual({
    value: agentId('GPTBot'),
    agent_token: 'GPTBot',
    agent_type_name: 'AI Data Scraper',
    operator_name: 'OpenAI',
    requests: 4,
    bytes: 3_000_003_000,
    bytes_requests: 4,
    body_requests: 4,
    sent_requests: 0,
    server_time_ms: 60.501,
    p95_ms: 28.5,
    timed_requests: 4,
    peak: { requests: 2, time: '2026-11-21T08:00:00.000Z' },
    not_modified: 1,
    status_requests: 4,
    repeats: 1,
    cache_hits: 0,
    cache_requests: 0,
  });
  expect(rows[1]).toMatchObject({
    bytes: 500,
    bytes_requests: 1,
    body_requests: 0,
    sent_requests: 1,
    server_time_ms: 300,
    timed_requests: 2,
    cache_hits: 1,
    cache_requests: 2,
    peak: { requests: 3, time: '2026-11-21T08:01:00.000Z' },
    repeats: 0,
  });
  expect(rows[2]).toMatchObject({ requests: 2, bytes: 18, repeats: null });
  expect(rows[3]).toMatchObject({ bytes: null, server_time_ms: null, p95_ms: null, status_requests: 0 });
  expect(total).toMatchObject({
    requests: 10,
    bytes: 3_000_003_518,
    server_time_ms: 362.501,
    repeats: 1,
    peak: { requests: 3, time: '2026-11-21T08:01:00.000Z' },
  });
});

it.each([
  ['operator', ['OpenAI', 'Anthropic', null, '']],
  ['type', ['AI Data Scraper', null, 'Uncategorized']],
  ['folder', ['/docs/*', '/', '/blog/*']],
  ['page', ['/docs/a', '/', '/docs/b/c', '/docs', '/blog']],
])('breaks the load down by %s', async (by, values) => {
  const { rows, total } = await load(`by=${by}`);
  expect(rows.map(({ value }) => value).toSorted()).toEqual(values.toSorted());
  expect(rows.slice(0, 2).map(({ value }) => value)).toEqual(values.slice(0, 2));
  expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(total.requests);
});

it("breaks the load down by the project's path patterns", async () => {
  const unnamed = await load('by=pattern');
  expect(unnamed.rows).toMatchObject([{ value: null, requests: unnamed.total.requests }]);
  const patterns = ['/docs/*/*', '/docs*', '*?x=*'].map((pattern) => ({ name: pattern, pattern }));
  await app.api('PATCH', `/projects/${project}`, { path_patterns: patterns });
  const { rows, total } = await load('by=pattern');
  expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(total.requests);
  // Each visit counts for the first pattern, so these filters find the same visits.
  for (const [value, filters] of [
    ['/docs/*/*', 'path=/docs/*/*'],
    ['/docs*', 'path=/docs*&not_path=/docs/*/*'],
    [null, 'not_path=/docs/*/*&not_path=/docs*&not_path=*?x=*'],
  ]) {
    const { requests } = (await load(filters!)).total;
    expect(requests).toBeGreaterThan(0);
    expect(rows.find((row) => row.value === value)?.requests).toBe(requests);
  }
});

it('applies filters and the time range', async () => {
  expect(await load('path=/docs/&not_result=unknown_agent')).toMatchObject({
    not_stored: null,
    total: { requests: 5, bytes: 3_000_003_000 },
  });
  const [from, to] = ['2026-11-21T08:00:00Z', '2026-11-21T08:15:00Z'];
  expect(await load(`agent=GPTBot&from=${from}&to=${to}`)).toMatchObject({
    not_stored: 0,
    total: { requests: 3, bytes: 3_000, repeats: 1 },
  });
  expect(await load(`from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z`)).toMatchObject({
    rows: [],
    total: { requests: 0, bytes: null, peak: null, repeats: null },
  });
});

it('rejects an unknown breakdown', async () => {
  expect(await app.api('GET', `/projects/${project}/load?by=country`)).toMatchObject({ status: 422 });
});

it('estimates sums from a sample if there are too many visits', async () => {
  const { body } = await app.api('POST', '/projects', { name: 'Large', time_zone: 'UTC' });
  const visits = Array.from({ length: 6_000 }, (_, index) => ({
    at: new Date(NOW - 5 * 86_400_000 + index * 60_000).toISOString(),
    ...(index % 3 === 0 ? {} : index % 3 === 1 ? GPTBOT : CLAUDEBOT),
    path: index % 2 === 0 ? '/docs/a' : '/',
    ...response(1_000, 10),
  }));
  await storeVisits(app.database.dataSource, body.id, NOW, visits);
  const series = createSeries(resolveRange({ from: NOW - 6 * 86_400_000, to: NOW }, NOW), 'UTC');
  const filters = { path: ['/docs/'] } as Partial<TimelineFilters> as TimelineFilters;
  const limits = { exact: 1_000, sampled: 2_000, slices: 60 };
  const report = await app.nest.get(LoadService).report(body.id, series, { by: 'agent', filters }, limits);
  expect(schema.faults(report)).toEqual([]);
  const { total, rows, sample, not_stored: notStored } = report;
  if (testVisitStore(app.database.dataSource) !== null) {
    expect(total).toMatchObject({ requests: 3_000, bytes: 3_000_000, server_time_ms: 30_000 });
    return;
  }
  expect(sample!.visits).toBe(6_000);
  expect(sample!.visits_read).toBeLessThan(3_000);
  expect(notStored).toBeNull();
  expect(rows).toHaveLength(3);
  expect(Math.abs(total.bytes! / 3_000_000 - 1)).toBeLessThan(0.1);
  expect(Math.abs(total.bytes! - total.requests * 1_000)).toBeLessThanOrEqual(1_000);
  expect(total).toMatchObject({ peak: null, p95_ms: null, repeats: null });
  const overTime = await app.nest.get(LoadService).series(body.id, series, filters, limits);
  const estimated = overTime.series.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  expect(overTime.is_estimated).toBe(true);
  expect(Math.abs(estimated / 3_000_000 - 1)).toBeLessThan(0.1);
  const { by, ...unfiltered } = completeQuery(getLoad, {});
  await app.database.dataSource.query(`DELETE FROM unknown_visits WHERE project_id = $1`, [body.id]);
  const partial = await app.nest.get(LoadService).report(body.id, series, { by, filters: unfiltered }, limits);
  expect(partial.not_stored! + partial.total.requests).toBe(6_000);
  expect(partial.not_stored).toBe(2_000);
  await app.database.dataSource.query(`DELETE FROM visits WHERE project_id = $1 AND occurred_at < $2`, [
    body.id,
    new Date(NOW - 5 * 86_400_000 + 5_100 * 60_000),
  ]);
  const recent = await app.nest.get(LoadService).report(body.id, series, { by, filters: unfiltered }, limits);
  expect(recent).toMatchObject({ sample: null, not_stored: 5_400, total: { requests: 600 } });
});

it('sums up the load over time, and only of visits that match', async () => {
  const read = async (query: string): Promise<LoadSeries> => {
    const { body } = await app.api('GET', `/projects/${project}/load-series?${query}`);
    expect(seriesSchema.faults(body)).toEqual([]);
    return body as LoadSeries;
  };
  const range = 'from=2026-11-20T23:00:00Z&to=2026-11-21T08:15:00Z';
  const { bucket, series, is_estimated: isEstimated } = await read(range);
  expect([bucket, isEstimated, series.length]).toEqual(['15m', false, 37]);
  const large = { requests: 1, bytes: 3_000_000_000, server_time_ms: 0.001 };
  const byName = (one: { operator_name: string }, other: { operator_name: string }): number =>
    one.operator_name.localeCompare(other.operator_name);
  const busy = series.filter(({ requests }) => requests > 0);
  expect(busy.map((item) => ({ ...item, operators: item.operators.toSorted(byName) }))).toEqual([
    { time: '2026-11-20T23:45:00.000Z', ...large, operators: [{ operator_name: 'OpenAI', ...large }] },
    {
      time: '2026-11-21T08:00:00.000Z',
      requests: 9,
      bytes: 3_518,
      server_time_ms: 362.5,
      operators: [
        { operator_name: 'Anthropic', requests: 3, bytes: 500, server_time_ms: 300 },
        { operator_name: 'OpenAI', requests: 3, bytes: 3_000, server_time_ms: 60.5 },
      ],
    },
  ]);
  const filtered = await read(`${range}&path=/docs/&not_result=unknown_agent`);
  expect(filtered.series.at(-1)).toMatchObject({ requests: 4, bytes: 3_000, server_time_ms: 260.5 });
  const nobody = await read(`${range}&agent=Bytespider`);
  expect(nobody.series.every(({ requests, bytes }) => requests === 0 && bytes === null)).toBe(true);
});

it('lists the groups with the most server time, even if others have more bytes', async () => {
  const { body } = await app.api('POST', '/projects', { name: 'Many pages', time_zone: 'UTC' });
  await storeVisits(app.database.dataSource, body.id, NOW, [
    ...Array.from({ length: 250 }, (_, n) => ({
      at: at('00:00'),
      ...GPTBOT,
      path: `/file-${n}.pdf`,
      ...response(9_999, 1),
    })),
    { at: at('00:00'), ...GPTBOT, path: '/search', ...response(1, 60_000) },
  ]);
  const { body: report } = await app.api('GET', `/projects/${body.id}/load?by=page`);
  expect(report.rows).toHaveLength(200);
  expect(report.rows.at(-1)).toMatchObject({ value: '/search', bytes: 1, server_time_ms: 60_000 });
});
