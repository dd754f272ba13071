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
