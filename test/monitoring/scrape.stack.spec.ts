import { execFile } from 'node:child_process';
import { Client, visit } from '../kit/client.js';
import { Deployment } from '../kit/deployment.js';
import { until } from '../kit/instance.js';
import { StreamReader } from '../kit/stream.js';
import { findCommand } from '../stack/packages.ts';
import { Prometheus } from '../stack/prometheus.ts';
import { namedIn, readQueries, type Query } from './queries.js';

const SERVICES = ['catalog', 'console', 'enrichment', 'gateway', 'ingest', 'rules'];
/** Panels that stay empty here: nothing fails, nothing is fetched and nothing can be verified. */
const NOTHING_TO_SHOW = new Set([
  'pipeline: Faults of readiness',
  'identity: Age of the oldest list and key directory',
  'identity: Results, by method',
]);

let deployment: Deployment;
let prometheus: Prometheus;

beforeAll(async () => {
  deployment = await Deployment.start();
  prometheus = await Prometheus.start(deployment.stack, { intervalSeconds: 1 });
}, 180_000);
afterAll(async () => {
  await prometheus?.stop();
  await deployment?.dispose();
});

it('evaluates every alert and scrapes every service', async () => {
  expect(await prometheus.untilRulesEvaluated()).toBeGreaterThan(20);
  await until(async () => (await prometheus.query('up == 1')).length === SERVICES.length, {
    what: 'every service is scraped',
  });
  expect((await prometheus.query('up == 1')).map(({ metric }) => metric['job']).toSorted()).toEqual(SERVICES);
});

it('answers every dashboard and alert query with metrics the services export', async () => {
  const known = await prometheus.metrics();
  const isKnown = (name: string): boolean =>
    name === 'up' || known.has(name) || known.has(name.replace(/_(bucket|sum|count)$/, ''));
  const queries = readQueries();
  const named = queries.flatMap(({ expr }) => namedIn(expr).map(({ metric }) => metric));
  expect(named.filter((metric) => !isKnown(metric))).toEqual([]);
  // Rates need two scrapes. Alert queries return nothing while all is well, so only panels are checked.
  const panels = queries.filter(({ from }) => from.includes(':'));
  let empty: string[] = [];
  await until(
    async () => {
      await causeTraffic(deployment.client);
      empty = await panelsWithout(panels);
      return empty.length === 0;
    },
    { what: 'every panel shows what there are series of', within: 90_000, explain: () => empty.join('\n') },
  );
  for (const { expr } of queries) await prometheus.query(expr);
  // Services that only query the catalog service export no revision, so they don't look out of date.
  const users = (await prometheus.query('agent_traffic_catalog_revision')).map(({ metric }) => metric['job']);
  expect(users).toEqual(expect.not.arrayContaining(['gateway']));
  expect(users).toEqual(expect.arrayContaining(['catalog', 'enrichment']));
  expect((await prometheus.alerts()).filter(({ state }) => state === 'firing')).toEqual([]);
});

/** Panels that are empty although their metrics have series. */
async function panelsWithout(panels: readonly Query[]): Promise<string[]> {
  const empty: string[] = [];
  for (const { from, expr } of panels) {
    if (NOTHING_TO_SHOW.has(from) || (await prometheus.query(expr)).length > 0) continue;
    const series = await Promise.all(namedIn(expr).map(({ metric }) => prometheus.query(metric)));
    if (series.every((found) => found.length > 0)) empty.push(from);
  }
  return empty;
}

it("exports metrics that pass promtool's check", async () => {
  const promtool = (await findCommand('promtool'))!;
  for (const name of SERVICES) {
    const scrape = await (await fetch(`${deployment.stack.url(name)}/metrics`)).text();
    const complaints = await new Promise<string>((resolve) => {
      const child = execFile(promtool, ['check', 'metrics'], (_error, stdout, stderr) => resolve(stdout + stderr));
      child.stdin!.end(scrape);
    });
    // Node.js metrics come from prom-client.
    expect([name, complaints.split('\n').filter((line) => line.startsWith('agent_traffic'))]).toEqual([name, []]);
  }
});

async function causeTraffic(client: Client): Promise<void> {
  const reader = new Client({ ...client.target, url: deployment.stack.url('console') });
  const stream = await StreamReader.open(reader, await client.projectId());
  for (let round = 0; round < 3; round += 1) {
    expect((await client.post('/visits', [visit(`/a/${round}`), visit(`/b/${round}`)])).status).toBe(204);
    await client.post('/agent-identifications', { request_headers: { 'user-agent': 'Googlebot/2.1' } });
    await client.post('/visits', 'not JSON');
  }
  await until(() => stream.documents.length > 0, { what: 'the stream has a visit' });
  stream.close();
}
