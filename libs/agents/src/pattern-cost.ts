import type { CharacterSet, PatternNode, Repetition } from './pattern.js';

/**
 * Bounds of the steps that a backtracking engine takes, one for each character or edge that it tries: n neighboring
 * starts of a node, each with all that follows it, take at most `once + n × each`.
 */
interface Cost {
  once: number;
  each: number;
}

const ONE_CHARACTER = 'a repetition of more than a single character: repeat a character or a class';
const BOUND_IT = 'give it one, such as {0,80}';
/** Characters of a text that are compared with itself: longer ones that repeat in so many are taken to repeat in all. */
const MAX_COMPARED = 64;
const NOTHING: Cost = { once: 0, each: 0 };

/**
 * Returns how many steps a search for the pattern takes at most for each character of the text, whatever that holds, or
 * why no such bound is known: only single characters may repeat, and what comes before a repetition without an upper
 * bound has to set it apart, else each start would scan the rest again.
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
  /** In repetitions without an upper bound, for each character of the text. */
  inRuns = 0;

  /**
   * @param next what follows; `null`: nothing does, so that the node never has to give back what it took.
   * @param reach how often the node is tried at one position of the text, from all starts and in all ways to get there.
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

  /** A character that must come before, and that the run can't cross, has each part of the text be in few runs. */
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
 * Neighboring starts of a text that hardly overlaps itself fail early: two starts that both get past a position are at
 * least as far apart as the smallest shift at which the text's first character fits into it, two that both match are as
 * far apart as the smallest shift at which all of it fits.
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

/** In how many ways nodes match at a position, one after another. */
function waysThrough(parts: PatternNode[]): number {
  return parts.map(ways).reduce((product, number) => product * number, 1);
}

function ways(node: PatternNode): number {
  if (node.kind === 'sequence') return waysThrough(node.parts);
  if (node.kind === 'choice') return node.options.map(ways).reduce((total, number) => total + number, 0);
  if (node.kind !== 'repeat') return 1;
  return node.most <= 1 ? 1 + ways(node.part) : node.most - node.least + 1;
}

/** How many lengths what nodes match can have. */
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

/** Repetitions without an upper bound, on the path that has most. */
function unboundedIn(node: PatternNode): Repetition[] {
  if (node.kind === 'sequence') return node.parts.flatMap(unboundedIn);
  if (node.kind === 'choice') {
    return node.options.map(unboundedIn).reduce((most, one) => (one.length > most.length ? one : most));
  }
  if (node.kind !== 'repeat') return [];
  return [...(node.most === Infinity ? [node] : []), ...unboundedIn(node.part)];
}
