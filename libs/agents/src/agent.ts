/** Verification data for an agent. Empty if the operator publishes none. */
export interface AgentVerification {
  /** Domains that the agent's forward-confirmed host names belong to, including subdomains. */
  reverse_dns_suffixes?: string[];
  /** Address lists published by the operator. `libs/catalog/data/README.md` describes the formats. */
  ip_list_urls?: { url: string; format: string }[];
  /** CIDR blocks. They are current unless `ip_ranges_as_of` is set. */
  ip_ranges?: string[];
  ip_ranges_as_of?: string;
  /** Hosts or URLs of Web Bot Auth key directories. */
  signature_agents?: string[];
}

export interface AgentDefinition {
  /** UUIDv5 of the lowercase token. */
  id: string;
  /** Display name. Unique, ignoring case. */
  token: string;
  /** One of `AGENT_TYPES`. */
  type: string;
  /** Purposes of the agent's requests, from `AGENT_BEHAVIORS`. */
  behaviors?: string[];
  /** Date on which the operator retired the agent. */
  ended_on?: string;
  operator: string | null;
  url: string | null;
  /** Case-insensitive regular expressions that match whole names. `pattern.ts` defines the supported syntax. */
  user_agent_patterns: string[];
  /** Subset of `user_agent_patterns` that only win if no other named agent matches. */
  fallback_patterns?: string[];
  /**
   * Subset of `user_agent_patterns` that also match inside words, contact addresses, device comments and end-user app
   * names. For agents that don't send their name in any other form.
   */
  loose_patterns?: string[];
  /** Prefixes that rule out a match directly after them. Case-insensitive. */
  excluded_prefixes?: string[];
  /** A sample User-Agent for each pattern, in the same order. */
  sample_user_agents?: string[];
  /** Product token in robots.txt, or `null` if the agent has none. */
  robots_token: string | null;
  verification: AgentVerification;
  /** Codes of the data sources for this entry. */
  sources?: string[];
  /**
   * Whether this is a library, headless browser or framework used by other agents. Any other named agent takes
   * precedence.
   */
  generic?: boolean;
  /** Whether this generic agent takes precedence over libraries, because it is built on them. */
  framework?: boolean;
  /** Whether the agent is only named in robots.txt and never in a User-Agent. */
  robots_only?: boolean;
  /** Whether the agent sends a regular browser's User-Agent and can only be recognized by its signature. */
  signature_only?: boolean;
}
