import type { CrawlPurpose } from '#libs/agents/vocabulary';
import type { PermissionMechanism as Mechanism, PermissionOutcome as Outcome } from '#libs/contracts';

/** Permission that a site grants or refuses for a purpose. */
export interface Statement {
  purpose: CrawlPurpose;
  mechanism: Mechanism;
  outcome: Outcome;
  /** Robots.txt token in lower case, `*` for agents that no group names, or null if it applies to all agents. */
  audience: string | null;
  /**
   * False if the permission only follows from the lack of a rule. It can still be contradicted by refused requests, but
   * not by restrictions on the use of content.
   */
  isExplicit: boolean;
  /** Line in robots.txt, URL of the license, or header or response with an example. */
  text: string;
  /** Line number in robots.txt, or null. */
  line: number | null;
}

/** Agents that follow the same groups in robots.txt. */
export interface Audience {
  /** Robots.txt token in lower case, or `*`. */
  key: string;
  /** Tokens of the catalog agents. */
  agents: string[];
}
