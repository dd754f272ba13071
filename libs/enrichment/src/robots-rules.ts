import type { RobotsJudgment } from '#libs/contracts';
import {
  AgentRules,
  findGroups,
  isSmallGroup,
  parseRobotsFile,
  type NamedGroup,
  type RobotsFile,
  type RobotsGroup,
} from '#libs/robots';

/** Maximum number of comparisons per visit. Without this limit, a crafted file or path could use excessive CPU time. */
const MAX_COMPARISONS = 100_000;
/** Memory that parts of a file use in addition to its text, in bytes. */
const BYTES_PER_RULE = 600;
const BYTES_PER_USER_AGENT = 250;
/** Memory for a rule of a small group in the index of each agent that the group names, in bytes. */
const BYTES_PER_INDEXED_RULE = 6_000;

/** A parsed robots.txt file. Rules are indexed on first use. */
export class RobotsRules {
  private readonly file: RobotsFile;
  private readonly rulesByGroups = new WeakMap<readonly NamedGroup[], AgentRules>();

  /** @param text Stored file content, already truncated to the size limit. */
  constructor(readonly text: string) {
    this.file = parseRobotsFile(Buffer.from(text), Infinity);
  }

  /** Approximate memory use in bytes. */
  get bytes(): number {
    return this.file.groups.reduce((sum, group) => sum + getGroupBytes(group), this.text.length + BYTES_PER_RULE);
  }

  /**
   * Determines whether an agent is allowed to fetch a path.
   *
   * @param token Product token of the agent, or `*`.
   * @param path Path with query, starting with a slash.
   * @returns null if the number of comparisons exceeds the limit.
   */
  judge(token: string, path: string): Pick<RobotsJudgment, 'verdict' | 'line'> | null {
    const match = this.getAgentRules(token).find(path, MAX_COMPARISONS);
    if (match === undefined) return null;
    if (match === null) return { verdict: 'allowed', line: null };
    return { verdict: match.rule.isAllow ? 'allowed' : 'disallowed', line: match.rule.line };
  }

  private getAgentRules(token: string): AgentRules {
    const groups = findGroups(this.file, token);
    const rules = this.rulesByGroups.get(groups) ?? new AgentRules(groups);
    this.rulesByGroups.set(groups, rules);
    return rules;
  }
}

function getGroupBytes(group: RobotsGroup): number {
  const { userAgents, rules } = group;
  const indexedBytes = isSmallGroup(group) ? rules.length * BYTES_PER_INDEXED_RULE : 0;
  return rules.length * BYTES_PER_RULE + userAgents.length * (BYTES_PER_USER_AGENT + indexedBytes);
}
