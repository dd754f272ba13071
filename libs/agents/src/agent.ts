/** How visits that claim to be an agent can be proven; an empty object where no way is known. */
export interface AgentVerification {
  /** The confirmed host name must equal one of these, or end in `.` and one of these. */
  reverse_dns_suffixes?: string[];
  /** Address lists that the operator publishes; `format` as described with the data. */
  ip_list_urls?: { url: string; format: string }[];
  /** CIDR blocks, as they were on `ip_ranges_as_of` (a date; absent: they are current). */
  ip_ranges?: string[];
  ip_ranges_as_of?: string;
  /** Hosts whose `/.well-known/http-message-signatures-directory` holds the agent's keys. */
  signature_agents?: string[];
}

/** A known automated agent. */
export interface AgentDefinition {
  /** UUID, the same wherever the token is the same. */
  id: string;
  /** Display name, unique ignoring case. */
  token: string;
  /** One of the 17 agent types. */
  type: string;
  /** What it does with pages, from a closed vocabulary (`AGENT_BEHAVIORS`). */
  behaviors?: string[];
  /** Date on which its operator ended it. */
  ended_on?: string;
  operator: string | null;
  url: string | null;
  /** Expressions of the subset that `pattern.ts` reads, searched in the User-Agent as whole names, ignoring case. */
  user_agent_patterns: string[];
  /** Those of the patterns over which any named agent wins, however short. */
  fallback_patterns?: string[];
  /**
   * Those of the patterns that also match within a longer word, a contact address, a device's comment or an app's own
   * User-Agent, because the agent sends no other form.
   */
  loose_patterns?: string[];
  /** Texts; where one of them comes directly before it, a match doesn't count. Ignoring case. */
  excluded_prefixes?: string[];
  /** One for each pattern, in the same order: a User-Agent in which this pattern finds this agent. */
  sample_user_agents?: string[];
  /** Product token for robots.txt; `null` where the agent has none. */
  robots_token: string | null;
  verification: AgentVerification;
  /** Where the facts came from, as codes. */
  sources?: string[];
  /** A library, headless browser or framework that others build on: any named agent wins over it. */
  generic?: boolean;
  /** Of generic agents, one that itself builds on libraries and wins over them. */
  framework?: boolean;
  /** Never sent in a User-Agent. */
  robots_only?: boolean;
  /** Sends a stock browser's User-Agent. */
  signature_only?: boolean;
}
