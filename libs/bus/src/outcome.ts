import type { DeadLetterReason } from '#libs/contracts';

/** Reason why a message was intentionally discarded. */
export type DropReason = 'past_retention';

/** Outcome of one message in a batch. Bugs and outages are thrown as exceptions instead. */
export type Outcome =
  | { kind: 'ok' }
  | { kind: 'drop'; reason: DropReason }
  | { kind: 'dead-letter'; reason: DeadLetterReason; detail: string; step: string };

export const OK: Outcome = Object.freeze({ kind: 'ok' });

export type DeadLetterOutcome = Extract<Outcome, { kind: 'dead-letter' }>;

/** Result of a step: either a value for the next step, or the message's final outcome. */
export type StepResult<T, FinalOutcome extends Outcome = DeadLetterOutcome> =
  { ok: true; value: T } | { ok: false; outcome: FinalOutcome };

/** Returns a dead-letter result for a message that can never be processed. */
export function toDeadLetter(
  reason: DeadLetterReason,
  detail: string,
  step: string,
): { ok: false; outcome: DeadLetterOutcome } {
  return { ok: false, outcome: { kind: 'dead-letter', reason, detail, step } };
}
