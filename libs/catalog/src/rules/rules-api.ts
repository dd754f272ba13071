import type {
  AddressListFormat,
  AgentBehavior,
  LimitServer,
  PolicyRule,
  RobotsTxtRequest,
  RulesSelection,
  UserAgentTokenListRequest,
} from '#libs/contracts';

export interface RenderedRules {
  /** Media type, including the charset. */
  mediaType: string;
  /** UTF-8 text. Shared between callers, so don't modify it. */
  content: Buffer;
  /** Version of the catalog that the rules are based on. Null if the rules service is too old to report it. */
  catalogVersion: string | null;
}

/** Public request with additional filters that only project rules support. */
export type ProjectRulesRequest<T> = T & {
  agent_behaviors?: readonly AgentBehavior[];
  agent_tokens?: readonly string[];
};

export interface AddressListRequest extends Pick<
  RulesSelection,
  'agent_types' | 'agent_behaviors' | 'agent_tokens' | 'excluded_agent_tokens' | 'excluded_operator_names'
> {
  format: AddressListFormat;
}

export interface PolicyLimitsRequest {
  rules: readonly PolicyRule[];
  server: LimitServer;
}

/** Generates rules for agents. All methods throw `ProblemError` 503 or 504 if the rules service doesn't respond. */
export abstract class RulesApi {
  /** Returns lines for a site's robots.txt, or an empty buffer if no agent matches. */
  abstract robotsTxt(request: ProjectRulesRequest<RobotsTxtRequest>): Promise<RenderedRules>;
  /** Returns User-Agent tokens as a list or as part of a server configuration. */
  abstract userAgentTokenList(request: ProjectRulesRequest<UserAgentTokenListRequest>): Promise<RenderedRules>;
  /** Returns the address ranges that the agents are verified by, merged, as part of a configuration. */
  abstract addressList(request: AddressListRequest): Promise<RenderedRules>;
  /** Returns `PolicyLimits` as JSON. */
  abstract policyLimits(request: PolicyLimitsRequest): Promise<RenderedRules>;
}
