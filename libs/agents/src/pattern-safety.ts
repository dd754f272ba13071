import { stepsPerCharacter } from './pattern-cost.js';
import { analyzePattern } from './pattern-literals.js';
import { PatternError, parsePatternOrThrow, type PatternNode } from './pattern.js';
import { MAX_PATTERN_LENGTH } from './vocabulary.js';

const MAX_STEPS_PER_CHARACTER = 128;

/**
 * Returns the reason why a user-agent pattern is rejected, or null if it is accepted. A pattern must use the syntax that
 * `pattern.ts` supports and contain a required literal, which the matcher searches for. Matching must take at most
 * {@link MAX_STEPS_PER_CHARACTER} steps per character of any User-Agent.
 */
export function findPatternFault(source: string): string | null {
  if (source.length > MAX_PATTERN_LENGTH) {
    const [patternLength, maxLength] = [source.length, MAX_PATTERN_LENGTH].map((number) => number.toLocaleString('en'));
    return `has ${patternLength} characters, but the maximum is ${maxLength}: shorten it or split it into several patterns`;
  }
  let tree: PatternNode;
  try {
    tree = parsePatternOrThrow(source);
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
  const { shortest, literals } = analyzePattern(tree);
  if (shortest === 0) return 'must not match empty text: add at least 3 literal characters';
  if (literals.length === 0) return 'must contain at least 3 consecutive literal characters';
  const steps = stepsPerCharacter(tree);
  if (typeof steps !== 'number') return steps.fault;
  if (steps <= MAX_STEPS_PER_CHARACTER) return null;
  return `can take ${steps.toLocaleString('en')} steps per character, but the maximum is ${MAX_STEPS_PER_CHARACTER}: shorten its repetitions`;
}
