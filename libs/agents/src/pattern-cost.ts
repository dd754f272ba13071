import type { CharacterSet, PatternNode, Repetition } from './pattern.js';

/**
 * Upper bounds for the steps of a backtracking engine. A step tries one character or assertion. Matching a node and the
 * rest of the pattern from n adjacent start positions takes at most `once + n × each` steps.
 */
interface Cost {
  once: number;
  each: number;
}

const ONE_CHARACTER = 'a repetition of more than a single character: repeat a character or a class';
const BOUND_IT = 'give it one, such as {0,80}';
/**
 * Maximum number of characters to compare when looking for self-overlap. If they all could overlap, the rest of the
 * text is assumed to overlap, too.
 */
const MAX_COMPARED = 64;
const NOTHING: Cost = { once: 0, each: 0 };

/**
 * Returns the maximum number of steps per character of any text, or the reason why there is no such bound.
 *
 * Only single characters may repeat. An unbounded repetition must follow something that separates its start positions.
 * Otherwise, every start would scan the rest of the text again.
 */
export function stepsPerCharacter(pattern: PatternNode): number | { fault: string } {
  const [, second] = unboundedIn(pattern);
  if (second !== undefined) {
    return { fault: `has ${named(second)}, a second repetition without an upper bound: ${BOUND_IT}` };
  }
  const counter = new StepCounter();
  const { each } = counter.cost(pattern, null, 1);
  if (counter.fault !== null) return { fault: counter.fault };
  return Math.ceil(each + counter.inRuns);
}

class StepCounter {
  fault: string | null = null;
  /** Steps in unbounded repetitions, per character of the text. */
  inRuns = 0;

  /**
   * @param next Cost of the nodes that follow. Null if none do, in which case the node never has to backtrack.
   * @param reach How often the node is tried at one position of the text, across all starts and paths.
   */
  cost(node: PatternNode, next: Cost | null, reach: number): Cost {
    const rest = next ?? NOTHING;
    switch (node.kind) {
      case 'set':
        return costOfSets([node], rest);
      case 'edge':
        return sum({ once: 1, each: 1 }, rest);
      case 'sequence':
        return this.costOfSequence(node.parts, next, reach);
      case 'choice':
        return node.options.map((option) => this.cost(option, next, reach)).reduce(sum);
      case 'repeat':
        if (node.most === Infinity) return this.costOfRun(node, [], next, reach);
        return node.most <= 1 ? sum(this.cost(node.part, next, reach), rest) : this.costOfRepeat(node, rest);
    }
  }

  private costOfSequence(parts: PatternNode[], next: Cost | null, reach: number): Cost {
    let cost = next;
    for (let end = parts.length; end > 0;) {
      const sets = setsBefore(parts, end);
      const start = end - Math.max(1, sets.length);
      const [part, before] = [parts[start]!, parts.slice(0, start)];
      if (sets.length > 0) cost = costOfSets(sets, cost ?? NOTHING);
      else if (part.kind === 'repeat' && part.most === Infinity) cost = this.costOfRun(part, before, cost, reach);
      else cost = this.cost(part, cost, reach * waysThrough(before) * spread(before));
      end = start;
    }
    return cost ?? NOTHING;
  }

  /** A required character before the run, which the run can't cross, limits how many runs cover a part of the text. */
  private costOfRun(node: Repetition, before: PatternNode[], next: Cost | null, reach: number): Cost {
    const { part, least } = node;
    if (part.kind !== 'set') return this.refuse(node, ONE_CHARACTER);
    const once = least + (next?.once ?? 0);
    if (next === null) {
      this.inRuns += 1;
      return { once, each: once };
    }
    const barriers = before.map((other, index) => {
      if (other.kind === 'edge' && other.at === 'start') return spread(before);
      if (other.kind !== 'set' || !isDisjoint(other, part)) return Infinity;
      return spread(before.slice(0, index)) * (longest(before.slice(index + 1)) + 1);
    });
    const perBarrier = Math.min(Infinity, ...barriers);
    if (perBarrier === Infinity) {
      return this.refuse(node, `a repetition without an upper bound that nothing before it sets apart: ${BOUND_IT}`);
    }
    this.inRuns += reach * waysThrough(before) * perBarrier * (1 + next.each);
    return { once, each: once };
  }

