import { UserAgentCounts } from '#libs/access-log';
import type { AgentMatch } from '#libs/agents';
import { topAgents } from './top-agents.js';

/** Finds the agent that a user agent starts with. */
const matcher = {
  match: (userAgent: string): AgentMatch | null => {
    const token = /^(\w+)\//.exec(userAgent)?.[1];
    return token === undefined ? null : ({ agent: { token, type: 'Fetcher' } } as AgentMatch);
  },
};

function counted(...userAgents: (string | undefined)[]): UserAgentCounts {
  const counts = new UserAgentCounts();
  for (const userAgent of userAgents) counts.add(userAgent);
  return counts;
}

it('totals the counts per agent, for all remaining agents, and for unknown user agents', () => {
  const counts = counted('A/1', 'B/1', 'A/2', 'A/1', 'a person', undefined, 'C/1');
  expect(topAgents(counts, matcher, 1)).toEqual([
    { label: 'A (Fetcher)', count: 3 },
    { label: '2 other agents', count: 2 },
    { label: 'no known agent', count: 2 },
  ]);
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
