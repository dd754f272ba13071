import { AgentRules } from './agent-rules.js';
import { findGroups, type NamedGroup, type RobotsFile, type RobotsRule, type UserAgentLine } from './robots-file.js';

export type RobotsDecision =
  | { reason: 'rule'; isAllowed: boolean; rule: RobotsRule; userAgent: UserAgentLine }
  | { reason: 'no_rule'; isAllowed: true; groups: NamedGroup[] }
  | { reason: 'no_group'; isAllowed: true }
  /** The path is /robots.txt, which is always allowed. */
  | { reason: 'robots_txt'; isAllowed: true };

/**
 * Decides whether an agent may fetch a path (RFC 9309, section 2.2.2). The longest matching rule wins, and allow rules
 * win ties.
 *
 * @param token The agent's product token, or `*`.
 * @param path Path and query, starting with a slash.
 */
export function decideRobotsAccess(file: RobotsFile, token: string, path: string): RobotsDecision {
  if (path === '/robots.txt') return { reason: 'robots_txt', isAllowed: true };
  const groups = findGroups(file, token);
  if (groups.length === 0) return { reason: 'no_group', isAllowed: true };
  const applicableRule = new AgentRules(groups).find(path);
  if (applicableRule == null) return { reason: 'no_rule', isAllowed: true, groups };
  return { reason: 'rule', isAllowed: applicableRule.rule.isAllow, ...applicableRule };
}
