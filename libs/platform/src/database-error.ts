/** Fields of a `pg` error, which TypeORM wraps in a `QueryFailedError`. */
interface DatabaseError {
  code?: unknown;
  syscall?: unknown;
  message?: unknown;
  driverError?: DatabaseError;
}

const unwrap = (error: unknown): DatabaseError =>
  (error as DatabaseError | null | undefined)?.driverError ?? (error as DatabaseError | null) ?? {};

const CONNECTION_LOST_CODES = new Set<unknown>(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Returns the SQLSTATE of a failed statement, or null if the error didn't come from the server. */
export function getSqlState(error: unknown): string | null {
  const { code } = unwrap(error);
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !CONNECTION_LOST_CODES.has(code) ? code : null;
}

/**
 * Returns true if retrying the same statement with the same values can't succeed. That applies to data exceptions (22),
 * constraint violations (23) and exceeded program limits (54).
 */
export function isPermanentError(error: unknown): boolean {
  const errorState = getSqlState(error);
  return (
    errorState !== null && (errorState.startsWith('22') || errorState.startsWith('23') || errorState.startsWith('54'))
  );
}

export const isUniqueViolation = (error: unknown): boolean => getSqlState(error) === '23505';

/** System calls that are used only to establish connections. */
const CONNECT_SYSCALLS = new Set<unknown>(['connect', 'getaddrinfo']);

/**
 * Messages of `pg`, `pg-pool` and TypeORM errors without codes, for timeouts and closed connections. If a connection is
 * lost between the statements of a transaction, TypeORM releases it.
 */
const CONNECTION_ERROR_MESSAGE =
  /^(?:timeout expired|Database connection provided by a query runner was already released\b.*|Query runner already released\b.*|timeout exceeded when trying to connect|Connection terminated\b.*|Client has encountered a connection error\b.*|Cannot use a pool after calling end\b.*)$/;

/**
 * Returns true if a retry may succeed. The server may be unreachable, unresponsive, starting, stopping (57P) or out of
 * resources (53), or the connection may have failed (08).
 *
 * Returns false for a wrong password or a missing database.
 */
export function isUnavailableError(error: unknown): boolean {
  const errorState = getSqlState(error);
  if (errorState !== null) return /^(?:57P|53|08)/.test(errorState);
  const cause = unwrap(error);
  if (cause instanceof AggregateError) return cause.errors.every(isUnavailableError);
  const { code, syscall, message } = cause;
  return (
    CONNECT_SYSCALLS.has(syscall) ||
    CONNECTION_LOST_CODES.has(code) ||
    (typeof message === 'string' && CONNECTION_ERROR_MESSAGE.test(message))
  );
}
