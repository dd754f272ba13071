import type { CharacterSet, PatternNode, Repetition } from './pattern.js';

/**
 * Upper bound on the steps of a backtracking engine. A step tries one character or assertion. Matching a node and the
 * rest of the pattern from n adjacent start positions takes at most `fixedSteps + n × stepsPerStart` steps.
 */
interface Cost {
  fixedSteps: number;
  stepsPerStart: number;
}

const ONE_CHARACTER = 'which repeats more than a single character: repeat only a character or a class';
const ADD_UPPER_BOUND = 'add an upper bound, such as {0,80}';
/**
 * Maximum number of characters to compare when checking a literal for self-overlap. If they could all overlap, the rest
 * is assumed to overlap, too.
 */
const MAX_COMPARED_CHARACTERS = 64;
const ZERO_COST: Cost = { fixedSteps: 0, stepsPerStart: 0 };

/**
 * Returns the maximum number of matching steps per input character, or the reason why the number is unbounded.
 *
 * Only single characters may be repeated. An unbounded repetition must come after a separator that it can't match.
 * Otherwise, each start position would scan the rest of the text again.
 */
export function stepsPerCharacter(pattern: PatternNode): number | { fault: string } {
  const [, second] = findUnboundedRepetitions(pattern);
  if (second !== undefined) {
    return { fault: `has a second unbounded repetition, ${describeRepetition(second)}: ${ADD_UPPER_BOUND}` };
  }
  const counter = new StepCounter();
  const { stepsPerStart: boundedSteps } = counter.cost(pattern, null, 1);
  if (counter.fault !== null) return { fault: counter.fault };
  return Math.ceil(boundedSteps + counter.unboundedSteps);
}

class StepCounter {
  fault: string | null = null;
  /** Steps in unbounded repetitions, per input character. */
  unboundedSteps = 0;

  /**
   * @param next Cost of the following nodes, or null if there are none and the node never has to backtrack.
   * @param reach Number of times that the node can be tried at the same position in the text, counting all starts and
   * paths.
   */
  cost(node: PatternNode, next: Cost | null, reach: number): Cost {
    const rest = next ?? ZERO_COST;
    switch (node.kind) {
      case 'set':
        return costOfSets([node], rest);
      case 'edge':
        return addCosts({ fixedSteps: 1, stepsPerStart: 1 }, rest);
      case 'sequence':
        return this.costOfSequence(node.parts, next, reach);
      case 'choice':
        return node.options.map((option) => this.cost(option, next, reach)).reduce(addCosts);
      case 'repeat':
        if (node.most === Infinity) return this.costOfRun(node, [], next, reach);
        return node.most <= 1 ? addCosts(this.cost(node.part, next, reach), rest) : this.costOfRepeat(node, rest);
    }
  }

  private costOfSequence(parts: PatternNode[], next: Cost | null, reach: number): Cost {
    let cost = next;
    for (let end = parts.length; end > 0;) {
      const sets = takeSetsBefore(parts, end);
      const start = end - Math.max(1, sets.length);
      const [part, before] = [parts[start]!, parts.slice(0, start)];
      if (sets.length > 0) cost = costOfSets(sets, cost ?? ZERO_COST);
      else if (part.kind === 'repeat' && part.most === Infinity) cost = this.costOfRun(part, before, cost, reach);
      else cost = this.cost(part, cost, reach * countSequenceWays(before) * countMatchLengths(before));
      end = start;
    }
    return cost ?? ZERO_COST;
  }

  /**
   * Returns the cost of an unbounded repetition (a run). Rejects a run unless it follows a character that it can't
   * match itself. Otherwise, any number of runs could cover the same text.
   */
  private costOfRun(node: Repetition, before: PatternNode[], next: Cost | null, reach: number): Cost {
    const { part, least } = node;
    if (part.kind !== 'set') return this.reject(node, ONE_CHARACTER);
    const steps = least + (next?.fixedSteps ?? 0);
    if (next === null) {
      this.unboundedSteps += 1;
      return { fixedSteps: steps, stepsPerStart: steps };
    }
    const barriers = before.map((other, index) => {
      if (other.kind === 'edge' && other.at === 'start') return countMatchLengths(before);
      if (other.kind !== 'set' || !isDisjoint(other, part)) return Infinity;
      return countMatchLengths(before.slice(0, index)) * (getMaxLength(before.slice(index + 1)) + 1);
    });
    const perBarrier = Math.min(Infinity, ...barriers);
    if (perBarrier === Infinity) {
      return this.reject(node, `an unbounded repetition without a separator before it: ${ADD_UPPER_BOUND}`);
    }
    this.unboundedSteps += reach * countSequenceWays(before) * perBarrier * (1 + next.stepsPerStart);
    return { fixedSteps: steps, stepsPerStart: steps };
  }

