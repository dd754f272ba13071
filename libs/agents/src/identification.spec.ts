import type { AgentDefinition } from './agent.js';
import { AgentMatcher } from './agent.matcher.js';
import { clientAddress } from './client-address.js';
import { compileProxyRanges } from './address-ranges.js';
import { normalizeHeaders } from './headers.js';
import { identify } from './identification.js';

const agents: AgentDefinition[] = [
  {
    id: 'id-1',
    token: 'GPTBot',
    type: 'AI Data Scraper',
    operator: 'OpenAI',
    url: 'https://openai.com/gptbot',
    user_agent_patterns: ['GPTBot'],
    robots_token: 'GPTBot',
    verification: { ip_ranges: ['192.0.2.0/24'] },
  },
  {
    id: 'id-2',
    token: 'curl',
    type: 'Automated Agent',
    operator: null,
    url: null,
    user_agent_patterns: ['(?=^curl\\b).'],
    robots_token: null,
    verification: {},
  },
];
const catalogue = { version: 'v1', matcher: new AgentMatcher(agents) };

function identified(raw: Record<string, unknown>) {
  const headers = normalizeHeaders(raw);
  return identify(headers, { catalogue, clientAddress: clientAddress(headers, {}, compileProxyRanges([])) });
}

describe('identify', () => {
  it('names the agent of the User-Agent, unproven', () => {
    expect(
      identified({ 'User-Agent': 'Mozilla/5.0 (compatible; gptbot/1.2)', 'X-Forwarded-For': '192.0.2.1' }),
    ).toEqual({
      result: 'not_verifiable',
      agent_id: 'id-1',
      agent_token: 'GPTBot',
      agent_url: 'https://openai.com/gptbot',
      agent_type_name: 'AI Data Scraper',
      operator_name: 'OpenAI',
      method: null,
      reason: 'not_checked',
      evidence: {
        user_agent_match: 'gptbot',
        client_address_source: 'x-forwarded-for',
        client_address_reason: 'forwarded_list',
      },
      catalogue_version: 'v1',
    });
  });

  it('says when an agent could not prove itself at all', () => {
    const result = identified({ 'user-agent': 'curl/8' });
    expect([result.agent_token, result.operator_name, result.reason]).toEqual(['curl', null, 'no_method']);
    expect(result.evidence.client_address_reason).toBe('no_address_header');
  });

  it.each([{}, { 'User-Agent': 'Mozilla/5.0 Firefox/128.0' }, { 'user-agent': null }])(
    'knows no agent in %j',
    (raw) => {
      const { catalogue_version, evidence, result, ...rest } = identified(raw);
      expect([result, catalogue_version, evidence.user_agent_match]).toEqual(['unknown_agent', 'v1', null]);
      expect(Object.values(rest)).toEqual([null, null, null, null, null, null, null]);
    },
  );
});
