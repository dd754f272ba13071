import { createRule, describeEffect, findSameRule, getWarning, isUnchanged } from './finding-rule.js';

const ID = '00000000-0000-4000-8000-000000000001';
const OTHER_ID = '00000000-0000-4000-8000-000000000002';

describe('createRule', () => {
  it('blocks an agent', () => {
    expect(createRule('refuse', 'live', { finding: {}, token: 'GPTBot', id: ID })).toEqual({
      id: ID,
      name: 'Block GPTBot',
      mode: 'live',
      visitors: { agent_tokens: ['GPTBot'] },
      action: { kind: 'refuse' },
    });
  });

  it('applies only to failed verifications if the agent was spoofed', () => {
    const rule = createRule('slow_down', 'dry_run', {
      finding: { result: 'verification_failed' },
      token: 'GPTBot',
      id: ID,
    });
    expect(rule.name).toBe('Slow down visits that spoof GPTBot');
    expect(rule.visitors).toEqual({ agent_tokens: ['GPTBot'], results: ['verification_failed'] });
    expect(rule.action).toEqual({ kind: 'slow_down', requests_per_minute: 10 });
  });

  it('applies only to unverified visits if the finding is about them', () => {
    const rule = createRule('refuse', 'live', { finding: { result: 'not_verifiable' }, token: 'Googlebot', id: ID });
    expect(rule.name).toBe('Block unverified Googlebot');
    expect(rule.visitors).toEqual({ agent_tokens: ['Googlebot'], results: ['not_verifiable'] });
  });
});

describe('getWarning', () => {
  const agent = { id: ID, token: 'Googlebot', type: 'Search Engine Crawler' };

  it('warns about blocking a search engine crawler', () => {
    expect(getWarning('refuse', { agent })).toContain('Your pages can disappear from its results.');
    expect(getWarning('refuse', { agent, result: 'not_verifiable' })).toContain('the real Googlebot');
  });

  it.each([
    ['slow_down', { agent }],
    ['refuse', { agent, result: 'verification_failed' }],
    ['refuse', { agent: { ...agent, token: 'GPTBot', type: 'AI Data Scraper' } }],
  ] as const)('returns null for %s of %j', (kind, finding) => expect(getWarning(kind, finding)).toBeNull());
});

describe('describeEffect', () => {
  it('describes whom the rule affects and how', () => {
    expect(describeEffect('refuse', { result: 'verification_failed' }, 'GPTBot')).toBe(
      'Requests that claim to be GPTBot but fail verification get status 403.',
    );
    expect(describeEffect('refuse', { result: 'not_verifiable' }, 'Googlebot')).toBe(
      'Requests that claim to be Googlebot but can’t be verified get status 403.',
    );
    expect(describeEffect('slow_down', {}, 'GPTBot')).toBe(
      'Requests by GPTBot are limited to 10 a minute. Further requests get status 429.',
    );
  });
});

describe('findSameRule', () => {
  const rule = createRule('refuse', 'dry_run', { finding: {}, token: 'GPTBot', id: ID });

  it('ignores IDs, names and the order of keys', () => {
    const { action, visitors, ...rest } = rule;
    const same = { ...rest, action, visitors: visitors!, id: OTHER_ID, name: 'No training' };
    expect(findSameRule([same], rule)).toBe(same);
    expect(isUnchanged(same, rule)).toBe(false);
  });

  it('distinguishes modes', () => {
    expect(findSameRule([{ ...rule, mode: 'live' }], rule)).toBeUndefined();
  });
});
