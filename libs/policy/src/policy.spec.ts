import type { PolicyRule } from '#libs/contracts';
import { getAllowanceKey } from './allowance.js';
import type { PolicyRequest } from './policy-request.js';
import { Policy } from './policy.js';
import { isExemptPath } from './request-paths.js';

const id = (n: number): string => `018f0000-0000-7000-8000-00000000000${n}`;
const rule = (n: number, parts: Partial<PolicyRule> = {}): PolicyRule => ({
  id: id(n),
  name: `Rule ${n}`,
  mode: 'live',
  action: { kind: 'refuse' },
  ...parts,
});
const GPTBOT: PolicyRequest['visitor'] = {
  result: 'verified',
  agent_token: 'GPTBot',
  agent_type_name: 'AI Data Scraper',
  operator_name: 'OpenAI',
};
const PERSON: PolicyRequest['visitor'] = { result: 'unknown_agent' };
const request = (parts: Partial<PolicyRequest> = {}): PolicyRequest => ({
  visitor: GPTBOT,
  isLikelyAutomated: false,
  clientAddress: null,
  method: 'GET',
  host: 'example.com',
  path: '/',
  ...parts,
});
/** Returns the kind and ID of the live match, and of the match in dry run. */
const decide = (rules: PolicyRule[], parts: Partial<PolicyRequest> = {}) => {
  const { live, dryRun } = new Policy(rules).decide(request(parts));
  return [live && `${live.action.kind} ${live.id.at(-1)}`, dryRun && `${dryRun.action.kind} ${dryRun.id.at(-1)}`];
};

it.each<[PolicyRule['visitors'], PolicyRequest['visitor'], boolean]>([
  [undefined, GPTBOT, true],
  [{}, GPTBOT, true],
  [{}, PERSON, false],
  [{ agent_tokens: ['gptbot'] }, GPTBOT, true],
  [{ agent_tokens: ['CCBot'] }, GPTBOT, false],
  [{ operators: ['OPENAI'] }, GPTBOT, true],
  [{ agent_types: ['AI Data Scraper'] }, GPTBOT, true],
  [{ purposes: ['training'] }, GPTBOT, true],
  [{ purposes: ['search', 'user'] }, GPTBOT, false],
  [{ agent_tokens: ['CCBot'], operators: ['OpenAI'] }, GPTBOT, true],
  [{ results: ['verified'] }, GPTBOT, true],
  [{ results: ['verification_failed'] }, GPTBOT, false],
  [{ agent_tokens: ['GPTBot'], results: ['verification_failed'] }, { ...GPTBOT, result: 'verification_failed' }, true],
])('applies conditions on visitors: %j', (visitors, visitor, matches) => {
  expect(decide([rule(1, { visitors })], { visitor })[0]).toBe(matches ? 'refuse 1' : null);
});

it.each<[string[], string | null, PolicyRequest['visitor'], boolean]>([
  [['203.0.113.0/24'], '203.0.113.7', GPTBOT, true],
  [['203.0.113.0/24'], '203.0.113.7', PERSON, true],
  [['203.0.113.0/24'], '203.0.114.7', GPTBOT, false],
  [['203.0.113.0/24'], null, GPTBOT, false],
  [['198.51.100.1', '2001:db8::/32'], '2001:db8:1::1', PERSON, true],
])('matches visitors from networks: %j, %s', (networks, clientAddress, visitor, matches) => {
  const decided = decide([rule(1, { visitors: { networks } })], { visitor, clientAddress });
  expect(decided[0]).toBe(matches ? 'refuse 1' : null);
});

it('also matches the named agents from other networks, and only the given results', () => {
  const visitors = { agent_tokens: ['GPTBot'], networks: ['203.0.113.0/24'] };
  expect(decide([rule(1, { visitors })], { clientAddress: '198.51.100.1' })[0]).toBe('refuse 1');
  const failed = { networks: ['203.0.113.0/24'], results: ['verification_failed' as const] };
  expect(decide([rule(1, { visitors: failed })], { clientAddress: '203.0.113.1' })[0]).toBeNull();
});

