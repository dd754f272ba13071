import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { InstanceClient } from '../../apps/cli/src/client.js';
import { removeDemo, seedDemo } from '../../apps/cli/src/demo/seed-demo.js';
import { LOGGER } from '#libs/platform';
import { DemoPublisher } from '../../apps/console/src/demo/demo-publisher.js';
import { DemoRepository } from '../../apps/console/src/demo/demo.repository.js';
import { LiveDemoService } from '../../apps/console/src/demo/live-demo.service.js';
import { ProjectsRepository } from '../../apps/console/src/projects/projects.repository.js';
import { App, type Json } from '../kit/app.js';
import { until } from '../kit/instance.js';
import '../kit/dispose-all.js';

const DAY_MS = 86_400_000;

let app: App;
beforeAll(async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  app = await App.start();
  await app.nest.listen(0, '127.0.0.1');
});
afterAll(() => app?.dispose());

const createClient = (): InstanceClient => {
  const { port } = app.nest.getHttpServer().address() as AddressInfo;
  return new InstanceClient(`http://127.0.0.1:${port}`, app.apiKey);
};

it('loads demo visits into a separate project only once, and can remove them', async () => {
  const client = createClient();
  // A real project with the same name and address as the demo project.
  const settings = { name: 'Demo shop', site_address: 'https://demo-shop.example' };
  const { body: other } = await app.api('POST', '/projects', settings);
  const seed = () => seedDemo(client, { days: 2, seed: 3, live: false }, new AbortController().signal);
  const now = Date.now();

  const { projectId, visits } = await seed();
  expect(projectId).not.toBe(other.id);
  const { body: project } = await app.api('GET', `/projects/${projectId}`);
  expect(project).toMatchObject({ name: 'Demo shop', is_demo: true });
  expect(other.is_demo).toBe(false);
  const overview = async (): Promise<Json> => {
    const from = new Date(now - 4 * DAY_MS).toISOString();
    return (await app.api('GET', `/projects/${projectId}/overview?from=${from}`)).body;
  };
  const { current } = await overview();
  expect(current.visits).toBe(visits);
  expect(visits).toBeGreaterThan(2_000);
  for (const result of ['verified', 'verification_failed', 'not_verifiable', 'unknown_agent']) {
    expect([result, current[result] > 10]).toEqual([result, true]);
  }
  // The newest demo visits are from the last complete quarter-hour.
  const { body: newest } = await app.api('GET', `/projects/${projectId}/visits?limit=1`);
  expect(now - Date.parse(newest.visits[0].occurred_at)).toBeLessThan(2 * 900_000);
  const { body: mcp } = await app.api('GET', `/projects/${projectId}/visits?mcp_tool=search_products`);
  expect(mcp.visits.length).toBeGreaterThan(3);

  const since = new Date(now - 4 * DAY_MS).toISOString();
  const { body: compliance } = await app.api('GET', `/projects/${projectId}/compliance?from=${since}`);
  const scrapy = compliance.agents.find(({ agent_token: token }: Json) => token === 'Scrapy');
  const scrapyPath = `/projects/${projectId}/compliance/${scrapy.agent_id}?from=${since}`;
  const { body: scrapyCompliance } = await app.api('GET', scrapyPath);
  expect(scrapyCompliance.lines[0]).toMatchObject({ text: 'Disallow: /' });
  expect(scrapy.disallowed_served + scrapy.disallowed_forbidden).toBeGreaterThan(2);
  expect(compliance.totals).toMatchObject({ unknown: 0, unreachable: 0, no_rules: 0 });
  expect(compliance.totals.allowed).toBeGreaterThan(10 * compliance.totals.disallowed);
  expect(compliance.files.length).toBeGreaterThan(3);

  const { body: coverage } = await app.api('GET', `/projects/${projectId}/coverage`);
  const guides = coverage.folders.find(({ folder }: Json) => folder === '/guides/');
  expect(guides).toMatchObject({ pages: 6, agents: [] });

  const { rules } = (await app.api('GET', `/projects/${projectId}/policy`)).body;
  const { body: forecast } = await app.api('POST', `/projects/${projectId}/policy-trials`, { rules, days: 4 });
  expect(forecast.rules).toHaveLength(7);
  for (const { outcomes } of forecast.rules)
    expect(outcomes.slowed + outcomes.refused + outcomes.charged).toBeGreaterThan(0);

  const { body: decisions } = await app.api('GET', `/projects/${projectId}/policy/counts?days=7`);
  const outcomes = new Set(decisions.counts.map(({ mode, outcome }: Json) => `${mode} ${outcome}`));
  expect(outcomes).toEqual(
    new Set([
      'live allowed',
      'live slowed',
      'live charged',
      'live refused',
      'dry_run allowed',
      'dry_run slowed',
      'dry_run refused',
    ]),
  );

  await expect(seed()).rejects.toThrow('The demo data is already loaded. Delete the demo project to load it again.');
  expect((await overview()).current.visits).toBe(visits);

  expect(await removeDemo(client)).toBe(true);
  expect((await app.api('GET', '/demo')).body).toEqual({ state: 'absent', project_id: null, visits: 0, done: 0 });
  expect(await removeDemo(client)).toBe(false);
  expect((await app.api('GET', `/projects/${other.id}`)).status).toBe(200);
});

