import type { AgentRecord } from '#libs/catalog';
import { listAgents, completeQuery } from '#libs/contracts';
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

it('returns each token exactly once across pages, including non-ASCII tokens', async () => {
  const agents = new AgentsRepository(database.dataSource);
  const tokens = ['Ámbot', 'Ébot', 'ébot-2', 'Ωbot', 'Zbot', 'abot', 'Bbot'];
  for (const token of tokens) expect(await agents.add(record(token))).toBe(true);
  const seen: string[] = [];
  for (let after = ''; seen.length <= tokens.length;) {
    const page = await agents.list(completeQuery(listAgents, { limit: 1 }), after);
    seen.push(page[0]!.token);
    if (page.length === 1) break;
    after = page[0]!.token;
  }
  expect(seen.slice(0, 3)).toEqual(['abot', 'Bbot', 'Zbot']);
  expect(seen.toSorted()).toEqual(tokens.toSorted());
});

it('reports faults in patterns stored by an earlier release', async () => {
  const agents = new AgentsRepository(database.dataSource);
  const earlier = { ...record('Earlierbot'), user_agent_patterns: ['Earlierbot', '(?<!like )Earlier'] };
  await agents.add(earlier);
  const faults = [
    {
      pointer: '/user_agent_patterns/1',
      detail: 'has a look-behind "(?<!" at position 1: remove it and list the prefixes in excluded_prefixes',
    },
  ];
  expect(await agents.list(completeQuery(listAgents, { limit: 1, search: 'Earlier' }), '')).toMatchObject([
    { token: 'Earlierbot', faults },
  ]);
  // Exports leave out the faults, so that an export can be imported again.
  expect(await agents.all(true)).toContainEqual(earlier);
});
