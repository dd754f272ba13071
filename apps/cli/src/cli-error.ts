import type { Problem } from '#libs/contracts';

/** A newer database has a code of its own: the chart does not repeat the step that ends with it. */
export const EXIT = { ok: 0, failure: 1, usage: 2, newerDatabase: 3 } as const;

/** An error that is told to the user as it is: what is wrong and, as a hint, what to do next. */
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

/** Nothing answered: refused, reset, timed out or an unknown host name. Worth another try. */
export class ConnectionError extends CliError {}

/** An answer other than 2xx, with its problem document (RFC 9457) where there is one. */
export class HttpError extends CliError {
  constructor(
    readonly status: number,
    readonly problem: Partial<Problem>,
    message: string,
    options: { hint?: string } = {},
    /** Milliseconds the instance asks to wait, from `Retry-After`. */
    readonly retryAfter?: number,
  ) {
    super(message, options);
  }
}

/** Whether the same request may succeed later: nothing answered, too many requests, still at work, or a server's fault. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof HttpError && (error.status >= 500 || [408, 409, 425, 429].includes(error.status));
}

/**
 * Reads `Retry-After` (RFC 9110 section 10.2.3): seconds or an HTTP date.
 *
 * @returns milliseconds from `now`, or undefined when there is none.
 */
export function parseRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
