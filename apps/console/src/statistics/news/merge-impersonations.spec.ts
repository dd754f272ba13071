import type { NewsItem } from '#libs/contracts';
import type { ClaimCount } from '#libs/visit-store';
import type { NewsItemOfKind } from './counted-range.js';
import { findImpersonations, insertImpersonations, toImpersonationItem } from './merge-impersonations.js';

const NETWORK = '203.0.113.0/24';
const agent = (token: string, operator: string) => ({
  agent_id: token,
  agent_token: token,
  agent_type_name: null,
  operator_name: operator,
});
const GPTBOT = agent('GPTBot', 'OpenAI');
const CLAUDEBOT = agent('ClaudeBot', 'Anthropic');
const spoofing = (who: ReturnType<typeof agent>, visits: number, network = NETWORK): NewsItem => ({
  kind: 'spoofing',
  ...who,
  networks: 1,
  network,
  visits,
  reason: 'expired',
});
const rise = (
  who: ReturnType<typeof agent>,
  visits: number,
  verdict = 'not_verifiable',
): NewsItemOfKind<'agent_change'> => ({
  kind: 'agent_change',
  ...who,
  visits: visits + 20,
  previous_visits: 10,
  causes: [
    { dimension: 'network', value: NETWORK, visits, previous_visits: 0 },
    { dimension: 'verdict', value: verdict, visits, previous_visits: 0 },
  ],
});
const FIRST_VISIT: NewsItem = { kind: 'new_agent', ...GPTBOT, visits: 9 };

const count = (who: typeof GPTBOT, result: ClaimCount['result'], visits: number): ClaimCount => ({
  agent_id: who.agent_id,
  result,
  visits,
});

describe('findImpersonations', () => {
  it.each<[string, NewsItem[]]>([
    ['agents of one operator', [spoofing(GPTBOT, 55), rise(agent('ChatGPT-User', 'OpenAI'), 110)]],
    ['different networks', [spoofing(GPTBOT, 55), spoofing(CLAUDEBOT, 60, '198.51.100.0/24')]],
    ['verified visits', [spoofing(GPTBOT, 55), rise(CLAUDEBOT, 110, 'verified')]],
    ['a fall', [spoofing(GPTBOT, 55), { ...rise(CLAUDEBOT, 0), visits: 1 }]],
    ['an unexplained rise', [spoofing(GPTBOT, 55), { ...rise(CLAUDEBOT, 110), causes: null }]],
  ])('ignores %s', (_, items) => expect(findImpersonations(items)).toEqual([]));
});

it('replaces spoofing by one network, and keeps the rises that it caused', () => {
  const [spoofed, first, second] = [spoofing(GPTBOT, 55), rise(CLAUDEBOT, 110), rise(GPTBOT, 165)];
  const items = [spoofed, FIRST_VISIT, first, second];
  const [impersonation] = findImpersonations(items);
  expect(impersonation).toEqual({ network: NETWORK, claims: [spoofed, first, second] });
  const counts = [
    count(GPTBOT, 'verification_failed', 55),
    count(GPTBOT, 'not_verifiable', 165),
    count(CLAUDEBOT, 'not_verifiable', 110),
  ];
  const item = toImpersonationItem(impersonation!, counts, [count(GPTBOT, 'not_verifiable', 3)]);
  expect(item).toEqual({
    kind: 'impersonation',
    network: NETWORK,
    visits: 330,
    spoofed: 55,
    previous_visits: 3,
    agents: [
      { ...GPTBOT, visits: 220 },
      { ...CLAUDEBOT, visits: 110 },
    ],
  });
  expect(insertImpersonations(items, [{ ...impersonation!, item }])).toEqual([item, FIRST_VISIT, first, second]);
});
