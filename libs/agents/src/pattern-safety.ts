import { stepsPerCharacter } from './pattern-cost.js';
import { needsOf } from './pattern-literals.js';
import { parsePattern } from './pattern.js';

/** What a pattern may cost for each character of a User-Agent, in steps of a backtracking engine. */
const MAX_STEPS_PER_CHARACTER = 128;

/**
 * Says why a user-agent pattern can't be used, or `null` when it can.
 *
 * What passes takes at most {@link MAX_STEPS_PER_CHARACTER} steps for each character of the User-Agent, whatever that
 * holds: a few milliseconds for the longest that is looked at.
 */
export function patternFault(source: string): string | null {
  const tree = parsePattern(source);
  if (tree === null) return 'is not an expression of the kind allowed';
  const { shortest, literals } = needsOf(tree);
  if (shortest === 0) return 'can match no text at all';
  if (literals.length === 0) return 'must require a literal text of at least 3 characters';
  const steps = stepsPerCharacter(tree);
  if (typeof steps !== 'number') return steps.fault;
  if (steps <= MAX_STEPS_PER_CHARACTER) return null;
  return `can take ${steps.toLocaleString('en')} steps for each character, more than ${MAX_STEPS_PER_CHARACTER}: shorten its repetitions`;
}
