import { parseAddress, parseAgentCommand, groupBySection, findEntries, parseVisitId, type Entry } from './entries.js';

const entry = (section: string, label: string, more: Partial<Entry> = {}): Entry => ({
  id: `${section} ${label}`,
  section,
  label,
  icon: 'chart',
  to: '/',
  ...more,
});

const ENTRIES = [
  entry('Pages', 'Overview'),
  entry('Pages', 'Get started'),
  entry('Settings', 'Visits', { keywords: 'proxy redacted retention' }),
  entry('Settings', 'Access tokens'),
  entry('Projects', 'Token shop', { description: 'https://shop.example' }),
];

const labels = (query: string): string[] => findEntries(ENTRIES, query).map(({ label }) => label);

it('finds entries whose name, section, description or keywords contain every word', () => {
  expect(labels('retention')).toEqual(['Visits']);
  expect(labels('settings tok')).toEqual(['Access tokens']);
  expect(labels('SHOP.example')).toEqual(['Token shop']);
  expect(labels('no such entry')).toEqual([]);
  expect(labels('')).toHaveLength(ENTRIES.length);
});

it('ranks names that start with the query first', () => {
  expect(labels('tok')).toEqual(['Token shop', 'Access tokens']);
  expect(labels('s')).toEqual(['Get started', 'Token shop', 'Visits', 'Access tokens', 'Overview']);
});

it('groups entries by section', () => {
  expect(groupBySection(findEntries(ENTRIES, 'tok')).map(([section, { length }]) => [section, length])).toEqual([
    ['Projects', 1],
    ['Settings', 1],
  ]);
});

it('recognizes visit IDs, client addresses and networks', () => {
  expect(parseVisitId(' 0199A1B2-c3d4-7e5f-8a9b-0c1d2e3f4a5b ')).toBe('0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b');
  expect(parseVisitId('0199a1b2')).toBeNull();
  for (const address of ['203.0.113.7', '203.0.113.0/24', '2001:db8::7', '2001:db8::/32', '::ffff:192.0.2.1']) {
    expect(parseAddress(` ${address} `)).toBe(address);
  }
  for (const text of ['203.0.113', 'cafe:1', 'GPTBot/1.2', '']) expect(parseAddress(text)).toBeNull();
});

it.each([
  ['block GPTBot', { action: 'block', verb: 'block', name: 'gptbot' }],
  ['slow down claude', { action: 'menu', verb: 'slow', name: 'claude' }],
  ['alert me about gptbot', { action: 'menu', verb: 'alert', name: 'gptbot' }],
  ['block', null],
  ['gptbot block', null],
])('parses the action and agent in "%s"', (text, command) => expect(parseAgentCommand(text)).toEqual(command));
