import { AgentRules } from './agent-rules.js';
import { groupsFor, type NamedGroup, type RobotsFile, type RobotsRule, type UserAgentLine } from './robots-file.js';

export type RobotsDecision =
  | { reason: 'rule'; isAllowed: boolean; rule: RobotsRule; userAgent: UserAgentLine }
  | { reason: 'no_rule'; isAllowed: true; groups: NamedGroup[] }
  | { reason: 'no_group'; isAllowed: true }
  /** The path is /robots.txt, which is always allowed. */
  | { reason: 'robots_txt'; isAllowed: true };

/**
 * Decides whether an agent may fetch a path (RFC 9309 section 2.2.2). The longest matching rule wins, and allow rules
 * win ties.
 *
 * @param token Product token of the agent, or `*`.
 * @param path Path with its query, starting with a slash.
 */
export function decide(file: RobotsFile, token: string, path: string): RobotsDecision {
  if (path === '/robots.txt') return { reason: 'robots_txt', isAllowed: true };
  const groups = groupsFor(file, token);
  if (groups.length === 0) return { reason: 'no_group', isAllowed: true };
  const found = new AgentRules(groups).find(path);
  if (found == null) return { reason: 'no_rule', isAllowed: true, groups };
  return { reason: 'rule', isAllowed: found.rule.isAllow, ...found };
}
