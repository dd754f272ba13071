import type { AgentBehavior, RobotsTxtRequest, UserAgentTokenListRequest } from '#libs/contracts';

/** Rules as they are sent to the caller. */
export interface RenderedRules {
  /** With its charset. */
  mediaType: string;
  /** UTF-8. Shared by all who asked for the same, so never to be changed. */
  content: Buffer;
  /** Of the catalog that they were made with; null where the rules service is older than this process and doesn't say. */
  catalogVersion: string | null;
}

/** A public request, and what only the rules of a project can select agents by. */
export type ProjectRulesRequest<T> = T & { agent_behaviors?: readonly AgentBehavior[] };

/** What agents may fetch, in words of their own and of servers. All throw ProblemError 503 or 504 when nobody answers. */
export abstract class RulesApi {
  /** Lines for a site's robots.txt; empty when no agent fits. */
  abstract robotsTxt(request: ProjectRulesRequest<RobotsTxtRequest>): Promise<RenderedRules>;
  /** Tokens in a list, or a part of a server's configuration. */
  abstract userAgentTokenList(request: ProjectRulesRequest<UserAgentTokenListRequest>): Promise<RenderedRules>;
}
