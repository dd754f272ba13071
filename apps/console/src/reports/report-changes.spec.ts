import type { News, Overview } from '#libs/contracts';
import { describeChanges } from './report-changes.js';

const change = (token: string, visits: number, before: number, causes: object[] | null = null) => ({
  kind: 'agent_change',
  agent_id: token,
  agent_token: token,
  visits,
  previous_visits: before,
  causes,
});

function list({ now = 120, before = 100, items = [] as object[] }): string[] | undefined {
  const totals = (visits: number) => ({ visits, agent_visits: visits });
  const overview = { current: totals(now), previous: totals(before) } as unknown as Overview;
  const section = describeChanges(overview, { items } as unknown as News, (path) => path);
  return section?.items.map(({ text, detail }) => (detail === '' ? text : `${text} ${detail}`));
}

it('starts with the total', () => {
  expect(list({})).toEqual(['Agent visits rose from 100 to 120 (+20%).']);
  expect(list({ now: 100 })).toEqual(['Agents made 100 visits, as many as in the period before.']);
});

it('lists errors, new agents, and the agents that changed most with their reasons', () => {
  const causes = [
    { dimension: 'network', value: '203.0.113.0/24', visits: 180, previous_visits: 10 },
    { dimension: 'page', value: '/evil.example', visits: 150, previous_visits: 0 },
  ];
  const items = [
    change('GPTBot', 300, 100, causes),
    change('Amazonbot', 0, 40),
    change('Bingbot', 20, 0),
    change('CCBot', 1, 9),
    { kind: 'new_agent', agent_id: 'x', agent_token: 'NewBot', visits: 1 },
    { kind: 'errors', status: '5xx', visits: 40, previous_visits: 2, is_sampled: false, page: '/shop' },
  ];
  expect(list({ items })?.slice(1)).toEqual([
    'Agents got status 5xx 40 times, 2 before. Mostly on /shop',
    'NewBot visited for the first time: 1 visit.',
    'GPTBot made 200 more visits (+200%). 170 more from 203.0.113.0/24; mostly /evil[.]example',
    'Amazonbot made 40 fewer visits (−100%).',
    'Bingbot made 20 visits, and none in the period before.',
  ]);
});

it('reports no changes without visits', () => expect(list({ now: 0 })).toBeUndefined());
