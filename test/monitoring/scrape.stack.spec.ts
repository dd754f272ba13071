import { execFile } from 'node:child_process';
import { Client, visit } from '../kit/client.js';
import { Deployment } from '../kit/deployment.js';
import { until } from '../kit/instance.js';
import { StreamReader } from '../kit/stream.js';
import { findCommand } from '../stack/packages.ts';
import { Prometheus } from '../stack/prometheus.ts';
import { extractMetrics, readQueries, type Query } from './queries.js';

const SERVICES = ['catalog', 'console', 'enrichment', 'gateway', 'ingest', 'rules'];
/** Panels that stay empty in this deployment, because it has no faults, fetches or verifiable agents. */
const EMPTY_PANELS = new Set([
  'pipeline: Readiness faults',
  'identity: Age of the oldest address list and key directory',
  'identity: Identification results by method',
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
  expect(await prometheus.waitForRules()).toBeGreaterThan(20);
  await until(async () => (await prometheus.query('up == 1')).length === SERVICES.length, {
    condition: 'every service is scraped',
  });
  expect((await prometheus.query('up == 1')).map(({ metric }) => metric['job']).toSorted()).toEqual(SERVICES);
});

it('exports every metric that dashboards and alerts query', async () => {
  const exportedMetrics = await prometheus.metricNames();
  const isExported = (name: string): boolean =>
    name === 'up' || exportedMetrics.has(name) || exportedMetrics.has(name.replace(/_(bucket|sum|count)$/, ''));
  const queries = readQueries();
  const queriedMetrics = queries.flatMap(({ expr }) => extractMetrics(expr).map(({ metric }) => metric));
  expect(queriedMetrics.filter((metric) => !isExported(metric))).toEqual([]);
  // Only check panels, because alert queries return no series in a healthy system. Retry, because rates need two
  // scrapes.
  const panels = queries.filter(({ source }) => source.includes(':'));
  let emptyPanels: string[] = [];
  await until(
    async () => {
      await causeTraffic(deployment.client);
      emptyPanels = await findEmptyPanels(panels);
      return emptyPanels.length === 0;
    },
    {
      condition: 'every panel whose metrics have series shows data',
      timeoutMs: 90_000,
      explain: () => emptyPanels.join('\n'),
    },
  );
  for (const { expr } of queries) await prometheus.query(expr);
  // Services that only query the catalog service export no revision, so they don't look out of date.
  const catalogUsers = (await prometheus.query('agent_traffic_catalog_revision')).map(({ metric }) => metric['job']);
  expect(catalogUsers).toEqual(expect.not.arrayContaining(['console']));
  expect(catalogUsers).toEqual(expect.arrayContaining(['catalog', 'enrichment', 'gateway']));
  expect((await prometheus.alerts()).filter(({ state }) => state === 'firing')).toEqual([]);
});

/** Returns the panels that are empty although their metrics have series. */
async function findEmptyPanels(panels: readonly Query[]): Promise<string[]> {
  const emptyPanels: string[] = [];
  for (const { source, expr } of panels) {
    if (EMPTY_PANELS.has(source) || (await prometheus.query(expr)).length > 0) continue;
    const series = await Promise.all(extractMetrics(expr).map(({ metric }) => prometheus.query(metric)));
    if (series.every((found) => found.length > 0)) emptyPanels.push(source);
  }
  return emptyPanels;
}

it("exports metrics that pass promtool's check", async () => {
  const promtool = (await findCommand('promtool'))!;
  for (const name of SERVICES) {
    const scrape = await (await fetch(`${deployment.stack.url(name)}/metrics`)).text();
    const warnings = await new Promise<string>((resolve) => {
      const child = execFile(promtool, ['check', 'metrics'], (_error, stdout, stderr) => resolve(stdout + stderr));
      child.stdin!.end(scrape);
    });
    // Ignores the Node.js metrics, which prom-client defines.
    expect([name, warnings.split('\n').filter((line) => line.startsWith('agent_traffic'))]).toEqual([name, []]);
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
  await until(() => stream.documents.length > 0, { condition: 'the stream delivers a visit' });
  stream.close();
}
