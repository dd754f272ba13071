import { normalizeAgentRecord, toAgentRecord as pickAgentRecord } from '#libs/contracts/agent-record';
import type { Agent, AgentRecord, AgentType } from '../api/catalog-queries.js';
import type { Versioned } from '../api/client.js';
import { parseLines, joinLines } from '../format/lines.js';

/** Agent form values. Lists contain one item per line. */
export interface AgentFields extends Record<string, unknown> {
  token: string;
  type: string;
  operator: string;
  url: string;
  user_agent_patterns: string;
  sample_user_agents: string;
  robots_token: string;
  signature_agents: string;
  reverse_dns_suffixes: string;
  ip_list_urls: string;
  ip_ranges: string;
}

const DEFAULT_FORMAT = 'json-prefixes';

/** @param agent Agent to edit, or null for a new one. */
export function toAgentFields(agent: Agent | null): AgentFields {
  const verification = agent?.verification ?? {};
  return {
    token: agent?.token ?? '',
    type: agent?.type ?? 'Uncategorized',
    operator: agent?.operator ?? '',
    url: agent?.url ?? '',
    user_agent_patterns: joinLines(agent?.user_agent_patterns ?? []),
    sample_user_agents: joinLines(agent?.sample_user_agents ?? []),
    robots_token: agent?.robots_token ?? '',
    signature_agents: joinLines(verification.signature_agents ?? []),
    reverse_dns_suffixes: joinLines(verification.reverse_dns_suffixes ?? []),
    ip_list_urls: joinLines((verification.ip_list_urls ?? []).map(({ url, format }) => `${url} ${format}`)),
    ip_ranges: joinLines(verification.ip_ranges ?? []),
  };
}

/** Changes the name. The robots.txt token follows the name until the user edits it. */
export const changeToken = (
  { token: previousToken, robots_token: robotsToken }: AgentFields,
  token: string,
): Partial<AgentFields> => (robotsToken === previousToken ? { token, robots_token: token } : { token });

/** @param agent Previous version, or null for a new agent. */
export function toAgentRecord(fields: AgentFields, agent: Versioned<Agent> | null): AgentRecord {
  const ranges = parseLines(fields.ip_ranges);
  const { ip_ranges: earlierRanges = [], ip_ranges_as_of: asOf } = agent?.verification ?? {};
  return normalizeAgentRecord({
    ...(agent && recordWithoutVersion(agent)),
    token: fields.token.trim(),
    type: fields.type as AgentType,
    operator: fields.operator.trim() || null,
    url: fields.url.trim() || null,
    user_agent_patterns: parseLines(fields.user_agent_patterns),
    // Plain-text patterns don't need samples, because each one is its own sample.
    sample_user_agents: parseLines(fields.sample_user_agents),
    robots_token: fields.robots_token.trim() || null,
    verification: {
      reverse_dns_suffixes: parseLines(fields.reverse_dns_suffixes),
      ip_list_urls: parseLines(fields.ip_list_urls).map((line) => {
        const [url = '', ...format] = line.split(/\s+/);
        return { url, format: format.join(' ') || DEFAULT_FORMAT };
      }),
      ip_ranges: ranges,
      // Edited ranges are considered current, so remove the date of the earlier ones.
      ip_ranges_as_of: ranges.join() === earlierRanges.join() ? asOf : undefined,
      signature_agents: parseLines(fields.signature_agents),
    },
  });
}

function recordWithoutVersion({ etag: _etag, ...agent }: Versioned<Agent>): AgentRecord {
  return pickAgentRecord(agent);
}
