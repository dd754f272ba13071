import { consistentRecord, recordOf } from '#libs/contracts/agent-record';
import type { Agent, AgentRecord, AgentType } from '../../api/catalog-queries.js';
import type { Versioned } from '../../api/client.js';
import { splitLines, toLines } from '../../format/lines.js';

/** Form values of an agent. Lists have one item per line. */
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

/** @param agent Null for a new agent. */
export function agentFields(agent: Agent | null): AgentFields {
  const verification = agent?.verification ?? {};
  return {
    token: agent?.token ?? '',
    type: agent?.type ?? 'Uncategorized',
    operator: agent?.operator ?? '',
    url: agent?.url ?? '',
    user_agent_patterns: toLines(agent?.user_agent_patterns ?? []),
    sample_user_agents: toLines(agent?.sample_user_agents ?? []),
    robots_token: agent?.robots_token ?? '',
    signature_agents: toLines(verification.signature_agents ?? []),
    reverse_dns_suffixes: toLines(verification.reverse_dns_suffixes ?? []),
    ip_list_urls: toLines((verification.ip_list_urls ?? []).map(({ url, format }) => `${url} ${format}`)),
    ip_ranges: toLines(verification.ip_ranges ?? []),
  };
}

/** Changes the name. The robots.txt token follows the name until the user edits it. */
export const withToken = ({ token: former, robots_token: robots }: AgentFields, token: string): Partial<AgentFields> =>
  robots === former ? { token, robots_token: token } : { token };

/** @param agent Previous version, or null for a new agent. */
export function agentRecord(fields: AgentFields, agent: Versioned<Agent> | null): AgentRecord {
  const ranges = splitLines(fields.ip_ranges);
  const { ip_ranges: earlierRanges = [], ip_ranges_as_of: asOf } = agent?.verification ?? {};
  return consistentRecord({
    ...(agent && recordWithoutVersion(agent)),
    token: fields.token.trim(),
    type: fields.type as AgentType,
    operator: fields.operator.trim() || null,
    url: fields.url.trim() || null,
    user_agent_patterns: splitLines(fields.user_agent_patterns),
    // Can be empty, because a plain-text pattern is its own sample.
    sample_user_agents: splitLines(fields.sample_user_agents),
    robots_token: fields.robots_token.trim() || null,
    verification: {
      reverse_dns_suffixes: splitLines(fields.reverse_dns_suffixes),
      ip_list_urls: splitLines(fields.ip_list_urls).map((line) => {
        const [url = '', ...format] = line.split(/\s+/);
        return { url, format: format.join(' ') || DEFAULT_FORMAT };
      }),
      ip_ranges: ranges,
      // Edited ranges are considered current, so they have no date.
      ip_ranges_as_of: ranges.join() === earlierRanges.join() ? asOf : undefined,
      signature_agents: splitLines(fields.signature_agents),
    },
  });
}

function recordWithoutVersion({ etag: _etag, ...agent }: Versioned<Agent>): AgentRecord {
  return recordOf(agent);
}
