import type { Problem } from '#libs/contracts';

/** Exit codes. The Helm chart doesn't retry after `newerDatabase`. */
export const EXIT = { ok: 0, failure: 1, usage: 2, newerDatabase: 3 } as const;

/** Error whose message is shown to the user. The hint explains what to do next. */
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

/** Failed connection: refused, reset, timed out or unknown host. A retry may succeed. */
export class ConnectionError extends CliError {}

/** Response with a non-2xx status and, if present, its problem document (RFC 9457). */
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

/** Returns true if a retry may succeed: after a failed connection, a 5xx response, or status 408, 409, 425 or 429. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof HttpError && (error.status >= 500 || [408, 409, 425, 429].includes(error.status));
}

/**
 * Parses a `Retry-After` value (RFC 9110, section 10.2.3) in seconds or as an HTTP date.
 *
 * @returns the delay in milliseconds, or undefined if the value is missing or invalid.
 */
export function parseRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
