import type { PolicyRule } from '#libs/contracts';
import { findResponse } from '../../rules/agent-response.js';
import { readControl } from './controls.js';
import { toKind } from './response-kind.js';

const GPTBOT = { agent_token: 'GPTBot', agent_type_name: 'AI Data Scraper', operator_name: 'OpenAI' };
const CRAWLERS: PolicyRule = {
  id: '1',
  name: 'Crawlers',
  mode: 'dry_run',
  visitors: { agent_types: ['AI Data Scraper'] },
  action: { kind: 'slow_down', requests_per_minute: 60 },
};
const BLOCK: PolicyRule = {
  id: '2',
  name: 'Block GPTBot',
  mode: 'live',
  visitors: { agent_tokens: ['gptbot'] },
  action: { kind: 'refuse' },
};

const respond = (rules: PolicyRule[]): string => {
  const selection = { agent_types: [], format: 'blocks' as const };
  return toKind(findResponse(rules, GPTBOT), readControl({ rules, selection }, 'AI Data Scraper'));
};

it.each<[string, string, PolicyRule[]]>([
  ['allows agents without a rule', 'allow', []],
  ['distinguishes rules in dry run', 'dry_run', [CRAWLERS]],
  ['applies a rule of the type', 'slow_down', [{ ...CRAWLERS, mode: 'live' }]],
  ['applies a rule of the agent behind a dry run', 'refuse', [CRAWLERS, BLOCK]],
  ['applies the first live rule', 'slow_down', [{ ...CRAWLERS, mode: 'live' }, BLOCK]],
  ['applies exceptions', 'refuse', [{ ...CRAWLERS, mode: 'live', exceptions: [{ ...BLOCK, id: '3' }] }]],
  ['shows the dry run of a rule of the agent', 'dry_run', [{ ...BLOCK, mode: 'dry_run' }]],
  ['ignores rules behind a live one', 'allow', [{ ...CRAWLERS, mode: 'live', action: { kind: 'allow' } }, BLOCK]],
  [
    'applies rules that also name networks',
    'refuse',
    [{ ...BLOCK, visitors: { ...BLOCK.visitors, networks: ['::/0'] } }],
  ],
  ['ignores rules for networks', 'allow', [{ ...BLOCK, visitors: { networks: ['203.0.113.0/24'] } }]],
  ['ignores rules for certain pages', 'allow', [{ ...BLOCK, requests: { paths: ['/private/'] } }]],
  ['ignores rules for certain results', 'allow', [{ ...BLOCK, visitors: { results: ['verified'] } }]],
])('%s', (_, response, rules) => expect(respond(rules)).toBe(response));
