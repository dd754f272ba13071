/** Fields of a `pg` error. TypeORM wraps it in a `QueryFailedError`. */
interface DatabaseError {
  code?: unknown;
  syscall?: unknown;
  message?: unknown;
  driverError?: DatabaseError;
}

const unwrapped = (error: unknown): DatabaseError =>
  (error as DatabaseError | null | undefined)?.driverError ?? (error as DatabaseError | null) ?? {};

const LOST_CONNECTION = new Set<unknown>(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Returns the SQLSTATE of a failed statement, or null if the error isn't from the server. */
export function sqlState(error: unknown): string | null {
  const { code } = unwrapped(error);
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !LOST_CONNECTION.has(code) ? code : null;
}

/**
 * Returns true if the same statement with the same values can never succeed: data exceptions (22), constraint
 * violations (23) and exceeded program limits (54).
 */
export function isPermanent(error: unknown): boolean {
  const state = sqlState(error);
  return state !== null && (state.startsWith('22') || state.startsWith('23') || state.startsWith('54'));
}

export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505';

/** System calls used only to connect. */
const CONNECTING = new Set<unknown>(['connect', 'getaddrinfo']);

/** Messages of `pg` and `pg-pool` errors that have no code: timeouts and closed connections. */
const SILENCE =
  /^(?:timeout expired|timeout exceeded when trying to connect|Connection terminated\b.*|Client has encountered a connection error\b.*|Cannot use a pool after calling end\b.*)$/;

/**
 * Returns true if a retry may succeed: the server was unreachable or didn't respond, was starting or stopping (57P) or
 * out of resources (53), or the connection failed (08). False for a wrong password or a missing database.
 */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return /^(?:57P|53|08)/.test(state);
  const cause = unwrapped(error);
  if (cause instanceof AggregateError) return cause.errors.every(isUnavailable);
  const { code, syscall, message } = cause;
  return CONNECTING.has(syscall) || LOST_CONNECTION.has(code) || (typeof message === 'string' && SILENCE.test(message));
}
