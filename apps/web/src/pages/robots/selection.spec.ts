import { AGENT_TYPES } from '../../ui/agent-types.js';
import { commandLine, isSelected, readRobotsSearch, searchOf, selectionOf } from './selection.js';

const CHOSEN = {
  agent_types: ['Scraper' as const],
  excluded_agent_tokens: ["Bob's Bot", '42'],
  excluded_operator_names: ['A, B'],
  disallow: '/private/',
  format: 'grouped' as const,
};

it('comes back from the address as it went there', () => {
  const address = JSON.parse(JSON.stringify(searchOf(CHOSEN)));
  expect(selectionOf(readRobotsSearch(address))).toEqual(CHOSEN);
  expect(selectionOf(readRobotsSearch({ ...address, not_agent: ["Bob's Bot", 42] }))).toEqual(CHOSEN);
});

it('leaves out what does not fit', () => {
  expect(readRobotsSearch({ type: ['Nobody', 'Scraper'], format: 'word', path: 7, not_agent: 'x', other: 1 })).toEqual({
    type: ['Scraper'],
  });
  expect([isSelected({}), isSelected({ as: 'GPTBot' }), isSelected({ type: [] })]).toEqual([false, false, true]);
});

it('has a path for robots.txt alone, and none where it is the root', () => {
  expect(selectionOf({ type: [], format: 'nginx-map', path: '/x' })).toEqual({ agent_types: [], format: 'nginx-map' });
  expect(selectionOf({ type: [], path: '/' })).toEqual({ agent_types: [], format: 'blocks' });
  expect(selectionOf({ type: [], path: '' })).toMatchObject({ disallow: '' });
});

it('is a command line that a shell reads back', () => {
  expect(commandLine(CHOSEN, 'p-1')).toBe(
    "npx agent-traffic robots render --type Scraper --exclude-agent 'Bob'\\''s Bot' --exclude-agent 42 --exclude-operator 'A, B' --disallow /private/ --format grouped --project p-1",
  );
  const all = { agent_types: AGENT_TYPES as (typeof CHOSEN)['agent_types'], format: 'blocks' as const };
  expect(commandLine({ ...all, disallow: '' }, 'p')).toBe(
    "npx agent-traffic robots render --all-types --disallow '' --project p",
  );
});
