import type { AgentRecord } from '#libs/catalog';
import { listAgents, queryWith } from '#libs/contracts';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { AgentsRepository } from './agents.repository.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const record = (token: string): AgentRecord => ({
  token,
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: [token],
  robots_token: null,
  verification: {},
});

it('lists every token exactly once when paging, whatever its script', async () => {
  const agents = new AgentsRepository(database.dataSource);
  const tokens = ['Ámbot', 'Ébot', 'ébot-2', 'Ωbot', 'Zbot', 'abot', 'Bbot'];
  for (const token of tokens) expect(await agents.add(record(token))).toBe(true);
  const seen: string[] = [];
  for (let after = ''; seen.length <= tokens.length;) {
    const page = await agents.list(queryWith(listAgents, { limit: 1 }), after);
    seen.push(page[0]!.token);
    if (page.length === 1) break;
    after = page[0]!.token;
  }
  expect(seen.slice(0, 3)).toEqual(['abot', 'Bbot', 'Zbot']);
  expect(seen.toSorted()).toEqual(tokens.toSorted());
});

it('reports faults in patterns saved by an earlier release', async () => {
  const agents = new AgentsRepository(database.dataSource);
  const earlier = { ...record('Earlierbot'), user_agent_patterns: ['Earlierbot', '(?<!like )Earlier'] };
  await agents.add(earlier);
  const faults = [
    {
      pointer: '/user_agent_patterns/1',
      detail:
        'has a look-behind "(?<!" at position 1: leave it out and list the texts that must not come before in excluded_prefixes',
    },
  ];
  expect(await agents.list(queryWith(listAgents, { limit: 1, search: 'Earlier' }), '')).toMatchObject([
    { token: 'Earlierbot', faults },
  ]);
  // Exports omit the faults, so they can be imported again.
  expect(await agents.all(true)).toContainEqual(earlier);
});
