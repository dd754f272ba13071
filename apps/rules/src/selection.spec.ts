import { createCatalog, compileCatalog, type AgentRecord } from '#libs/catalog';
import { selectAgents, sortUnique, type SelectionRequest } from './selection.js';

const record = (
  token: string,
  type: string,
  operator: string | null,
  robots_token: string | null,
  behaviors: string[] = [],
): AgentRecord => ({
  behaviors,
  token,
  type,
  operator,
  robots_token,
  url: null,
  user_agent_patterns: [token],
  verification: {},
});
const catalog = compileCatalog(
  createCatalog({
    agents: [
      record('AlphaBot', 'Scraper', 'Alpha', 'AlphaBot'),
      record('AlphaBot (old)', 'Scraper', 'Alpha', 'OldAlpha'),
      record('BetaBot', 'Automated Agent', null, null, ['training']),
      record('GammaBot', 'Archiver', 'Gamma Ltd', 'GammaBot', ['search', 'training']),
    ],
    proxies: [],
  }),
);
const tokens = (request: SelectionRequest): string[] => selectAgents(catalog, request).map(({ token }) => token);
const SCRAPERS = { agent_types: ['Scraper'] };

it('selects agents by type, including former type names', () => {
  expect(tokens(SCRAPERS)).toEqual(['AlphaBot', 'AlphaBot (old)']);
  expect(tokens({ agent_types: ['Archiver', 'Scraper', 'Scraper'] })).toEqual([
    'AlphaBot',
    'AlphaBot (old)',
    'GammaBot',
  ]);
  expect(tokens({ agent_types: ['Headless Agent'] })).toEqual(['BetaBot']);
  expect(tokens({ agent_types: ['Automated Agent'] })).toEqual(['BetaBot']);
  expect(tokens({ agent_types: [] })).toEqual([]);
});

it('selects agents by behavior regardless of type', () => {
  expect(tokens({ agent_types: [], agent_behaviors: ['training'] })).toEqual(['BetaBot', 'GammaBot']);
  expect(tokens({ agent_types: [], agent_behaviors: ['monitoring', 'search'] })).toEqual(['GammaBot']);
  expect(tokens({ agent_types: ['Archiver'], agent_behaviors: ['training'] })).toEqual(['BetaBot', 'GammaBot']);
  const excluded = { agent_types: [], agent_behaviors: ['training'], excluded_agent_tokens: ['betabot'] };
  expect(tokens(excluded)).toEqual(['GammaBot']);
});

it('selects single agents by token or robots.txt token, unless they are excluded', () => {
  expect(tokens({ agent_types: [], agent_tokens: ['betabot', 'oldALPHA', 'Nobody'] })).toEqual([
    'AlphaBot (old)',
    'BetaBot',
  ]);
  expect(tokens({ ...SCRAPERS, agent_tokens: ['GammaBot'], excluded_operator_names: ['Alpha'] })).toEqual(['GammaBot']);
});

it('excludes agents by token, robots.txt token or operator, ignoring case and unknown names', () => {
  expect(tokens({ ...SCRAPERS, excluded_agent_tokens: ['alphabot'] })).toEqual(['AlphaBot (old)']);
  expect(tokens({ ...SCRAPERS, excluded_agent_tokens: ['oldALPHA', 'Nobody\r\n'] })).toEqual(['AlphaBot']);
  expect(tokens({ ...SCRAPERS, excluded_operator_names: ['ALPHA'] })).toEqual([]);
  expect(tokens({ agent_types: ['Archiver'], excluded_operator_names: ['gamma'] })).toEqual(['GammaBot']);
  expect(tokens({ ...SCRAPERS, excluded_agent_tokens: null, excluded_operator_names: null })).toHaveLength(2);
});

it('sorts texts and removes case-insensitive duplicates', () => {
  expect(sortUnique(['b', 'Z', 'B', 'a', 'ä'])).toEqual(['a', 'B', 'Z', 'ä']);
});
