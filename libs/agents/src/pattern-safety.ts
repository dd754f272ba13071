import { needsOf } from './pattern-literals.js';
import { parsePattern, type CharacterSet, type PatternNode } from './pattern.js';

/** Ways in which the optional and bounded parts of a pattern can be combined, at most. */
const MOST_COMBINATIONS = 1_024;

/**
 * Says why a user-agent pattern can't be used, or `null` when it can.
 *
 * What passes takes time linear in the User-Agent's length, whatever that holds. The grammar allowed is small: only
 * single characters repeat, at most one repetition in an alternative has no upper bound, what comes before it stands
 * apart from it (else each start would scan the rest again), and bounded choices are few.
 */
export function patternFault(source: string): string | null {
  const tree = parsePattern(source);
  if (tree === null) return 'is not an expression of the kind allowed';
  const { shortest, literals } = needsOf(tree);
  if (shortest === 0) return 'can match no text at all';
  if (literals.length === 0) return 'must require a literal text of at least 3 characters';
  const cost = costOf(tree, true);
  if (cost.fault !== null) return cost.fault;
  if (cost.unbounded > 1) return 'has more than one repetition without an upper bound';
  return cost.combinations > MOST_COMBINATIONS ? 'has too many optional parts' : null;
}

interface Cost {
  fault: string | null;
  /** Repetitions without an upper bound on one path. */
  unbounded: number;
  combinations: number;
}

const EXPOSED = 'has a repetition without an upper bound that what comes before it does not set apart';
const NONE: Cost = { fault: null, unbounded: 0, combinations: 1 };

/** @param last nothing follows the node, so it never has to give back what it took */
function costOf(node: PatternNode, last: boolean): Cost {
  switch (node.kind) {
    case 'set':
    case 'edge':
      return NONE;
    case 'look':
      return costOf(node.part, false);
    case 'sequence':
      return sequenceCost(node.parts, last);
    case 'choice': {
      const options = node.options.map((option) => costOf(option, last));
      return {
        fault: options.find((option) => option.fault !== null)?.fault ?? null,
        unbounded: Math.max(...options.map((option) => option.unbounded)),
        combinations: options.reduce((sum, option) => sum + option.combinations, 0),
      };
    }
    case 'repeat':
      return repeatCost(node, last);
  }
}

function sequenceCost(parts: PatternNode[], last: boolean): Cost {
  const isLast = (index: number) => last && index === parts.length - 1;
  const costs = parts.map((part, index) => costOf(part, isLast(index)));
  const exposed = parts.some(
    (part, index) =>
      part.kind === 'repeat' &&
      part.most === Infinity &&
      !isLast(index) &&
      !standsApart(part.part, parts.slice(0, index)),
  );
  return {
    fault: costs.find((cost) => cost.fault !== null)?.fault ?? (exposed ? EXPOSED : null),
    unbounded: costs.reduce((sum, cost) => sum + cost.unbounded, 0),
    combinations: costs.reduce((product, cost) => product * cost.combinations, 1),
  };
}

/** A character that must come before, and that the repetition can't run over, keeps it from being tried anywhere else. */
function standsApart(repeated: PatternNode, before: PatternNode[]): boolean {
  if (repeated.kind !== 'set') return false;
  return before.some(
    (part) => (part.kind === 'set' && isDisjoint(part, repeated)) || (part.kind === 'edge' && part.at === 'start'),
  );
}

function isDisjoint(one: CharacterSet, other: CharacterSet): boolean {
  return !(one.others && other.others) && ![...one.codes].some((code) => other.codes.has(code));
}

function repeatCost({ part, least, most }: Extract<PatternNode, { kind: 'repeat' }>, last: boolean): Cost {
  if (most === Infinity) {
    const fault = part.kind === 'set' ? null : 'repeats more than a single character without an upper bound';
    return { fault, unbounded: 1, combinations: 1 };
  }
  const inner = costOf(part, last && most === 1);
  if (most <= 1) return { ...inner, combinations: inner.combinations + 1 };
  const fault = part.kind === 'set' ? null : 'repeats more than a single character';
  return { fault, unbounded: 0, combinations: most - least + 1 };
}
