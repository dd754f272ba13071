import type { AgentBehavior, RobotsTxtRequest, UserAgentTokenListRequest } from '#libs/contracts';

export interface RenderedRules {
  /** Media type with charset. */
  mediaType: string;
  /** UTF-8. Shared between callers: don't modify it. */
  content: Buffer;
  /** Version of the catalog that the rules are based on. Null if the rules service is too old to report it. */
  catalogVersion: string | null;
}

/** A public request, plus a filter that only a project's rules have. */
export type ProjectRulesRequest<T> = T & { agent_behaviors?: readonly AgentBehavior[] };

/** Generates rules for agents. All methods throw ProblemError 503 or 504 if the rules service doesn't respond. */
export abstract class RulesApi {
  /** Returns lines for a site's robots.txt. Empty if no agent matches. */
  abstract robotsTxt(request: ProjectRulesRequest<RobotsTxtRequest>): Promise<RenderedRules>;
  /** Returns User-Agent tokens as a list or as part of a server configuration. */
  abstract userAgentTokenList(request: ProjectRulesRequest<UserAgentTokenListRequest>): Promise<RenderedRules>;
}
