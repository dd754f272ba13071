/** Fields of an error from `pg`, which TypeORM wraps in a `QueryFailedError`. */
interface DatabaseError {
  code?: unknown;
  syscall?: unknown;
  message?: unknown;
  driverError?: DatabaseError;
}

const unwrapped = (error: unknown): DatabaseError =>
  (error as DatabaseError | null | undefined)?.driverError ?? (error as DatabaseError | null) ?? {};

const LOST_CONNECTION = new Set<unknown>(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Returns the SQLSTATE of a failed statement, or null if the server didn't respond. */
export function sqlState(error: unknown): string | null {
  const { code } = unwrapped(error);
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !LOST_CONNECTION.has(code) ? code : null;
}

/**
 * Returns true if the same statement with the same values can never succeed: data exceptions (22), violated
 * constraints (23) and exceeded program limits (54).
 */
export function isPermanent(error: unknown): boolean {
  const state = sqlState(error);
  return state !== null && (state.startsWith('22') || state.startsWith('23') || state.startsWith('54'));
}

/** Returns true if a statement violated a unique constraint. */
export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505';

/** System calls that only a connection attempt makes. */
const CONNECTING = new Set<unknown>(['connect', 'getaddrinfo']);

/** Messages of `pg` and `pg-pool` errors without a code: no response in time, or a closed connection. */
const SILENCE =
  /^(?:timeout expired|timeout exceeded when trying to connect|Connection terminated\b.*|Client has encountered a connection error\b.*|Cannot use a pool after calling end\b.*)$/;

/**
 * Returns true if connecting again may succeed: the server didn't respond, its host name wasn't found, or it was
 * starting, stopping (57P) or full (53). False for a wrong password or a missing database.
 */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return /^(?:57P|53|08)/.test(state);
  const cause = unwrapped(error);
  if (cause instanceof AggregateError) return cause.errors.every(isUnavailable);
  const { code, syscall, message } = cause;
  return CONNECTING.has(syscall) || LOST_CONNECTION.has(code) || (typeof message === 'string' && SILENCE.test(message));
}