it('reports progress, and stops loading when the project is deleted', async () => {
  const { status, body: started } = await app.api('POST', '/demo', { days: 90, time_zone: 'Europe/Berlin' });
  expect(status).toBe(202);
  expect(started).toMatchObject({ state: 'loading', done: 0 });
  const { body: project } = await app.api('GET', `/projects/${started.project_id}`);
  expect(project.time_zone).toBe('Europe/Berlin');
  const inFlight = await until(
    async () => {
      const { body } = await app.api('GET', '/demo');
      return body.visits > 0 && body;
    },
    { condition: 'some visits are loaded' },
  );
  expect(inFlight.state).toBe('loading');
  expect(inFlight.done).toBeLessThan(1);
  expect((await app.api('DELETE', `/projects/${started.project_id}`)).status).toBe(204);
  expect((await app.api('GET', '/demo')).body.state).toBe('absent');
  const again = await app.api('POST', '/demo', { days: 1 });
  expect([again.status, again.body.project_id === started.project_id]).toEqual([202, false]);
  await until(async () => (await app.api('GET', '/demo')).body.state === 'loaded', { condition: 'a day is loaded' });
});

it('allows removing and reloading demo data if the process exited before storing any visits', async () => {
  const getDemoState = async (): Promise<Json> => (await app.api('GET', '/demo')).body;
  await removeDemo(createClient());
  const settings = { name: 'Demo shop', host_names: [] };
  const { id } = (await app.nest
    .get(ProjectsRepository)
    .createDemo(settings as never, null, { seed: 1, isLive: true }))!;
  expect(await getDemoState()).toEqual({ state: 'loading', project_id: id, visits: 0, done: 0 });
  await app.database.dataSource.query(`UPDATE demo_loads SET updated_at = now() - interval '2 minutes'`);
  expect(await getDemoState()).toMatchObject({ state: 'failed', visits: 0 });
  expect(await removeDemo(createClient())).toBe(true);
  expect((await app.api('POST', '/demo', { days: 1 })).status).toBe(202);
});

it('rejects an unknown time zone', async () => {
  const { status, body } = await app.api('POST', '/demo', { time_zone: 'Europe/Nowhere' });
  expect([status, body.errors[0].pointer]).toEqual([422, '/time_zone']);
});

describe('new demo visits', () => {
  const HOUR_MS = 3_600_000;
  const query = (sql: string): Promise<Json[]> => app.database.dataSource.query(sql);
  const countVisits = async (): Promise<Json> => {
    const [row] = await query(`SELECT count(*)::integer AS visits, count(DISTINCT occurred_at)::integer AS times,
      min(occurred_at) AS first, max(occurred_at) AS last FROM visits v JOIN projects p ON p.id = v.project_id
      WHERE p.is_demo`);
    return row;
  };
  const rewind = (interval: string): Promise<unknown> =>
    query(
      `UPDATE demo_loads SET published_until = now() - interval '${interval}', pending_until = NULL, pending_batch_id = NULL`,
    );

  let live: LiveDemoService;

  beforeAll(async () => {
    // The periodic rounds would interfere.
    await app.nest.get(LiveDemoService).beforeApplicationShutdown();
    live = new LiveDemoService(
      app.nest.get(DemoRepository),
      app.nest.get(DemoPublisher),
      Date.now,
      app.nest.get(LOGGER),
    );
    await removeDemo(createClient());
    await seedDemo(createClient(), { days: 1, seed: 3 }, new AbortController().signal);
  });

  it('continue from where loading ended, without a gap or duplicates', async () => {
    await query(`DELETE FROM visits`);
    await rewind('5 hours');
    // Two processes that add visits share the batches in any ratio.
    const [batches, otherBatches] = await Promise.all([countBatches(live), countBatches(live)]);
    expect(batches + otherBatches).toBeGreaterThanOrEqual(5);
    const { visits, times, first, last } = await until(
      async () => {
        const counted = await countVisits();
        return counted.last > new Date(Date.now() - HOUR_MS) && counted;
      },
      { condition: 'the visits are stored' },
    );
    expect(visits).toBeGreaterThan(100);
    // Times have milliseconds, so nearly all visits have a different one.
    expect(visits - times).toBeLessThan(visits / 50);
    expect(Date.now() - Date.parse(first)).toBeGreaterThan(4.5 * HOUR_MS);
    expect(Date.now() - Date.parse(last)).toBeLessThan(HOUR_MS);
    expect(await live.addVisits()).toBe(false);
  });

  it('are stored once if a process stops after publishing them', async () => {
    const repository = app.nest.get(DemoRepository);
    await query(`DELETE FROM visits`);
    await rewind('50 minutes');
    const finish = jest.spyOn(repository, 'finishBatch').mockRejectedValueOnce(new Error('stopped'));
    await expect(live.addVisits()).rejects.toThrow('stopped');
    finish.mockRestore();
    const before = await until(async () => (await countVisits()).visits, { condition: 'visits are stored' });
    expect(await live.addVisits()).toBe(true);
    expect((await countVisits()).visits).toBe(before);
  });

  it("aren't added if the demo isn't live", async () => {
    await query(`UPDATE demo_loads SET is_live = false`);
    await rewind('1 hour');
    expect(await live.addVisits()).toBe(false);
  });
});

async function countBatches(live: LiveDemoService): Promise<number> {
  let count = 0;
  while (await live.addVisits()) count += 1;
  return count;
}