  private costOfRepeat(node: Repetition, rest: Cost): Cost {
    const { part, least, most } = node;
    if (part.kind !== 'set') return this.refuse(node, ONE_CHARACTER);
    const once = most + (most - least + 1) * rest.each + rest.once;
    return { once, each: once };
  }

  private refuse(node: Repetition, fault: string): Cost {
    this.fault ??= `has ${named(node)}, ${fault}`;
    return NOTHING;
  }
}

const named = ({ source, position }: Repetition): string => `"${source}" at position ${position}`;

/**
 * A literal that hardly overlaps itself fails early at adjacent starts.
 *
 * Two starts that both get past a position are at least as far apart as the smallest shift at which the literal's first
 * character fits into the literal. Two starts that both match are as far apart as the smallest shift at which the
 * entire literal fits.
 */
function costOfSets(sets: CharacterSet[], rest: Cost): Cost {
  const shifts = [...sets.keys(), sets.length].slice(1);
  const canOverlap = (shift: number) => (set: CharacterSet, index: number) => !isDisjoint(set, sets[index + shift]!);
  const started = shifts.find((shift) => shift === sets.length || canOverlap(shift)(sets[0]!, 0))!;
  const compared = (shift: number) => sets.slice(0, Math.min(sets.length - shift, MAX_COMPARED));
  const matched = shifts.find((shift) => compared(shift).every(canOverlap(shift)))!;
  const abreast = Math.ceil(sets.length / started);
  const overlapping = { once: sets.length * abreast + rest.once, each: 1 + abreast + rest.once / matched };
  const whole = sum({ once: sets.length, each: sets.length }, rest);
  return overlapping.each < whole.each ? overlapping : whole;
}

function setsBefore(parts: PatternNode[], end: number): CharacterSet[] {
  let start = end;
  while (parts[start - 1]?.kind === 'set') start--;
  return parts.slice(start, end) as CharacterSet[];
}

const sum = (one: Cost, other: Cost): Cost => ({ once: one.once + other.once, each: one.each + other.each });

function isDisjoint(one: CharacterSet, other: CharacterSet): boolean {
  return !(one.others && other.others) && one.codes.isDisjointFrom(other.codes);
}

/** Number of ways in which consecutive nodes can match at one position. */
function waysThrough(parts: PatternNode[]): number {
  return parts.map(ways).reduce((product, number) => product * number, 1);
}

function ways(node: PatternNode): number {
  if (node.kind === 'sequence') return waysThrough(node.parts);
  if (node.kind === 'choice') return node.options.map(ways).reduce((total, number) => total + number, 0);
  if (node.kind !== 'repeat') return 1;
  return node.most <= 1 ? 1 + ways(node.part) : node.most - node.least + 1;
}

/** Number of possible match lengths. */
const spread = (parts: PatternNode[]): number => longest(parts) - shortest(parts) + 1;
const longest = (parts: PatternNode[]): number => lengthOf({ kind: 'sequence', parts }, Math.max, 'most');
const shortest = (parts: PatternNode[]): number => lengthOf({ kind: 'sequence', parts }, Math.min, 'least');

function lengthOf(node: PatternNode, pick: (...lengths: number[]) => number, bound: 'least' | 'most'): number {
  const inner = (part: PatternNode) => lengthOf(part, pick, bound);
  if (node.kind === 'set') return 1;
  if (node.kind === 'sequence') return node.parts.map(inner).reduce((total, length) => total + length, 0);
  if (node.kind === 'choice') return pick(...node.options.map(inner));
  return node.kind === 'repeat' ? node[bound] * inner(node.part) : 0;
}

/** Unbounded repetitions on the path that contains the most of them. */
function unboundedIn(node: PatternNode): Repetition[] {
  if (node.kind === 'sequence') return node.parts.flatMap(unboundedIn);
  if (node.kind === 'choice') {
    return node.options.map(unboundedIn).reduce((most, one) => (one.length > most.length ? one : most));
  }
  if (node.kind !== 'repeat') return [];
  return [...(node.most === Infinity ? [node] : []), ...unboundedIn(node.part)];
}
