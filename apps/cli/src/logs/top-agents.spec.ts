import { UserAgentCounts } from '#libs/access-log';
import type { AgentMatch } from '#libs/agents';
import { topAgents } from './top-agents.js';

/** Matches the product token at the start of a user agent. */
const matcher = {
  match: (userAgent: string): AgentMatch | null => {
    const token = /^(\w+)\//.exec(userAgent)?.[1];
    return token === undefined ? null : ({ agent: { token, type: 'Fetcher' } } as AgentMatch);
  },
};

function countUserAgents(...userAgents: (string | undefined)[]): UserAgentCounts {
  const counts = new UserAgentCounts();
  for (const userAgent of userAgents) counts.add(userAgent);
  return counts;
}

it('counts visits for the top agents, for all other agents, and for unknown user agents', () => {
  const counts = countUserAgents('A/1', 'B/1', 'A/2', 'A/1', 'a person', undefined, 'C/1');
  expect(topAgents(counts, matcher, 1)).toEqual([
    { label: 'A (Fetcher)', count: 3 },
    { label: '2 other agents', count: 2 },
    { label: 'no known agent', count: 2 },
  ]);
});

it('limits the number of distinct user agents it counts', () => {
  const counts = new UserAgentCounts(2);
  for (const userAgent of ['a', 'b', 'c', 'b', undefined]) counts.add(userAgent);
  expect(counts.top(10)).toEqual([
    { userAgent: 'b', count: 2 },
    { userAgent: 'a', count: 1 },
  ]);
  expect([counts.uncounted, counts.total]).toEqual([2, 5]);
});
