/** Verification methods of an agent. Empty if the catalog lists none. */
export interface AgentVerification {
  /** Domains of the agent's confirmed host names, including subdomains. */
  reverse_dns_suffixes?: string[];
  /** Address lists published by the operator. `libs/catalog/data/README.md` describes the formats. */
  ip_list_urls?: { url: string; format: string }[];
  /** CIDR blocks, current unless `ip_ranges_as_of` contains their date. */
  ip_ranges?: string[];
  ip_ranges_as_of?: string;
  /** Hosts or URLs of the Web Bot Auth key directories. */
  signature_agents?: string[];
}

export interface AgentDefinition {
  /** UUIDv5 of the lowercase token. */
  id: string;
  /** Display name, unique regardless of case. */
  token: string;
  /** One of `AGENT_TYPES`. */
  type: string;
  /** Uses of the fetched pages, from `AGENT_BEHAVIORS`. */
  behaviors?: string[];
  /** Date on which the operator retired the agent. */
  ended_on?: string;
  operator: string | null;
  url: string | null;
  /** Regular expressions in the subset that `pattern.ts` parses. Matches must be whole names. Case-insensitive. */
  user_agent_patterns: string[];
  /** Subset of `user_agent_patterns` that lose to any other named agent, regardless of length. */
  fallback_patterns?: string[];
  /**
   * Subset of `user_agent_patterns` that also match parts of words, contact addresses, device comments and an app's own
   * User-Agent. For agents that send no other form of their name.
   */
  loose_patterns?: string[];
  /** Texts that exclude a match directly after them. Case-insensitive. */
  excluded_prefixes?: string[];
  /** Sample User-Agent for each pattern, in the same order. */
  sample_user_agents?: string[];
  /** Product token for robots.txt, or `null` if the agent has none. */
  robots_token: string | null;
  verification: AgentVerification;
  /** Codes of the sources of this data. */
  sources?: string[];
  /**
   * Whether this is a library, headless browser or framework that others build on. Any other named agent wins over it.
   */
  generic?: boolean;
  /** Whether this generic agent wins over libraries, because it builds on them. */
  framework?: boolean;
  /** Whether the agent only appears in robots.txt, and never in a User-Agent. */
  robots_only?: boolean;
  /** Whether the agent sends a regular browser's User-Agent and is only recognized by its signature. */
  signature_only?: boolean;
}
