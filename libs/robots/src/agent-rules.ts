import { comparablePath } from './path-pattern.js';
import type { NamedGroup, RobotsRule, UserAgentLine } from './robots-file.js';

/** A rule, with the line that says whom it is for. */
interface ApplyingRule {
  rule: RobotsRule;
  userAgent: UserAgentLine;
}

/** Rules whose patterns begin alike. */
interface Node {
  prefix: string;
  /** The longest other prefix that this one begins with. */
  parent: Node | null;
  rules: ApplyingRule[];
}

/** What it takes to try a rule, however short the path is. */
const STEPS_PER_RULE = 50;

/**
 * The rules that an agent has to obey, made ready to decide about many paths: only those are compared with a path that
 * begin as it does, and these are found by binary search.
 */
export class AgentRules {
  /** By prefix. */
  private readonly nodes: Node[] = [];

  constructor(groups: readonly NamedGroup[]) {
    const byPrefix = new Map<string, Map<string, ApplyingRule>>();
    for (const { userAgent, rules } of groups) {
      for (const rule of rules) {
        const { prefix, text } = rule.pattern;
        const alike = byPrefix.get(prefix) ?? new Map<string, ApplyingRule>();
        byPrefix.set(prefix, alike);
        // Of the same path twice the first counts, or the first that allows it.
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
   * By RFC 9309 section 2.2.2: of the rules that match the longest counts, and of those of one length one that allows.
   *
   * @param path with its query, starting with a slash.
   * @param maxSteps characters that may be compared: the file is somebody else's, and so is the path.
   * @returns null when none matches, undefined when it would take more steps.
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
        // A plain path is a prefix, which has been compared.
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

  /** Everything that a path begins with is this node's prefix, or one of its parents'. */
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

/** Whether a rule counts before another: the longer one, of the same length one that allows, then the first. */
function precedes(one: RobotsRule, other: RobotsRule): boolean {
  const longer = one.pattern.length - other.pattern.length;
  if (longer !== 0) return longer > 0;
  if (one.isAllow !== other.isAllow) return one.isAllow;
  return one.line < other.line;
}
