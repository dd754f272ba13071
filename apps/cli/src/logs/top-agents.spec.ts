import { topAgents, type Identification } from './top-agents.js';
import { UserAgentCounts } from './user-agent-counts.js';

const identify = async (
  items: { id: string; request_headers: Record<string, string> }[],
): Promise<Identification[]> => {
  expect(items.length).toBeLessThanOrEqual(1_000);
  return items.map(({ id, request_headers }) => {
    const [, token] = /^(\w+)\//.exec(request_headers['user-agent']!) ?? [];
    return token === undefined ? { id } : { id, agent_token: token, agent_type_name: 'Fetcher' };
  });
};

function counted(...userAgents: (string | undefined)[]): UserAgentCounts {
  const counts = new UserAgentCounts();
  for (const userAgent of userAgents) counts.add(userAgent);
  return counts;
}

it('adds up the user agents of an agent, and the rest', async () => {
  const counts = counted('A/1', 'B/1', 'A/2', 'A/1', 'a person', undefined, 'C/1');
  expect(await topAgents(counts, identify, 1)).toEqual([
    { label: 'A (Fetcher)', count: 3 },
    { label: '2 other agents', count: 2 },
    { label: 'no known agent', count: 2 },
  ]);
});

it('asks in batches', async () => {
  const counts = counted(...Array.from({ length: 2_500 }, (_, index) => `Bot/${index}`));
  expect(await topAgents(counts, identify, 5)).toEqual([{ label: 'Bot (Fetcher)', count: 2_500 }]);
});

it('counts in bounded memory', () => {
  const counts = new UserAgentCounts(2);
  for (const userAgent of ['a', 'b', 'c', 'b', undefined]) counts.add(userAgent);
  expect(counts.top(10)).toEqual([
    { userAgent: 'b', count: 2 },
    { userAgent: 'a', count: 1 },
  ]);
  expect([counts.uncounted, counts.total]).toEqual([2, 5]);
});
