import type { Problem } from '#libs/contracts';

/** Exit codes. `newerDatabase` lets the Helm chart tell that a retry is pointless. */
export const EXIT = { ok: 0, failure: 1, usage: 2, newerDatabase: 3 } as const;

/** Error that is shown to the user. The hint describes what to do next. */
export class CliError extends Error {
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(message: string, options: { hint?: string; exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'CliError';
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? EXIT.failure;
  }
}

/** The connection failed: refused, reset, timed out or unknown host. A retry may help. */
export class ConnectionError extends CliError {}

/** Response with a status other than 2xx, and its problem document (RFC 9457), if any. */
export class HttpError extends CliError {
  constructor(
    readonly status: number,
    readonly problem: Partial<Problem>,
    message: string,
    options: { hint?: string } = {},
    /** Milliseconds to wait before a retry, from `Retry-After`. */
    readonly retryAfter?: number,
  ) {
    super(message, options);
  }
}

/** Returns whether a retry may succeed: no connection, a server error, or status 408, 409, 425 or 429. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof HttpError && (error.status >= 500 || [408, 409, 425, 429].includes(error.status));
}

/**
 * Parses `Retry-After` (RFC 9110 section 10.2.3): seconds or an HTTP date.
 *
 * @returns milliseconds from `now`, or undefined if there is none.
 */
export function parseRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
