import { comparablePath } from './path-pattern.js';
import type { NamedGroup, RobotsRule, UserAgentLine } from './robots-file.js';

/** A rule, and the user-agent line that makes it apply. */
interface ApplyingRule {
  rule: RobotsRule;
  userAgent: UserAgentLine;
}

interface Node {
  prefix: string;
  /** Node of the longest other prefix that this one starts with. */
  parent: Node | null;
  rules: ApplyingRule[];
}

/** Fixed cost of trying a rule, in steps. */
const STEPS_PER_RULE = 50;

/**
 * Rules that an agent must follow, indexed so that many paths can be checked. Binary search finds the rules that share
 * a prefix with the path, and only those are tried.
 */
export class AgentRules {
  /** Sorted by prefix. */
  private readonly nodes: Node[] = [];

  constructor(groups: readonly NamedGroup[]) {
    const byPrefix = new Map<string, Map<string, ApplyingRule>>();
    for (const { userAgent, rules } of groups) {
      for (const rule of rules) {
        const { prefix, text } = rule.pattern;
        const alike = byPrefix.get(prefix) ?? new Map<string, ApplyingRule>();
        byPrefix.set(prefix, alike);
        // If rules have the same path, the first allow rule wins, or else the first rule.
        const earlier = alike.get(text);
        if (earlier === undefined || (rule.isAllow && !earlier.rule.isAllow)) alike.set(text, { rule, userAgent });
      }
    }
    const open: Node[] = [];
    for (const prefix of [...byPrefix.keys()].toSorted()) {
      while (open.length > 0 && !prefix.startsWith(open.at(-1)!.prefix)) open.pop();
      const node = { prefix, parent: open.at(-1) ?? null, rules: [...byPrefix.get(prefix)!.values()] };
      this.nodes.push(node);
      open.push(node);
    }
  }

  /**
   * Finds the rule that decides about a path (RFC 9309 section 2.2.2). The longest match wins, and allow rules win
   * ties.
   *
   * @param path Path with its query, starting with a slash.
   * @param maxSteps Maximum number of characters to compare. Both the file and the path are untrusted.
   * @returns null if no rule matches, or undefined if the limit is exceeded.
   */
  find(path: string, maxSteps = Infinity): ApplyingRule | null | undefined {
    const comparable = comparablePath(path);
    const [spelled] = comparable as [string];
    let steps = 0;
    let best: ApplyingRule | null = null;
    for (let node = this.lastUpTo(spelled); node !== null; node = node.parent) {
      steps += Math.min(node.prefix.length, spelled.length);
      if (steps > maxSteps) return undefined;
      if (!spelled.startsWith(node.prefix)) continue;
      for (const each of node.rules) {
        const { pattern } = each.rule;
        if (best !== null && !precedes(each.rule, best.rule)) continue;
        // A pattern without wildcards equals its prefix, which already matched.
        if (pattern.text !== pattern.prefix) {
          steps += spelled.length + STEPS_PER_RULE;
          if (steps > maxSteps) return undefined;
          if (!pattern.matches(comparable)) continue;
        }
        best = each;
      }
    }
    return best;
  }

  /**
   * Finds the last node whose prefix sorts no later than the path. Each prefix of the path belongs to this node or one
   * of its parents.
   */
  private lastUpTo(path: string): Node | null {
    let [low, high] = [0, this.nodes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.nodes[middle]!.prefix <= path) low = middle + 1;
      else high = middle;
    }
    return this.nodes[low - 1] ?? null;
  }
}

/**
 * Returns true if a rule takes precedence over another: longer before shorter, then allow before disallow, then the
 * earlier line.
 */
function precedes(one: RobotsRule, other: RobotsRule): boolean {
  const longer = one.pattern.length - other.pattern.length;
  if (longer !== 0) return longer > 0;
  if (one.isAllow !== other.isAllow) return one.isAllow;
  return one.line < other.line;
}