it('matches unknown visitors only if they are likely automated and the rule includes them', () => {
  const likely = { visitor: PERSON, isLikelyAutomated: true };
  const included = [rule(1, { visitors: { likely_automated: true } })];
  expect(decide(included, likely)[0]).toBe('refuse 1');
  expect(decide(included, { visitor: PERSON })[0]).toBeNull();
  expect(decide(included)[0]).toBeNull();
  expect(decide([rule(1)], likely)[0]).toBeNull();
  expect([new Policy(included), new Policy([rule(1)])].map((policy) => policy.needsAutomation)).toEqual([true, false]);
});

it.each<[PolicyRule['requests'], Partial<PolicyRequest>, boolean]>([
  [{ paths: ['/docs/*'] }, { path: '/docs/a?b' }, true],
  [{ paths: ['/docs/'] }, { path: '/doc' }, false],
  [{ paths: ['/*.pdf$'] }, { path: '/a.pdf' }, true],
  [{ paths: ['/a', '/b'] }, { path: '/b' }, true],
  [{ paths: ['/private/'] }, { path: '/a/..%2fprivate//x' }, true],
  [{ paths: ['/private/'] }, { path: '/a#/../private/x' }, true],
  [{ methods: ['POST'] }, {}, false],
  [{ methods: ['GET'] }, { method: null }, false],
  [{ paths: ['/private/'] }, { path: '/public/..;a/private/x' }, true],
  [{ paths: ['/private/'] }, { path: '/q/../private//../x' }, true],
  [{ hosts: ['example.com'] }, {}, true],
  [{ hosts: ['example.com'] }, { host: 'example.com:443' }, true],
  [{ hosts: ['example.com'] }, { host: 'example.com.' }, true],
  [{ hosts: ['example.com'] }, { host: 'example.com.:8443' }, true],
  [{ hosts: ['example.com'] }, { host: 'www.example.com' }, false],
  [{ hosts: ['example.com:8443'] }, { host: 'example.com.:8443' }, true],
  [{ hosts: ['example.com:8443'] }, { host: 'example.com:443' }, false],
  [{ hosts: ['example.com'] }, { host: null }, false],
])('applies conditions on requests: %j', (requests, parts, matches) => {
  expect(decide([rule(1, { requests })], parts)[0]).toBe(matches ? 'refuse 1' : null);
});

it('applies the first match, and reports what rules in dry run would have done', () => {
  const allow = { action: { kind: 'allow' } } as const;
  expect(decide([rule(1, allow), rule(2)])).toEqual(['allow 1', null]);
  expect(decide([rule(1, { mode: 'dry_run' }), rule(2, allow)])).toEqual(['allow 2', 'refuse 1']);
  expect(decide([rule(1, { mode: 'dry_run' }), rule(2, { ...allow, mode: 'dry_run' })])).toEqual([null, 'refuse 1']);
  expect(decide([rule(1, { mode: 'off' }), rule(2, allow), rule(3, { mode: 'dry_run' })])).toEqual(['allow 2', null]);
});

it('replaces the action of a rule by that of the first matching exception', () => {
  const rules = [
    rule(1, {
      visitors: { operators: ['OpenAI'] },
      exceptions: [
        { id: id(2), requests: { paths: ['/docs/'] }, action: { kind: 'slow_down', requests_per_minute: 60 } },
        { id: id(3), visitors: { agent_tokens: ['GPTBot'] }, action: { kind: 'allow' } },
      ],
    }),
    rule(4),
  ];
  const chatGpt = { ...GPTBOT, agent_token: 'ChatGPT-User' };
  expect(decide(rules, { path: '/docs/a' })[0]).toBe('slow_down 2');
  expect(decide(rules)[0]).toBe('allow 3');
  expect(decide(rules, { visitor: chatGpt })[0]).toBe('refuse 1');
  expect(decide(rules, { visitor: { ...GPTBOT, operator_name: 'Other' } })[0]).toBe('refuse 4');
});

