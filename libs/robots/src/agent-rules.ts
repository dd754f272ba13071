import { toComparablePath } from './path-pattern.js';
import type { NamedGroup, RobotsRule, UserAgentLine } from './robots-file.js';

/** A rule and the user-agent line that makes it apply. */
interface ApplicableRule {
  rule: RobotsRule;
  userAgent: UserAgentLine;
}

interface PrefixNode {
  prefix: string;
  /** Node with the longest shorter prefix that this node's prefix starts with. */
  parent: PrefixNode | null;
  rules: RobotsRule[];
}

/** Rules of one or more groups. */
interface RuleIndex {
  nodes: readonly PrefixNode[];
  userAgentOf: (rule: RobotsRule) => UserAgentLine;
}

/** Fixed costs of searching an index and trying a rule, in steps. */
const FIXED_STEPS_PER_INDEX = 3;
const FIXED_STEPS_PER_RULE = 50;
/** Groups with at most this many rules are cheap to index again for each agent. */
const MAX_SMALL_GROUP_RULES = 8;

/** Returns true if each agent that the group names has its own index of the group's rules. */
export const isSmallGroup = ({ rules }: { rules: readonly RobotsRule[] }): boolean =>
  rules.length <= MAX_SMALL_GROUP_RULES;

/** Indexes of large groups by their rules. Agents that share a large group share its index. */
const indexes = new WeakMap<readonly RobotsRule[], readonly PrefixNode[]>();

/**
 * Indexes the rules that an agent must follow, so many paths can be checked quickly. A binary search finds the rules
 * whose prefix matches the path, and only those are tried. Each large group has its own index, and all small groups
 * share one.
 */
export class AgentRules {
  private readonly indexes: readonly RuleIndex[];

  constructor(groups: readonly NamedGroup[]) {
    const large = groups.filter((group) => !isSmallGroup(group));
    const userAgents = new Map<RobotsRule, UserAgentLine>();
    for (const { rules, userAgent } of groups.filter(isSmallGroup)) {
      for (const rule of rules) userAgents.set(rule, userAgent);
    }
    this.indexes = [
      ...large.map(({ rules, userAgent }) => ({ nodes: getIndex(rules), userAgentOf: () => userAgent })),
      { nodes: createIndex([...userAgents.keys()]), userAgentOf: (rule) => userAgents.get(rule)! },
    ];
  }

  /**
   * Finds the rule that applies to a path (RFC 9309, section 2.2.2). The longest match wins, and allow rules win ties.
   *
   * @param path Path and query, starting with a slash.
   * @param maxSteps Maximum number of characters to compare. It is needed because both the file and the path are
   *   untrusted.
   * @returns Null if no rule matches, or undefined if the step limit is exceeded.
   */
  find(path: string, maxSteps = Infinity): ApplicableRule | null | undefined {
    const comparable = toComparablePath(path);
    const [spelling] = comparable as [string];
    let steps = 0;
    let best: ApplicableRule | null = null;
    for (const { nodes, userAgentOf } of this.indexes) {
      steps += FIXED_STEPS_PER_INDEX;
      for (let node = findLastUpTo(nodes, spelling); node !== null; node = node.parent) {
        steps += Math.min(node.prefix.length, spelling.length);
        if (steps > maxSteps) return undefined;
        if (!spelling.startsWith(node.prefix)) continue;
        for (const rule of node.rules) {
          const { pattern } = rule;
          if (best !== null && !precedes(rule, best.rule)) continue;
          // Only patterns with wildcards need to be tried. Any other pattern equals its prefix, which already matched.
          if (pattern.text !== pattern.prefix) {
            steps += spelling.length + FIXED_STEPS_PER_RULE;
            if (steps > maxSteps) return undefined;
            if (!pattern.matches(comparable)) continue;
          }
          best = { rule, userAgent: userAgentOf(rule) };
        }
      }
    }
    return best;
  }
}

function getIndex(rules: readonly RobotsRule[]): readonly PrefixNode[] {
  const index = indexes.get(rules) ?? createIndex(rules);
  indexes.set(rules, index);
  return index;
}

/** Returns nodes sorted by prefix. */
function createIndex(rules: readonly RobotsRule[]): readonly PrefixNode[] {
  const byPrefix = new Map<string, Map<string, RobotsRule>>();
  for (const rule of rules) {
    const { prefix, text } = rule.pattern;
    const rulesWithPrefix = byPrefix.get(prefix) ?? new Map<string, RobotsRule>();
    byPrefix.set(prefix, rulesWithPrefix);
    // If several rules have the same path, only one of them is kept: the first one that allows the path, or the first
    // one if none does.
    const earlier = rulesWithPrefix.get(text);
    if (earlier === undefined || (rule.isAllow && !earlier.isAllow)) rulesWithPrefix.set(text, rule);
  }
  const nodes: PrefixNode[] = [];
  const ancestors: PrefixNode[] = [];
  for (const prefix of [...byPrefix.keys()].toSorted()) {
    while (ancestors.length > 0 && !prefix.startsWith(ancestors.at(-1)!.prefix)) ancestors.pop();
    const node = { prefix, parent: ancestors.at(-1) ?? null, rules: [...byPrefix.get(prefix)!.values()] };
    nodes.push(node);
    ancestors.push(node);
  }
  return nodes;
}

/**
 * Finds the last node whose prefix sorts at or before the path. All prefixes of the path belong to this node or its
 * ancestors.
 */
function findLastUpTo(nodes: readonly PrefixNode[], path: string): PrefixNode | null {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (nodes[middle]!.prefix <= path) low = middle + 1;
    else high = middle;
  }
  return nodes[low - 1] ?? null;
}

/** Longer rules take precedence over shorter ones, then allow rules over disallow rules, then earlier lines. */
function precedes(candidateRule: RobotsRule, otherRule: RobotsRule): boolean {
  const lengthDifference = candidateRule.pattern.length - otherRule.pattern.length;
  if (lengthDifference !== 0) return lengthDifference > 0;
  if (candidateRule.isAllow !== otherRule.isAllow) return candidateRule.isAllow;
  return candidateRule.line < otherRule.line;
}
