import { stepsPerCharacter } from './pattern-cost.js';
import { needsOf } from './pattern-literals.js';
import { PatternError, readPattern, type PatternNode } from './pattern.js';
import { MAX_PATTERN_LENGTH } from './vocabulary.js';

const MAX_STEPS_PER_CHARACTER = 128;

/**
 * Returns why a user-agent pattern can't be used, or null if it can. A pattern must be in the subset of `pattern.ts`
 * and require a literal, which the matcher needs to find it.
 *
 * An accepted pattern takes at most {@link MAX_STEPS_PER_CHARACTER} steps per character of any User-Agent.
 */
export function patternFault(source: string): string | null {
  if (source.length > MAX_PATTERN_LENGTH) {
    const [has, most] = [source.length, MAX_PATTERN_LENGTH].map((number) => number.toLocaleString('en'));
    return `has ${has} characters, more than ${most}: shorten it, or write several patterns`;
  }
  let tree: PatternNode;
  try {
    tree = readPattern(source);
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
  const { shortest, literals } = needsOf(tree);
  if (shortest === 0) return 'must not match an empty text: require at least 3 literal characters';
  if (literals.length === 0) return 'must contain a literal text of at least 3 characters';
  const steps = stepsPerCharacter(tree);
  if (typeof steps !== 'number') return steps.fault;
  if (steps <= MAX_STEPS_PER_CHARACTER) return null;
  return `can take ${steps.toLocaleString('en')} steps for each character, more than ${MAX_STEPS_PER_CHARACTER}: shorten its repetitions`;
}
