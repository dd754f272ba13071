import type { Overview } from '#libs/contracts';
import { listChanges } from './report-changes.js';

const agent = (token: string, visits: number, before: number) => ({
  agent_id: token,
  agent_token: token,
  visits,
  previous_visits: before,
});

function list({ now = 120, before = 100, spoofed = [0, 0], agents = [] as object[] }): string[] {
  const totals = (visits: number, failed: number) => ({ visits, agent_visits: visits, verification_failed: failed });
  const overview = {
    current: totals(now, spoofed[0]!),
    previous: totals(before, spoofed[1]!),
    top_agents: agents,
  } as unknown as Overview;
  return listChanges(overview, (path) => path).map(({ text }) => text);
}

it('starts with the total and then spoofed visits that increased', () => {
  expect(list({ spoofed: [20, 5] })).toEqual([
    'Agent visits rose from 100 to 120 (+20%).',
    '20 visits failed verification, up from 5.',
  ]);
  expect(list({ now: 100, spoofed: [5, 20] })).toEqual(['Agents made 100 visits, as many as in the period before.']);
});

it('names the agents that changed most, and new ones', () => {
  const agents = [
    agent('GPTBot', 300, 100),
    agent('CCBot', 50, 54),
    agent('Bingbot', 20, 0),
    agent('Amazonbot', 0, 40),
  ];
  expect(list({ agents }).slice(1)).toEqual([
    'GPTBot made 200 more visits (+200%).',
    'Amazonbot made 40 fewer visits (−100%).',
    'Bingbot made 20 visits, and none in the period before.',
  ]);
});

it('reports no changes without earlier data', () => expect(list({ before: 0 })).toEqual([]));
