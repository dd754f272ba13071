import type { PublicIdentification, RulesSelection } from '#libs/contracts';
import { BlockingRules } from './blocking-rules.js';

const GPTBOT: PublicIdentification = {
  result: 'not_verifiable',
  agent_id: '0',
  agent_token: 'GPTBot',
  agent_type_name: 'AI Data Scraper',
  operator_name: 'OpenAI',
};
const SCRAPERS: RulesSelection = { agent_types: ['AI Data Scraper'], format: 'blocks' };

const blocks = (selection: Partial<RulesSelection>, path = '/', visitor = GPTBOT): boolean => {
  const rules = { ...SCRAPERS, ...selection };
  return new BlockingRules(rules, rules.excluded_agent_tokens ?? []).blocks(visitor, path);
};

it('blocks only agents with a selected type, whether verified or not', () => {
  for (const result of ['verified', 'verification_failed', 'not_verifiable'] as const) {
    expect(blocks({}, '/', { ...GPTBOT, result })).toBe(true);
  }
  expect(blocks({}, '/', { ...GPTBOT, agent_type_name: 'Archiver' })).toBe(false);
  expect(blocks({}, '/', { result: 'unknown_agent' })).toBe(false);
  expect(blocks({ agent_types: [] })).toBe(false);
});

it('blocks agents with a selected behavior regardless of their type', () => {
  const blocksAs = (token: string, excluded: string[] = []): boolean =>
    new BlockingRules({ agent_types: [], agent_behaviors: ['training'], format: 'text' }, excluded, ['GPTBot']).blocks(
      { ...GPTBOT, agent_token: token, agent_type_name: 'Search Engine Crawler' },
      '/',
    );
  expect([blocksAs('gptbot'), blocksAs('CCBot'), blocksAs('GPTBot', ['gptbot'])]).toEqual([true, false, false]);
});

it('allows excluded agents and operators, ignoring case', () => {
  expect(blocks({ excluded_agent_tokens: ['gptbot'] })).toBe(false);
  expect(blocks({ excluded_operator_names: ['OPENAI'] })).toBe(false);
  expect(blocks({ excluded_agent_tokens: ['CCBot'], excluded_operator_names: ['Apple', ''] })).toBe(true);
  const { operator_name: _, ...withoutOperator } = GPTBOT;
  expect(blocks({ excluded_operator_names: ['Apple'] }, '/', withoutOperator)).toBe(true);
});

it.each([
  [undefined, '/anything?at=all', true],
  ['/private/', '/private/a', true],
  ['/private/', '/', false],
  ['private', '/private/a', true],
  ['/*.pdf$', '/a.pdf', true],
  ['/*.pdf$', '/a.pdf?b', false],
  ['/käse', '/k%C3%A4se', true],
  ['', '/', false],
])('applies the disallowed path %j to %j (blocked: %j)', (disallow, path, isBlocked) => {
  expect(blocks(disallow === undefined ? {} : { disallow }, path)).toBe(isBlocked);
});

it('resolves paths the way web servers do', () => {
  const variants = [
    '//private/a',
    '/./private/a',
    '/a/../private/a',
    '/%70rivate/a',
    '/a/%2e%2E/private/a',
    '/private%2Fa',
    '/a#/../private/a',
    '/b/../private/#a',
  ];
  for (const variant of [...variants, '/a%2F..%2fprivate/a', '/..//private/a?b']) {
    expect([variant, blocks({ disallow: '/private/' }, variant)]).toEqual([variant, true]);
  }
  for (const other of ['/a?/private/', '/privat/e/', '/private', 'http:']) {
    expect([other, blocks({ disallow: '/private/' }, other)]).toEqual([other, false]);
  }
  // Rules can also match an encoded path literally.
  expect(blocks({ disallow: '/a%2Fb' }, '/a%2Fb')).toBe(true);
});

it("blocks every path for formats that don't support paths", () => {
  for (const format of ['nginx-map', 'text'] as const) expect(blocks({ format, disallow: '/private/' })).toBe(true);
});
