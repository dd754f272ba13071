import type { PublicIdentification, RulesSelection } from '#libs/contracts';
import { isForRobotsTxt, RefusalRules } from './refusal-rules.js';

const GPTBOT: PublicIdentification = {
  result: 'not_verifiable',
  agent_id: '0',
  agent_token: 'GPTBot',
  agent_type_name: 'AI Data Scraper',
  operator_name: 'OpenAI',
};
const SCRAPERS: RulesSelection = { agent_types: ['AI Data Scraper'], format: 'blocks' };

const refuses = (selection: Partial<RulesSelection>, path = '/', visitor = GPTBOT): boolean => {
  const rules = { ...SCRAPERS, ...selection };
  return new RefusalRules(rules, rules.excluded_agent_tokens ?? []).refuse(visitor, path);
};

it('refuses agents of the selected types, verified or not, and nobody else', () => {
  for (const result of ['verified', 'verification_failed', 'not_verifiable'] as const) {
    expect(refuses({}, '/', { ...GPTBOT, result })).toBe(true);
  }
  expect(refuses({}, '/', { ...GPTBOT, agent_type_name: 'Archiver' })).toBe(false);
  expect(refuses({}, '/', { result: 'unknown_agent' })).toBe(false);
  expect(refuses({ agent_types: [] })).toBe(false);
});

it('refuses agents with a selected behavior, regardless of their type', () => {
  const refusesAs = (token: string, excluded: string[] = []): boolean =>
    new RefusalRules({ agent_types: [], agent_behaviors: ['training'], format: 'text' }, excluded, ['GPTBot']).refuse(
      { ...GPTBOT, agent_token: token, agent_type_name: 'Search Engine Crawler' },
      '/',
    );
  expect([refusesAs('gptbot'), refusesAs('CCBot'), refusesAs('GPTBot', ['gptbot'])]).toEqual([true, false, false]);
});

it('admits excluded agents and operators, ignoring case', () => {
  expect(refuses({ excluded_agent_tokens: ['gptbot'] })).toBe(false);
  expect(refuses({ excluded_operator_names: ['OPENAI'] })).toBe(false);
  expect(refuses({ excluded_agent_tokens: ['CCBot'], excluded_operator_names: ['Apple', ''] })).toBe(true);
  const { operator_name: _, ...withoutOperator } = GPTBOT;
  expect(refuses({ excluded_operator_names: ['Apple'] }, '/', withoutOperator)).toBe(true);
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
])('applies the disallowed path %j: refusing %j is %j', (disallow, path, isRefused) => {
  expect(refuses(disallow === undefined ? {} : { disallow }, path)).toBe(isRefused);
});

it('normalizes paths like servers do', () => {
  const ways = [
    '//private/a',
    '/./private/a',
    '/a/../private/a',
    '/%70rivate/a',
    '/a/%2e%2E/private/a',
    '/private%2Fa',
    '/a#/../private/a',
    '/b/../private/#a',
  ];
  for (const way of [...ways, '/a%2F..%2fprivate/a', '/..//private/a?b']) {
    expect([way, refuses({ disallow: '/private/' }, way)]).toEqual([way, true]);
  }
  for (const other of ['/a?/private/', '/privat/e/', '/private', 'http:']) {
    expect([other, refuses({ disallow: '/private/' }, other)]).toEqual([other, false]);
  }
  // Rules can contain an encoded path literally.
  expect(refuses({ disallow: '/a%2Fb' }, '/a%2Fb')).toBe(true);
});

it('refuses every path in formats without paths', () => {
  for (const format of ['nginx-map', 'text'] as const) expect(refuses({ format, disallow: '/private/' })).toBe(true);
});

it('recognizes requests for robots.txt', () => {
  expect(['/robots.txt', '/robots.txt?a'].map(isForRobotsTxt)).toEqual([true, true]);
  expect(['/robots.txt/', '//robots.txt', '/a?/robots.txt'].map(isForRobotsTxt)).toEqual([false, false, false]);
});
