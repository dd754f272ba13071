import type { EmulatedAgent } from './emulated-agents.repository.js';
import { expectResponse } from './proof-expectation.js';
import { explainResponse, isExpected } from './proof-findings.js';

const GPTBOT: EmulatedAgent = {
  token: 'GPTBot',
  type: 'AI Data Scraper',
  operator: 'OpenAI',
  robotsToken: 'GPTBot',
  behaviors: ['training'],
  userAgent: 'GPTBot/1.0',
  verification: { ip_ranges: ['192.0.2.0/24'] },
};
const SITE = { url: new URL('https://shop.example/a'), result: 'verification_failed' as const };
const RULE = {
  id: '019a0000-0000-7000-8000-000000000000',
  name: 'Training',
  mode: 'live' as const,
  visitors: { purposes: ['training' as const] },
  action: { kind: 'refuse' as const },
};
const SELECTION = { agent_types: ['AI Data Scraper' as const], format: 'blocks' as const };

const expectation = (rules = [RULE], selection: typeof SELECTION | null = null) =>
  expectResponse(GPTBOT, SITE, rules, selection);
const response = (status: number, headers: Record<string, string> = {}) => ({ status, headers });

describe('expectResponse', () => {
  it('applies live rules to unverified visitors', () => {
    expect(expectation()).toMatchObject({ expected_status: 403, decided_by: 'rule', rule: { name: 'Training' } });
    const verified = { ...RULE, visitors: { ...RULE.visitors, results: ['verified' as const] } };
    expect(expectation([verified as typeof RULE])).toMatchObject({ expected_status: 200, decided_by: 'nothing' });
  });

  it('applies the saved robots.txt if no live rule matches', () => {
    const dry = { ...RULE, mode: 'dry_run' } as unknown as typeof RULE;
    expect(expectation([dry], SELECTION)).toMatchObject({
      expected_status: 403,
      decided_by: 'robots_txt',
      rule: null,
      dry_run_rule: { status: 403 },
    });
    const excluded = { ...SELECTION, excluded_operator_names: ['openai'] };
    expect(expectation([], excluded)).toMatchObject({ expected_status: 200 });
    expect(expectation([], { ...SELECTION, disallow: '/private/' } as typeof SELECTION)).toMatchObject({
      expected_status: 200,
    });
    const asked = { ...RULE, action: { kind: 'allow' } } as unknown as typeof RULE;
    expect(expectation([asked], SELECTION)).toMatchObject({ expected_status: 200, decided_by: 'rule' });
  });
});

it('matches single agents in robots.txt by the token that they obey', () => {
  const agent = { ...GPTBOT, token: 'GPTBot-Images' };
  const selection = { agent_types: [], agent_tokens: ['gptbot'], format: 'blocks' as const };
  expect(expectResponse(agent, SITE, [], selection)).toMatchObject({ decided_by: 'robots_txt' });
  expect(expectResponse({ ...agent, robotsToken: null }, SITE, [], selection)).toMatchObject({ decided_by: 'nothing' });
});

describe('explainResponse', () => {
  it('accepts the expected refusal', () => {
    const refused = response(403, { 'agent-traffic-decision': `refused;live;${RULE.id}` });
    expect(isExpected(expectation(), refused)).toBe(true);
    expect(explainResponse(expectation(), refused)).toEqual([]);
    expect(explainResponse(expectation(), response(403))[0]).toMatch(/another firewall/);
  });

  it('explains missing refusals, and responses from caches', () => {
    expect(isExpected(expectation(), response(200))).toBe(false);
    expect(explainResponse(expectation(), response(200))[0]).toBe(
      'Your proxy should respond with 403 because of the rule “Training”.',
    );
    expect(explainResponse(expectation(), response(200, { 'x-cache': 'HIT from edge' }))).toContainEqual(
      'The response came from a cache (x-cache: HIT from edge).',
    );
    expect(explainResponse(expectation(), response(200, { age: '12' }))).toContainEqual(
      'The response came from a cache (age: 12 s).',
    );
  });

  it('explains unexpected refusals and rules in dry run', () => {
    const dry = expectation([{ ...RULE, mode: 'dry_run' } as unknown as typeof RULE]);
    expect(isExpected(dry, response(200))).toBe(true);
    expect(explainResponse(dry, response(200))).toEqual([
      'The rule “Training” is in dry run. Live, it would respond with 403.',
    ]);
    expect(explainResponse(expectation([]), response(403))[0]).toMatch(/^Neither a live rule nor robots.txt/);
    expect(explainResponse(expectation([]), response(404))).toEqual(['The page itself responds with 404.']);
  });

  it('accepts 429 if the rule that slows down sent it', () => {
    const slow = { ...RULE, action: { kind: 'slow_down', requests_per_minute: 1 } } as unknown as typeof RULE;
    const headers = { 'agent-traffic-decision': `slowed;live;${RULE.id}`, 'retry-after': '20' };
    expect(isExpected(expectation([slow]), response(429, headers))).toBe(true);
    expect(isExpected(expectation([slow]), response(429))).toBe(false);
  });
});
