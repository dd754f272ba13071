import type { LoadRow } from '../../api/load.js';
import { getRowFilter, getRowName, getVisitFilters } from './rows.js';
import type { LoadTab } from './search.js';

const row = (value: string | null, agent_token: string | null = null) => ({ value, agent_token }) as LoadRow;

it.each<[LoadTab, LoadRow, string, [string, string] | null]>([
  ['agent', row('0190', 'GPTBot'), 'GPTBot', ['agent', 'GPTBot']],
  ['agent', row('0190'), 'No longer in the catalog', ['agent', '0190']],
  ['agent', row(null), 'Unknown visitors', ['result', 'unknown_agent']],
  ['operator', row('OpenAI'), 'OpenAI', ['operator', 'OpenAI']],
  ['operator', row(''), 'Unknown operator', null],
  ['type', row(''), 'No type', null],
  ['folder', row('/docs/*'), '/docs/*', ['path', '/docs/*']],
  ['folder', row('/'), '/', null],
  ['folder', row('/******/*'), '/******/*', null],
  ['page', row('/docs/a'), '/docs/a', ['page', '/docs/a']],
])('names and filters rows by %s: %j', (by, entry, name, filter) => {
  expect(getRowName(by, entry)).toBe(name);
  expect(getRowFilter(by, entry)).toEqual(filter && { key: filter[0], value: filter[1] });
});

it('names and filters patterns by the visits that match no earlier pattern', () => {
  const patterns = [
    { name: 'Guides', pattern: '/docs/guides/*' },
    { name: 'Documentation', pattern: '/docs/*' },
  ];
  const filtersOf = (value: string | null, counted = {}) => getVisitFilters('pattern', row(value), counted, patterns);
  expect(getRowName('pattern', row('/docs/*'), patterns)).toBe('Documentation');
  expect(getRowName('pattern', row(null), patterns)).toBe('No pattern');
  expect(filtersOf('/docs/guides/*')).toEqual({ path: ['/docs/guides/*'] });
  expect(filtersOf('/docs/*', { agent: ['GPTBot'], not_path: ['*.js'] })).toEqual({
    agent: ['GPTBot'],
    path: ['/docs/*'],
    not_path: ['*.js', '/docs/guides/*'],
  });
  expect(filtersOf(null)).toEqual({ not_path: ['/docs/guides/*', '/docs/*'] });
  expect(filtersOf('/docs/*', { path: ['/docs/a'] })).toBeNull();
});

it('includes unknown visitors only in their own row', () => {
  const counted = { not_result: ['unknown_agent'], status: ['404'] };
  expect(getVisitFilters('operator', row(null), counted, [])).toEqual({ result: ['unknown_agent'], status: ['404'] });
  expect(getVisitFilters('operator', row('OpenAI'), counted, [])).toEqual({ ...counted, operator: ['OpenAI'] });
  expect(getVisitFilters('folder', row('/'), counted, [])).toBeNull();
});
