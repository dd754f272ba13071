import { listSeenAgents, SeenAgentsSchema, validator } from '#libs/contracts';
import { App, type Json } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { Person } from '../../../../test/kit/person.js';
import { storeVisits, rollUpCounts, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { createMember, PASSWORD } from '../../../../test/kit/tenant.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
const GOOGLEBOT = { agent: 'Googlebot', type: 'Search Engine Crawler', operator: 'Google' };

it('counts visits in the last 30 days to projects that the caller can read', async () => {
  const app = await App.start({ clock: () => NOW });
  const admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  const createProject = async (name: string) => {
    const { id } = (await app.api('POST', '/projects', { name })).body as { id: string };
    return { id, owner: await createMember(admin, id, 'owner') };
  };
  const [ours, theirs, empty] = [
    await createProject('Ours'),
    await createProject('Theirs'),
    await createProject('Empty'),
  ];
  const store = (id: string, visits: StoredVisit[]) => storeVisits(app.database.dataSource, id, NOW, visits);
  const repeatVisit = (count: number, at: string, visit: object): StoredVisit[] =>
    Array.from({ length: count }, () => ({ at, ...visit }));
  await store(ours.id, [
    ...repeatVisit(2, '2026-11-21T08:00Z', GPTBOT),
    ...repeatVisit(3, '2026-10-23T00:00Z', GPTBOT),
    ...repeatVisit(7, '2026-10-22T23:59Z', GPTBOT),
    ...repeatVisit(4, '2026-11-20T08:00Z', {}),
  ]);
  await store(theirs.id, [
    ...repeatVisit(5, '2026-11-20T08:00Z', GOOGLEBOT),
    ...repeatVisit(1, '2026-11-20T08:00Z', GPTBOT),
  ]);

  const getSeenAgents = async (person: Person): Promise<Json> => {
    const { status, body } = await person.call('GET', listSeenAgents.path.replace('/api', ''));
    expect(status).toBe(200);
    expect(validator(SeenAgentsSchema).faults(body)).toEqual([]);
    expect(body.from).toBe('2026-10-23T00:00:00.000Z');
    expect(body.agents.length).toBeGreaterThan(1_000);
    return Object.fromEntries(
      body.agents.filter(({ visits }: Json) => visits > 0).map((agent: Json) => [agent.agent_token, agent.visits]),
    );
  };
  for (const rolledUpTo of [0, NOW - 12 * 3_600_000, NOW + 86_400_000]) {
    await rollUpCounts(app.database.dataSource, rolledUpTo);
    expect(await getSeenAgents(ours.owner)).toEqual({ GPTBot: 5 });
    expect(await getSeenAgents(theirs.owner)).toEqual({ Googlebot: 5, GPTBot: 1 });
    expect(await getSeenAgents(empty.owner)).toEqual({});
    const all = await getSeenAgents(admin);
    expect(Object.entries(all)).toEqual([
      ['GPTBot', 6],
      ['Googlebot', 5],
    ]);
  }

  // In Berlin, the days start an hour or two before they do in UTC. In New York, they start later.
  const getCount = async (timeZone: string): Promise<number> => {
    await app.api('PATCH', `/projects/${ours.id}`, { time_zone: timeZone });
    const { body } = await ours.owner.call('GET', listSeenAgents.path.replace('/api', ''));
    return body.agents[0].visits;
  };
  expect(await getCount('Europe/Berlin')).toBe(12);
  expect(await getCount('America/New_York')).toBe(2);

  const { key } = (await app.api('POST', '/api-keys', { project_ids: [theirs.id] })).body;
  const limited = await app.send('GET', listSeenAgents.path, undefined, { authorization: `Bearer ${key}` });
  const [first] = limited.body.agents;
  expect(first).toMatchObject({
    agent_token: 'Googlebot',
    agent_type_name: 'Search Engine Crawler',
    origin: 'bundled',
    is_edited: false,
    visits: 5,
    projects: [{ project_id: theirs.id, visits: 5 }],
  });
  expect(first.methods).toContain('reverse_dns');
});