it.each([
  ['/{path}.md', '/docs/a?b=c', '/docs/a.md?b=c'],
  ['/{path}.md', '/docs/a.md', null],
  ['/{path}.md', '//evil.example/a', '/evil.example/a.md'],
  ['/{path}.md', '/\\evil.example/a', '/evil.example/a.md'],
  ['/{path}/index.md', '/', '/index.md'],
  ['/{path}/index.md', '/index.md', null],
  ['/docs', '/a#b', '/docs'],
  ['/docs', '/docs?a', null],
])('redirects to %s from %s', (location, path, expected) => {
  const { live } = new Policy([rule(1, { action: { kind: 'redirect', status: 308, location } })]).decide(
    request({ path }),
  );
  expect([live!.location, live!.action.kind]).toEqual([expected, expected === null ? 'allow' : 'redirect']);
});

it('applies the most restrictive decision if the path is ambiguous', () => {
  const rules = [rule(1, { requests: { paths: ['/private/'] } })];
  const decideOn = (path: string, others: string[]) =>
    new Policy(rules).decide(request({ path }), { paths: others }).live;
  expect(decideOn('/', ['/private/a'])?.id).toBe(id(1));
  expect(decideOn('/robots.txt', ['/private/a'])?.id).toBe(id(1));
  expect(decideOn('/robots.txt', ['/.well-known/a'])).toBeNull();
});

it('applies the most restrictive decision if the method is ambiguous', () => {
  const policy = new Policy([rule(1, { action: { kind: 'allow' }, requests: { methods: ['GET'] } }), rule(2)]);
  expect(policy.decide(request(), { methods: ['POST'] }).live?.id).toBe(id(2));
  expect(policy.decide(request({ method: 'POST' }), { methods: ['GET'] }).live?.id).toBe(id(2));
});

it.each<[PolicyRule['action'], string, boolean]>([
  [{ kind: 'allow' }, '/public/a', true],
  [{ kind: 'allow' }, '/public/../private/a', false],
  [{ kind: 'slow_down', requests_per_minute: 1 }, '/public/../private/a', false],
  [{ kind: 'allow' }, '/private/a', false],
  [{ kind: 'allow' }, '/private/../public/a', false],
])('leaves a path to other rules if %j does not match all of its spellings: %s', (action, path, isDecided) => {
  const policy = new Policy([rule(1, { action, requests: { paths: ['/public/'] } })]);
  expect(policy.decide(request({ path })).isDecided).toBe(isDecided);
});

it.each([
  ['/robots.txt', true],
  ['/robots.txt?a', true],
  ['/.well-known/agents.json', true],
  ['/.well-known/../private', false],
  ['/.well-known/..;/private', false],
  ['/.well-known//../../private', false],
  ['/robots.txt#/../private', false],
  ['/robots.txt/', false],
  ['/a/robots.txt', false],
])('exempts %s: %s', (path, isExempt) => {
  expect(isExemptPath(path)).toBe(isExempt);
  expect(decide([rule(1)], { path })[0]).toBe(isExempt ? null : 'refuse 1');
});

it('shares an allowance among the addresses of an agent, but not with impostors', () => {
  const { live } = new Policy([rule(1)]).decide(request());
  const key = (visitor: PolicyRequest['visitor'], address: string) => getAllowanceKey(live!, { visitor }, address);
  expect(key(GPTBOT, '192.0.2.1')).toBe(key(GPTBOT, '192.0.2.2'));
  expect(key(GPTBOT, '192.0.2.1')).not.toBe(key({ ...GPTBOT, result: 'not_verifiable' }, '192.0.2.1'));
  expect(key(PERSON, '192.0.2.1')).not.toBe(key(PERSON, '192.0.2.2'));
  expect(key(PERSON, '2001:db8::1')).toBe(key(PERSON, '2001:db8::ffff:0:0:2'));
  expect(key(PERSON, '2001:db8:1:2::1')).toBe(key(PERSON, '2001:db8:1:2:3:4:5:6'));
  expect(key(PERSON, '2001:db8::1')).not.toBe(key(PERSON, '2001:db8:0:1::1'));
});
