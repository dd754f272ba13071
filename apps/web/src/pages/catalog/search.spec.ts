import type { SeenAgent } from '../../api/catalog-queries.js';
import { isFiltered, filterAgents } from './search.js';

const createAgent = (token: string, more: Partial<SeenAgent> = {}): SeenAgent => ({
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
  projects: [],
  ...more,
});
const AGENTS = [
  createAgent('GPTBot', { operator_name: 'OpenAI', agent_type_name: 'AI Data Scraper', behaviors: ['training'] }),
  createAgent('Other', { robots_token: 'gpt-other', origin: 'own' }),
  createAgent('Third'),
];
const findTokens = (search: Parameters<typeof filterAgents>[1]): string[] =>
  filterAgents(AGENTS, search).map(({ agent_token: token }) => token);

it('finds agents by name, operator and robots.txt token, ignoring case', () => {
  expect(findTokens({})).toEqual(['GPTBot', 'Other', 'Third']);
  expect(findTokens({ search: 'GPT' })).toEqual(['GPTBot', 'Other']);
  expect(findTokens({ search: 'openai' })).toEqual(['GPTBot']);
  expect(findTokens({ search: 'gpt', origin: 'own' })).toEqual(['Other']);
  expect(findTokens({ type: 'AI Data Scraper' })).toEqual(['GPTBot']);
  expect(findTokens({ behavior: 'training' })).toEqual(['GPTBot']);
  expect(findTokens({ operator: 'Open' })).toEqual([]);
});

it('counts only search parameters that narrow the list of agents', () => {
  expect(isFiltered({ agent: 'GPTBot', try: 'x' })).toBe(false);
  expect(isFiltered({ origin: 'own' })).toBe(true);
});
