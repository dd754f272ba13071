import { QueryFailedError } from 'typeorm';

/** Returns the SQLSTATE of a failed statement; null when the server did not answer. */
export function sqlState(error: unknown): string | null {
  const cause = error instanceof QueryFailedError ? error.driverError : error;
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/**
 * Whether the same statement with the same values can never succeed: data exceptions (22), violated
 * constraints (23) and exceeded program limits (54). Anything else may pass when tried again.
 */
export function isPermanent(error: unknown): boolean {
  const state = sqlState(error);
  return state !== null && (state.startsWith('22') || state.startsWith('23') || state.startsWith('54'));
}

/** Whether a statement would have made a second one of what there can be only one of. */
export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505';

/** What pg says of a server that did not answer in time, or that closed the connection without a word. */
const SILENCE = /^(?:timeout expired|Connection terminated\b.*)$/;

/**
 * Whether connecting again may succeed: the server did not answer, its host name was not found, or it was starting,
 * stopping (57) or full (53). With a wrong password or a missing database it would fail again.
 */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return state.startsWith('57') || state.startsWith('53');
  const { errno, message } = ((error as QueryFailedError | null)?.driverError ?? error) as NodeJS.ErrnoException;
  return errno !== undefined || error instanceof AggregateError || SILENCE.test(message);
}