  private costOfRepeat(node: Repetition, rest: Cost): Cost {
    const { part, least, most } = node;
    if (part.kind !== 'set') return this.reject(node, ONE_CHARACTER);
    const steps = most + (most - least + 1) * rest.stepsPerStart + rest.fixedSteps;
    return { fixedSteps: steps, stepsPerStart: steps };
  }

  private reject(node: Repetition, fault: string): Cost {
    this.fault ??= `has ${describeRepetition(node)}, ${fault}`;
    return ZERO_COST;
  }
}

const describeRepetition = ({ source, position }: Repetition): string => `"${source}" at position ${position}`;

/**
 * Returns the cost of a literal. A literal that hardly overlaps itself fails early at adjacent starts.
 *
 * The distance between two starts that get past the same position is at least the smallest shift at which the literal's
 * first character can overlap the literal. The distance between two starts that both match is at least the smallest
 * shift at which the entire literal can overlap itself.
 */
function costOfSets(sets: CharacterSet[], rest: Cost): Cost {
  const shifts = [...sets.keys(), sets.length].slice(1);
  const canOverlap = (shift: number) => (set: CharacterSet, index: number) => !isDisjoint(set, sets[index + shift]!);
  const minStartDistance = shifts.find((shift) => shift === sets.length || canOverlap(shift)(sets[0]!, 0))!;
  const getComparedSets = (shift: number) => sets.slice(0, Math.min(sets.length - shift, MAX_COMPARED_CHARACTERS));
  const minMatchDistance = shifts.find((shift) => getComparedSets(shift).every(canOverlap(shift)))!;
  const overlapCount = Math.ceil(sets.length / minStartDistance);
  const overlapCost = {
    fixedSteps: sets.length * overlapCount + rest.fixedSteps,
    stepsPerStart: 1 + overlapCount + rest.fixedSteps / minMatchDistance,
  };
  const totalCost = addCosts({ fixedSteps: sets.length, stepsPerStart: sets.length }, rest);
  return overlapCost.stepsPerStart < totalCost.stepsPerStart ? overlapCost : totalCost;
}

function takeSetsBefore(parts: PatternNode[], end: number): CharacterSet[] {
  let start = end;
  while (parts[start - 1]?.kind === 'set') start--;
  return parts.slice(start, end) as CharacterSet[];
}

const addCosts = (one: Cost, other: Cost): Cost => ({
  fixedSteps: one.fixedSteps + other.fixedSteps,
  stepsPerStart: one.stepsPerStart + other.stepsPerStart,
});

function isDisjoint(one: CharacterSet, other: CharacterSet): boolean {
  return !(one.others && other.others) && one.codes.isDisjointFrom(other.codes);
}

/** Returns the number of ways in which consecutive nodes can match at one position. */
function countSequenceWays(parts: PatternNode[]): number {
  return parts.map(countWays).reduce((product, number) => product * number, 1);
}

function countWays(node: PatternNode): number {
  if (node.kind === 'sequence') return countSequenceWays(node.parts);
  if (node.kind === 'choice') return node.options.map(countWays).reduce((total, number) => total + number, 0);
  if (node.kind !== 'repeat') return 1;
  return node.most <= 1 ? 1 + countWays(node.part) : node.most - node.least + 1;
}

/** Returns the number of possible match lengths. */
const countMatchLengths = (parts: PatternNode[]): number => getMaxLength(parts) - getMinLength(parts) + 1;
const getMaxLength = (parts: PatternNode[]): number => getLength({ kind: 'sequence', parts }, Math.max, 'most');
const getMinLength = (parts: PatternNode[]): number => getLength({ kind: 'sequence', parts }, Math.min, 'least');

function getLength(node: PatternNode, pick: (...lengths: number[]) => number, bound: 'least' | 'most'): number {
  const getPartLength = (part: PatternNode) => getLength(part, pick, bound);
  if (node.kind === 'set') return 1;
  if (node.kind === 'sequence') return node.parts.map(getPartLength).reduce((total, length) => total + length, 0);
  if (node.kind === 'choice') return pick(...node.options.map(getPartLength));
  return node.kind === 'repeat' ? node[bound] * getPartLength(node.part) : 0;
}

/** Returns the unbounded repetitions on the path with the largest number of them. */
function findUnboundedRepetitions(node: PatternNode): Repetition[] {
  if (node.kind === 'sequence') return node.parts.flatMap(findUnboundedRepetitions);
  if (node.kind === 'choice') {
    return node.options.map(findUnboundedRepetitions).reduce((most, one) => (one.length > most.length ? one : most));
  }
  if (node.kind !== 'repeat') return [];
  return [...(node.most === Infinity ? [node] : []), ...findUnboundedRepetitions(node.part)];
}
