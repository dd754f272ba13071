import type { NewsItem } from '../../api/statistics.js';
import { commonRiseText, newsText } from './news-text.js';

const agent = { agent_id: 'id', agent_token: 'GPTBot', agent_type_name: null, operator_name: null };
const change = (visits: number, previous: number): NewsItem => ({
  kind: 'agent_change',
  ...agent,
  visits,
  previous_visits: previous,
  causes: null,
});
const errors = {
  kind: 'errors',
  status: '5xx',
  visits: 320,
  agent_visits: 8_000,
  previous_visits: 12,
  previous_agent_visits: 7_000,
  page: '/checkout',
  page_visits: 200,
  is_sampled: false,
  period: null,
  outage: null,
} as const;
const period = { from: '2026-11-22T22:00:00Z', to: '2026-11-23T01:00:00Z', visits: 320 };
const gap = { expected_visits: 90, days_before: 1 };
const spoofing = {
  kind: 'spoofing',
  ...agent,
  networks: 1,
  network: '203.0.113.0/24',
  visits: 34,
  reason: 'address_not_listed',
} as const;

const impersonation = (spoofed: number, ...tokens: string[]): NewsItem => ({
  kind: 'impersonation',
  network: '203.0.113.0/24',
  visits: 550,
  spoofed,
  previous_visits: 0,
  agents: tokens.map((token) => ({ ...agent, agent_token: token, visits: 100 })),
});
const refused = {
  kind: 'robots_refused',
  visits: 34,
  fetches: 40,
  answers: { file: 6, html: 30, redirect: 0, challenge: 0, not_found: 0, refused: 4, error: 0 },
  agents: [{ ...agent, visits: 34 }],
  agent_count: 1,
} satisfies NewsItem;

it.each<[NewsItem, string]>([
  [
    impersonation(0, 'Googlebot', 'GPTBot'),
    '203.0.113.0/24 made 550 visits posing as Googlebot and GPTBot. None can be verified',
  ],
  [
    impersonation(550, 'Googlebot', 'GPTBot'),
    '203.0.113.0/24 made 550 visits posing as Googlebot and GPTBot. All failed verification',
  ],
  [
    impersonation(55, 'Googlebot', 'GPTBot', 'ClaudeBot', 'ChatGPT Agent'),
    '203.0.113.0/24 made 550 visits posing as Googlebot, GPTBot, and 2 others. 55 failed verification; the rest can’t be verified',
  ],
  [
    { kind: 'silence', since: '2026-11-23T12:02:10Z', expected_visits: 1_240, days_before: 1 },
    'No visits at all since 13:02 (1,240 the day before)',
  ],
  [
    { kind: 'silence', since: '2026-11-21T12:02:10Z', expected_visits: 1_240, days_before: 2 },
    'No visits at all since Nov 21, 13:02 (1,240 visits 2 days before)',
  ],
  [
    {
      kind: 'outage',
      from: '2026-11-23T09:00:00Z',
      to: '2026-11-23T11:00:00Z',
      expected_visits: 240,
      days_before: 1,
    },
    'No visits at all from 10:00 to 12:00 (240 the day before)',
  ],
  [
    {
      kind: 'outage',
      from: '2026-11-21T09:00:00Z',
      to: '2026-11-21T11:00:00Z',
      expected_visits: 240,
      days_before: 1,
    },
    'No visits at all from Nov 21, 10:00 to 12:00 (240 the day before)',
  ],
  [{ ...errors, page_visits: 20 }, 'Agents got 320 server errors (4%), up from 12'],
  [errors, 'Agents got 320 server errors (4%), up from 12. Most were on /checkout'],
  [{ ...errors, previous_visits: 0 }, 'Agents got 320 server errors (4%), up from none. Most were on /checkout'],
  [{ ...errors, previous_visits: null }, 'Agents got 320 server errors (4%). Most were on /checkout'],
  [
    { ...errors, visits: 5_000, page_visits: 4_000, is_sampled: true },
    'Agents got at least 5,000 server errors. Most were on /checkout',
  ],
  [{ ...errors, page_visits: 20, period }, '320 requests failed with server errors from Nov 22, 23:00 to 02:00'],
  [
    { ...errors, page_visits: 20, status: '4xx', period: { ...period, visits: 300 } },
    '300 requests failed with client errors from Nov 22, 23:00 to 02:00',
  ],
  [
    { ...errors, page_visits: 0, status: '4xx', period: { ...period, visits: 1 } },
    '1 request failed with a client error from Nov 22, 23:00 to 02:00',
  ],
  [
    { ...errors, period, outage: { ...gap, from: period.to, to: '2026-11-23T03:00:00Z' } },
    '320 requests failed with server errors from Nov 22, 23:00 to 02:00. Most were on /checkout. No visits at all from 02:00 to 04:00',
  ],
  [
    { ...errors, page_visits: 20, period, outage: { ...gap, from: '2026-11-22T20:00:00Z', to: period.from } },
    '320 requests failed with server errors from Nov 22, 23:00 to 02:00. No visits at all from Nov 22, 21:00 to 23:00',
  ],
  [spoofing, '203.0.113.0/24 claimed to be GPTBot: 34 visits came from the wrong addresses'],
  [
    { ...spoofing, networks: 12, reason: 'expired' },
    '12 new networks, including 203.0.113.0/24, claimed to be GPTBot: 34 visits failed verification, expired signature',
  ],
  [refused, 'GPTBot couldn’t get robots.txt: 34 of 40 requests failed'],
  [{ ...refused, agent_count: 3 }, 'GPTBot and 2 others couldn’t get robots.txt: 34 of 40 requests failed'],
  [{ kind: 'new_agent', ...agent, visits: 1 }, 'GPTBot visited for the first time: 1 visit'],
  [
    { kind: 'new_agent', ...agent, agent_token: null, visits: 2 },
    'An agent no longer in the catalog visited for the first time: 2 visits',
  ],
  [change(1_240, 300), 'GPTBot: 1,240 visits, up from 300'],
  [change(20, 400), 'GPTBot: 20 visits, down from 400'],
  [change(450, 1), 'GPTBot: 450 visits, up from 1'],
  [change(450, 0), 'GPTBot is back: 450 visits, previously none'],
  [change(0, 450), 'GPTBot stopped: no visits, previously 450'],
  [
    { kind: 'address_lists', failing: 7, lists: 61, agents: [], agent_count: 0 },
    '7 of 61 address lists are failing, so some addresses may be out of date',
  ],
  [
    { kind: 'address_lists', failing: 61, lists: 61, agents: [], agent_count: 0 },
    'All 61 address lists are failing, so some addresses may be out of date',
  ],
  [
    { kind: 'address_lists', failing: 7, lists: 61, agents: [{ ...agent, visits: 3 }], agent_count: 1 },
    'GPTBot is checked against old addresses, because 7 of 61 address lists are failing',
  ],
])('describes the news item %j', (item, text) =>
  expect(newsText(item, { timeZone: 'Europe/Berlin', now: Date.parse('2026-11-23T15:00:00Z') })).toBe(text),
);

it('names the agents whose visits rose because of one network', () => {
  const agents = ['Googlebot', 'GPTBot', 'CCBot', 'Bytespider'].map((name, index) => ({
    agent_token: name,
    visits: 1_200 - index,
    previous_visits: 0,
  }));
  const describe = (count: number): string => commonRiseText({ agents: agents.slice(0, count) } as never);
  expect(describe(2)).toBe('More visits by Googlebot (+1,200) and GPTBot (+1,199)');
  expect(describe(4)).toBe('More visits by Googlebot (+1,200), GPTBot (+1,199), and 2 others');
});
