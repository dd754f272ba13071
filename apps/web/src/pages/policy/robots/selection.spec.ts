import { AGENT_TYPES } from '../../../ui/agent-types.js';
import { parsePolicySearch, parseRobotsSearch } from './search.js';
import { deriveSelection, commandLine, isLicense, hasSelection, toSearch, toSelection } from './selection.js';

const SELECTION = {
  agent_types: ['Scraper' as const],
  agent_behaviors: ['search' as const, 'training' as const],
  agent_tokens: ['GPTBot'],
  excluded_agent_tokens: ["Bob's Bot", '42'],
  excluded_operator_names: ['A, B'],
  disallow: '/private/',
  format: 'grouped' as const,
  content_signal: { search: true, ai_train: false, use: 'reference' as const },
  content_usage: { train_ai: false, ai_use: true },
  license: 'https://shop.example/license.xml',
};

it('restores the selected rules from the URL', () => {
  const address = JSON.parse(JSON.stringify(toSearch(SELECTION)));
  expect(toSelection(parseRobotsSearch(address))).toEqual(SELECTION);
  expect(toSelection(parseRobotsSearch({ ...address, not_agent: ["Bob's Bot", 42] }))).toEqual(SELECTION);
});

it('ignores invalid rule selections in the URL', () => {
  expect(
    parseRobotsSearch({
      type: ['Nobody', 'Scraper'],
      format: 'word',
      path: 7,
      not_agent: 'x',
      behavior: ['x'],
      other: 1,
    }),
  ).toEqual({
    type: ['Scraper'],
  });
  expect([hasSelection({}), hasSelection({ as: 'GPTBot' }), hasSelection({ type: [] })]).toEqual([false, false, true]);
});

it('includes the path only for robots.txt formats, and omits the root path', () => {
  expect(toSelection({ type: [], format: 'nginx-map', path: '/x' })).toEqual({ agent_types: [], format: 'nginx-map' });
  expect(toSelection({ type: [], path: '/' })).toEqual({ agent_types: [], format: 'blocks' });
  expect(toSelection({ type: [], path: '' })).toMatchObject({ disallow: '' });
});

it('ignores invalid signals and drops all signals for formats other than robots.txt', () => {
  const search = {
    type: ['Scraper'],
    content_signal: { search: 'yes', ai_train: false, other: true, use: 'any' },
    content_usage: 7,
  };
  expect(parseRobotsSearch(search)).toEqual({ type: ['Scraper'], content_signal: { ai_train: false } });
  const { agent_types, format, ...rest } = toSelection({ ...toSearch(SELECTION), format: 'apache' });
  expect([agent_types, format, Object.keys(rest)]).toEqual([
    ['Scraper'],
    'apache',
    ['agent_behaviors', 'agent_tokens', 'excluded_agent_tokens', 'excluded_operator_names'],
  ]);
});

it.each([
  ['https://shop.example/license.xml', true],
  ['http://shop.example/', true],
  ['https://shop.example/a#b', false],
  ['https://shop.example/a b', false],
  ['https://käse.example/', false],
  ['https://', false],
  ['/license.xml', false],
  ['javascript:alert(1)', false],
])('checks whether "%s" is a valid license URL', (text, isOne) => {
  expect(isLicense(text)).toBe(isOne);
  const { license } = toSelection({ type: [], license: text });
  expect(license).toBe(isOne ? text : undefined);
});

it('quotes arguments in the command line', () => {
  expect(commandLine(SELECTION, 'p-1')).toBe(
    "./agent-traffic robots render --type Scraper --behavior search --behavior training --agent GPTBot --exclude-agent 'Bob'\\''s Bot' --exclude-agent 42 --exclude-operator 'A, B' --disallow /private/ --content-signal search=yes,ai-train=no,use=reference --content-usage train-ai=no,ai-use=yes --license https://shop.example/license.xml --format grouped --project p-1",
  );
  const all = { agent_types: AGENT_TYPES as (typeof SELECTION)['agent_types'], format: 'blocks' as const };
  expect(commandLine({ ...all, disallow: '' }, 'p')).toBe(
    "./agent-traffic robots render --all-types --disallow '' --project p",
  );
});

it('passes a selection through the policy page, but not the tab', () => {
  expect(parsePolicySearch({ type: ['Scraper'], view: 'signals' })).toEqual({ type: ['Scraper'] });
  expect(parsePolicySearch({ type: ['Scraper'], view: 'lab' })).toEqual({ type: ['Scraper'], view: 'lab' });
});

it('derives a selection from live blocks, the types that robots.txt keeps out, and its preferences', () => {
  const rule = { id: 'a', name: 'a', mode: 'live', action: { kind: 'refuse' } } as const;
  expect(
    deriveSelection(
      [
        { ...rule, visitors: { agent_types: ['Scraper'] } },
        { ...rule, mode: 'dry_run', visitors: { agent_types: ['Archiver'] } },
      ],
      ['AI Agent'],
      'User-agent: *\nContent-Signal: ai-train=no, use=reference\nDisallow:\nLicense: https://shop.example/license.xml',
    ),
  ).toEqual({
    agent_types: ['AI Agent', 'Scraper'],
    format: 'blocks',
    content_signal: { ai_train: false, use: 'reference' },
    license: 'https://shop.example/license.xml',
  });
});
