import { pino } from 'pino';
import { AuditOutboxRepository } from '../../apps/console/src/audit/audit-outbox.repository.js';
import { VisitChangesPublisher } from '../../apps/console/src/visit-changes/visit-changes.publisher.js';
import type { Bus, EncodedMessage, OutboundTopic } from '#libs/bus';
import { agentId } from '#libs/catalog';
import type { EnrichedVisit, VisitChange } from '#libs/contracts';
import { VisitChangesRepository } from '#libs/visit-store';
import { App, type Json } from '../kit/app.js';
import { findDeviations } from '../kit/async-api.js';
import '../kit/dispose-all.js';
import { until } from '../kit/instance.js';
import { storeVisits, type StoredVisit } from '../kit/stored-visits.js';

const NOW = Date.now();
const AT = new Date(NOW - 3_600_000).toISOString();
const ADDRESS = '203.0.113.7';
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };

let app: App;
let changes: VisitChangesRepository;
beforeAll(async () => {
  app = await App.start();
  changes = app.nest.get(VisitChangesRepository);
  await app.nest.get(AuditOutboxRepository).setEnabled(true);
});
beforeEach(() => changes.clear());

async function createProjectWithVisits(
  visits: Omit<StoredVisit, 'at'>[],
): Promise<{ id: string; visits: Map<string, Json> }> {
  const { id } = (await app.api('POST', '/projects', { name: 'Changing' })).body;
  await storeVisits(
    app.database.dataSource,
    id,
    NOW,
    visits.map((visit) => ({ at: AT, ...visit })),
  );
  return { id, visits: await timeline(id) };
}
const timeline = async (id: string): Promise<Map<string, Json>> => {
  const { visits } = (await app.api('GET', `/projects/${id}/visits?limit=100`)).body;
  return new Map(visits.map((visit: Json) => [visit.visit.request_path, visit]));
};

/** Publishes pending changes. @returns the changes as consumers decode them */
async function publishPending(): Promise<VisitChange[]> {
  const messages: EncodedMessage[] = [];
  const publish = async <T>(topic: OutboundTopic<T>, changes: T[]) =>
    void messages.push(...changes.map((change) => topic.encode(change)));
  const bus = { publish };
  const publisher = new VisitChangesPublisher(changes, bus as unknown as Bus, pino({ level: 'silent' }));
  await publisher.onApplicationBootstrap();
  await until(async () => (await countPending()) === 0, { condition: 'no changes are pending' });
  await publisher.beforeApplicationShutdown();
  expect(messages.flatMap(findDeviations)).toEqual([]);
  const read = messages.map(({ value }) => JSON.parse(value.toString()) as VisitChange);
  expect(messages.map(({ key, headers }) => [key, headers['ce_id'], headers['ce_source']])).toEqual(
    read.map(({ id, visit_id, project_id }) => [visit_id ?? project_id, id, `/projects/${project_id}`]),
  );
  return read;
}
const countPending = async (): Promise<number> =>
  (await app.database.dataSource.query('SELECT count(*)::int AS changes FROM visit_changes'))[0].changes;

it("publishes erasures without the visits' data", async () => {
  const { id, visits } = await createProjectWithVisits([
    { path: '/person', address: ADDRESS },
    { path: '/agent', address: ADDRESS, ...GPTBOT },
    { path: '/other', address: '203.0.113.8', ...GPTBOT },
  ]);
  expect((await app.api('POST', '/visits/delete', { address: ADDRESS })).body.deleted.visits).toBe(2);
  const erased = await publishPending();
  const expected = ['/person', '/agent'].map((path) => {
    const { id: visit_id, received_at, occurred_at } = visits.get(path) as unknown as EnrichedVisit;
    const common = { change: 'erased', project_id: id, visit_id, received_at, occurred_at };
    return { id: expect.any(String), changed_at: expect.any(String), ...common };
  });
  expect(erased).toHaveLength(2);
  expect(erased).toEqual(expect.arrayContaining(expected));
});

it('publishes project removals', async () => {
  const { id } = await createProjectWithVisits([{ path: '/', ...GPTBOT }]);
  expect((await app.api('DELETE', `/projects/${id}`)).status).toBe(204);
  const removed = { change: 'project_removed', project_id: id, visit_id: null, received_at: null, occurred_at: null };
  expect(await publishPending()).toEqual([expect.objectContaining(removed)]);
});

it('publishes re-identified visits, or erasures if the project only counts unknown visitors', async () => {
  const headers = { 'user-agent': 'Newcomer7Bot/1.0' };
  const { id } = await createProjectWithVisits([{ path: '/new', headers }]);
  const REST = { operator: null, url: null, robots_token: null, verification: {} };
  const agent = { token: 'Newcomer7Bot', type: 'Scraper', user_agent_patterns: ['Newcomer7Bot'], ...REST };
  const sample_user_agents = ['Newcomer7Bot/1.0'];
  expect((await app.api('POST', '/agents', { ...agent, sample_user_agents })).status).toBe(201);
  await identifyAgain(id);
  const now = (await timeline(id)).get('/new')!;
  const [change, ...others] = await publishPending();
  expect(others).toEqual([]);
  expect(change).toMatchObject({ change: 'reidentified', visit_id: now.id, received_at: now.received_at });
  expect(change!.enriched_visit).toMatchObject({
    id: now.id,
    identification: { agent_token: 'Newcomer7Bot' },
    reidentified: { earlier: { identification: { agent_token: null } } },
  });

  await app.api('PATCH', `/projects/${id}`, { unknown_visitors: 'counted' });
  expect((await app.api('DELETE', `/agents/${agentId('Newcomer7Bot')}`)).status).toBe(204);
  await identifyAgain(id);
  expect(await publishPending()).toMatchObject([{ change: 'erased', visit_id: now.id, occurred_at: now.occurred_at }]);
});

async function identifyAgain(projectId: string): Promise<void> {
  const url = `/projects/${projectId}/reidentifications`;
  const RANGE = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  const { id } = (await app.api('POST', url, RANGE)).body;
  const reached = (state: string) =>
    until(async () => (await app.api('GET', `${url}/${id}`)).body.state === state, { condition: state });
  await reached('previewed');
  await app.api('PATCH', `${url}/${id}`, { action: 'apply' });
  await reached('applied');
}

it('retries publishing with the same change IDs', async () => {
  await createProjectWithVisits([{ path: '/a', address: '203.0.113.20' }]);
  await app.api('POST', '/visits/delete', { address: '203.0.113.20' });
  const ids: string[][] = [];
  const rejectPublish = (sent: readonly VisitChange[]) => {
    ids.push(sent.map(({ id }) => id));
    return Promise.reject(new Error('Kafka is away'));
  };
  await expect(changes.publishOldest(rejectPublish)).rejects.toThrow('Kafka is away');
  await expect(changes.publishOldest(rejectPublish)).rejects.toThrow('Kafka is away');
  expect(ids[0]).toHaveLength(1);
  expect(ids[1]).toEqual(ids[0]);
  expect((await publishPending()).map(({ id }) => id)).toEqual(ids[0]);
});

it('records no changes without Kafka', async () => {
  const outbox = app.nest.get(AuditOutboxRepository);
  await outbox.setEnabled(false);
  const { id } = await createProjectWithVisits([{ path: '/a', address: '203.0.113.30' }]);
  await app.api('POST', '/visits/delete', { address: '203.0.113.30' });
  await app.api('DELETE', `/projects/${id}`);
  expect(await countPending()).toBe(0);
  await outbox.setEnabled(true);
});
