import { AgentRules } from './agent-rules.js';
import { groupsFor, type NamedGroup, type RobotsFile, type RobotsRule, type UserAgentLine } from './robots-file.js';

/** Whether an agent may fetch a path, and what decides. */
export type RobotsDecision =
  | { reason: 'rule'; isAllowed: boolean; rule: RobotsRule; userAgent: UserAgentLine }
  | { reason: 'no_rule'; isAllowed: true; groups: NamedGroup[] }
  | { reason: 'no_group'; isAllowed: true }
  /** The path is that of robots.txt itself. */
  | { reason: 'robots_txt'; isAllowed: true };

/**
 * By RFC 9309 section 2.2.2: of the rules that match the longest counts, and of those of one length one that allows.
 *
 * @param token the agent's product token, or `*`.
 * @param path with its query, starting with a slash.
 */
export function decide(file: RobotsFile, token: string, path: string): RobotsDecision {
  if (path === '/robots.txt') return { reason: 'robots_txt', isAllowed: true };
  const groups = groupsFor(file, token);
  if (groups.length === 0) return { reason: 'no_group', isAllowed: true };
  const found = new AgentRules(groups).find(path);
  if (found == null) return { reason: 'no_rule', isAllowed: true, groups };
  return { reason: 'rule', isAllowed: found.rule.isAllow, ...found };
}
