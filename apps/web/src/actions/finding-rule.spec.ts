import {
  createRule,
  describeEffect,
  findSameRule,
  getWarning,
  isRuleForTarget,
  isUnchanged,
  type RuleKind,
} from './finding-rule.js';
import type { RuleTarget } from './finding.js';

const ID = '00000000-0000-4000-8000-000000000001';
const OTHER_ID = '00000000-0000-4000-8000-000000000002';

describe('createRule', () => {
  it('blocks an agent', () => {
    expect(createRule('refuse', 'live', { target: { token: 'GPTBot' }, id: ID })).toEqual({
      id: ID,
      name: 'Block GPTBot',
      mode: 'live',
      visitors: { agent_tokens: ['GPTBot'] },
      action: { kind: 'refuse' },
    });
  });

  it('applies only to failed verifications if the agent was spoofed', () => {
    const rule = createRule('slow_down', 'dry_run', {
      target: { token: 'GPTBot', result: 'verification_failed' },
      id: ID,
    });
    expect(rule.name).toBe('Slow down visits that fail verification as GPTBot');
    expect(rule.visitors).toEqual({ agent_tokens: ['GPTBot'], results: ['verification_failed'] });
    expect(rule.action).toEqual({ kind: 'slow_down', requests_per_minute: 10 });
  });

  it('applies only to unverified visits if the finding is about them', () => {
    const rule = createRule('refuse', 'live', { target: { token: 'Googlebot', result: 'not_verifiable' }, id: ID });
    expect(rule.name).toBe('Block unverified Googlebot');
    expect(rule.visitors).toEqual({ agent_tokens: ['Googlebot'], results: ['not_verifiable'] });
  });

  it('blocks a network', () => {
    const target = { network: '203.0.113.0/24' };
    const rule = createRule('refuse', 'live', { target, id: ID });
    expect(rule).toMatchObject({ name: 'Block 203.0.113.0/24', visitors: { networks: ['203.0.113.0/24'] } });
    expect(describeEffect('refuse', target)).toBe(
      'Requests from 203.0.113.0/24 will get a 403 error, except for robots.txt and /.well-known/.',
    );
    expect(getWarning('refuse', target)).toBe('This also blocks people who use this network.');
  });
});

describe('getWarning', () => {
  const agent = { token: 'Googlebot', type: 'Search Engine Crawler' };

  it('warns about blocking a search engine crawler', () => {
    expect(getWarning('refuse', agent)).toContain('Your pages can disappear from its results.');
    expect(getWarning('refuse', { ...agent, result: 'not_verifiable' as const })).toContain('the real Googlebot');
  });

  it.each<readonly [RuleKind, RuleTarget]>([
    ['slow_down', agent],
    ['refuse', { ...agent, result: 'verification_failed' as const }],
    ['refuse', { token: 'GPTBot', type: 'AI Data Scraper' }],
  ])('returns null for %s of %j', (kind, target) => expect(getWarning(kind, target)).toBeNull());
});

describe('describeEffect', () => {
  it('describes whom the rule affects and how', () => {
    expect(describeEffect('refuse', { token: 'GPTBot', result: 'verification_failed' })).toBe(
      'Requests that claim to be GPTBot but fail verification will get a 403 error, except for robots.txt and /.well-known/.',
    );
    expect(describeEffect('refuse', { token: 'Googlebot', result: 'not_verifiable' })).toBe(
      'Requests that claim to be Googlebot but can’t be verified will get a 403 error, except for robots.txt and /.well-known/.',
    );
    expect(describeEffect('slow_down', { token: 'GPTBot' })).toBe(
      'Requests by GPTBot will be limited to 10 a minute, except for robots.txt and /.well-known/. Further requests will get a 429 error.',
    );
  });
});

describe('findSameRule', () => {
  const rule = createRule('refuse', 'dry_run', { target: { token: 'GPTBot' }, id: ID });

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

describe('isRuleForTarget', () => {
  const target = { network: '203.0.113.0/24' };
  const rule = createRule('refuse', 'live', { target, id: ID });

  it('recognizes the rule of a target in both modes and by any name', () => {
    expect(isRuleForTarget(rule, target)).toBe(true);
    expect(isRuleForTarget({ ...rule, mode: 'dry_run', name: 'Impostors' }, target)).toBe(true);
  });

  it('rejects rules with a wider or another effect', () => {
    expect(isRuleForTarget({ ...rule, visitors: { networks: [target.network, '198.51.100.0/24'] } }, target)).toBe(
      false,
    );
    expect(isRuleForTarget({ ...rule, action: { kind: 'allow' } }, target)).toBe(false);
  });
});
