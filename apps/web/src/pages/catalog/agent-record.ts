import type { Agent, AgentRecord, AgentType } from '../../api/catalog-queries.js';
import { splitLines, toLines } from '../../format/lines.js';

/** An agent as the fields of a form have it; lists are lines. */
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

/** @param agent null for a new one. */
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

/** The fields with another name. A new agent is called the same in robots.txt, until something else is entered there. */
export const withToken = ({ token: former, robots_token: robots }: AgentFields, token: string): Partial<AgentFields> =>
  robots === former ? { token, robots_token: token } : { token };

/** @param agent what it was; null for a new one. */
export function agentRecord(fields: AgentFields, agent: Agent | null): AgentRecord {
  const patterns = splitLines(fields.user_agent_patterns);
  const samples = splitLines(fields.sample_user_agents);
  const ranges = splitLines(fields.ip_ranges);
  const lists = splitLines(fields.ip_list_urls).map((line) => {
    const [url = '', ...format] = line.split(/\s+/);
    return { url, format: format.join(' ') || DEFAULT_FORMAT };
  });
  const suffixes = splitLines(fields.reverse_dns_suffixes);
  const signers = splitLines(fields.signature_agents);
  const asOf = agent?.verification.ip_ranges_as_of;
  const isUnchanged = ranges.join() === (agent?.verification.ip_ranges ?? []).join();
  const fallbacks = agent?.fallback_patterns?.filter((pattern) => patterns.includes(pattern)) ?? [];
  const loose = agent?.loose_patterns?.filter((pattern) => patterns.includes(pattern)) ?? [];
  return {
    token: fields.token.trim(),
    type: fields.type as AgentType,
    operator: fields.operator.trim() || null,
    url: fields.url.trim() || null,
    user_agent_patterns: patterns,
    // A pattern that is a plain text is its own sample.
    ...(samples.length > 0 && { sample_user_agents: samples }),
    robots_token: fields.robots_token.trim() || null,
    verification: {
      ...(suffixes.length > 0 && { reverse_dns_suffixes: suffixes }),
      ...(lists.length > 0 && { ip_list_urls: lists }),
      ...(ranges.length > 0 && { ip_ranges: ranges }),
      // What is entered here is current.
      ...(ranges.length > 0 && isUnchanged && asOf !== undefined && { ip_ranges_as_of: asOf }),
      ...(signers.length > 0 && { signature_agents: signers }),
    },
    ...(fallbacks.length > 0 && { fallback_patterns: fallbacks }),
    ...(loose.length > 0 && { loose_patterns: loose }),
    ...(agent?.behaviors && { behaviors: agent.behaviors }),
    ...(agent?.ended_on && { ended_on: agent.ended_on }),
    ...(agent?.excluded_prefixes && { excluded_prefixes: agent.excluded_prefixes }),
    ...(agent?.generic && { generic: true }),
    ...(agent?.framework && { framework: true }),
    ...(agent?.robots_only && patterns.length === 0 && { robots_only: true }),
    // Nothing but its signatures tells it.
    ...(patterns.length === 0 && !agent?.robots_only && signers.length > 0 && { signature_only: true }),
    ...(agent?.sources && { sources: agent.sources }),
  };
}
