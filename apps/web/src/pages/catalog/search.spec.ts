import type { SeenAgent } from '../../api/catalog-queries.js';
import { isFiltered, matching } from './search.js';

const agent = (token: string, more: Partial<SeenAgent> = {}): SeenAgent => ({
  agent_id: token,
  agent_token: token,
  agent_type_name: 'Fetcher',
  operator_name: null,
  agent_url: null,
  behaviors: [],
  robots_token: null,
  origin: 'bundled',
  is_edited: false,
  changed_at: '2026-11-21T00:00:00.000Z',
  feed_name: null,
  is_gone: false,
  methods: [],
  visits: 0,
  ...more,
});
const AGENTS = [
  agent('GPTBot', { operator_name: 'OpenAI', agent_type_name: 'AI Data Scraper', behaviors: ['training'] }),
  agent('Other', { robots_token: 'gpt-other', origin: 'own' }),
  agent('Third'),
];
const found = (search: Parameters<typeof matching>[1]): string[] =>
  matching(AGENTS, search).map(({ agent_token: token }) => token);

it('finds agents by name, operator and robots.txt token, ignoring case', () => {
  expect(found({})).toEqual(['GPTBot', 'Other', 'Third']);
  expect(found({ search: 'GPT' })).toEqual(['GPTBot', 'Other']);
  expect(found({ search: 'openai' })).toEqual(['GPTBot']);
  expect(found({ search: 'gpt', origin: 'own' })).toEqual(['Other']);
  expect(found({ type: 'AI Data Scraper' })).toEqual(['GPTBot']);
  expect(found({ behavior: 'training' })).toEqual(['GPTBot']);
  expect(found({ operator: 'Open' })).toEqual([]);
});

it('counts only filters that narrow the list', () => {
  expect(isFiltered({ agent: 'GPTBot', try: 'x' })).toBe(false);
  expect(isFiltered({ origin: 'own' })).toBe(true);
});
