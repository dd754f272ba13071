import { describeChanges } from './report-changes.js';
import type { ReportData } from './report-data.js';

const change = (token: string, visits: number, before: number, causes: object[] | null = null) => ({
  kind: 'agent_change',
  agent_id: token,
  agent_token: token,
  visits,
  previous_visits: before,
  causes,
});

function list({ now = 120, before = 100, items = [] as object[], data = {}, current = {} }): string[] | undefined {
  const totals = (visits: number) => ({ visits, agent_visits: visits, verified: visits, verification_failed: 0 });
  const overview = { current: { ...totals(now), ...current }, previous: totals(before) };
  const reportData = {
    overview,
    news: { items },
    referrals: null,
    compliance: null,
    previousCompliance: null,
    ...data,
  };
  const section = describeChanges(reportData as unknown as ReportData, (path) => path);
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
    {
      kind: 'errors',
      status: '5xx',
      visits: 40,
      previous_visits: 2,
      is_sampled: false,
      page: '/shop',
      page_visits: 30,
    },
    { kind: 'errors', status: '4xx', visits: 142, previous_visits: 0, is_sampled: false, page: '/', page_visits: 14 },
  ];
  expect(list({ items })?.slice(1)).toEqual([
    'Agents got 40 server errors (5xx), up from 2. Mostly on /shop',
    'Agents got 142 client errors (4xx), up from none. Most often on / (14)',
    'NewBot visited for the first time: 1 visit.',
    'GPTBot made 200 more visits (+200%). 170 more from 203.0.113.0/24; mostly /evil[.]example',
    'Amazonbot made 40 fewer visits (−100%).',
    'Bingbot made 20 visits, and none in the period before.',
  ]);
});

it('lists the figures that changed by a lot, largest change first', () => {
  const data = {
    referrals: { referrals: 63, previous_referrals: 100 },
    compliance: { totals: { disallowed: 64 } },
    previousCompliance: { totals: { disallowed: 17 } },
  };
  expect(list({ data, current: { verified: 90, verification_failed: 12 } })).toEqual([
    'Visits that failed verification rose from 0 to 12 (new).',
    'Disallowed requests rose from 17 to 64 (+276%).',
    'Agent visits rose from 100 to 120 (+20%).',
    'The verified share fell from 100% to 75% (−25 points).',
  ]);
});

it('starts with the network behind a rise', () => {
  const agents = ['Googlebot', 'GPTBot', 'ClaudeBot', 'bingbot'].map((token) => ({
    agent_id: token,
    agent_token: token,
  }));
  const network = {
    kind: 'impersonation',
    network: '203.0.113.0/24',
    visits: 60,
    spoofed: 40,
    previous_visits: 0,
    agents,
  };
  expect(list({ now: 200, items: [network], data: { isCompared: true } })).toEqual([
    '203.0.113.0/24 made 60 visits posing as Googlebot, GPTBot, and 2 others.',
    'Agent visits rose from 100 to 200 (+100%).',
  ]);
  expect(list({ now: 300, items: [network], data: { isCompared: true } })).toHaveLength(1);
});

it('explains a fall by visits that fail verification', () => {
  const count = (spoofed: number) => ({ totals: { disallowed: 0 }, agents: [{ agent_id: 'Amazonbot', spoofed }] });
  const causes = [{ dimension: 'status', value: '403', visits: 28, previous_visits: 0 }];
  const explain = (previousCompliance: object | null) =>
    list({
      items: [change('Amazonbot', 0, 28, causes)],
      data: { compliance: count(38), previousCompliance },
    })?.[1];
  expect(explain(count(2))).toBe(
    'Amazonbot made 28 fewer visits (−100%). 36 more visits under its name failed verification',
  );
  expect(explain(count(38))).toMatch(/403/);
  expect(explain(null)).toMatch(/403/);
});

it('reports no changes without visits', () => expect(list({ now: 0 })).toBeUndefined());
