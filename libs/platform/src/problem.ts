import type { Fault } from '#libs/contracts';

/** All problem types of the API. `/docs/problems` lists them. */
export const PROBLEMS = {
  'malformed-json': { status: 400, title: 'The body is not JSON' },
  'malformed-request': { status: 400, title: 'The request is malformed' },
  unauthorized: { status: 401, title: 'The credential is not accepted' },
  forbidden: { status: 403, title: 'The credential does not allow this' },
  'agent-refused': { status: 403, title: 'The rules of the site refuse this agent' },
  'confirmation-required': { status: 403, title: 'Confirm your identity' },
  'second-factor-required': { status: 403, title: 'Set up a second factor first' },
  'not-found': { status: 404, title: 'There is nothing here' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  conflict: { status: 409, title: 'The request conflicts with what exists' },
  'precondition-failed': { status: 412, title: 'It has changed since it was read' },
  'too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The media type or encoding is not supported' },
  'invalid-body': { status: 422, title: 'The body does not fit' },
  'idempotency-key-reused': { status: 422, title: 'The idempotency key was used for another body' },
  'too-many-requests': { status: 429, title: 'The rate limit is reached' },
  internal: { status: 500, title: 'Something failed on our side' },
  unavailable: { status: 503, title: 'The service cannot do this right now' },
  'deadline-exceeded': { status: 504, title: 'The answer took too long' },
} as const;

export type ProblemType = keyof typeof PROBLEMS;

interface ProblemDetails {
  errors?: Fault[];
  /** Current version of the resource that the request wanted to change. */
  current?: unknown;
  /** Response headers, such as Retry-After. */
  headers?: Record<string, string>;
  /** Rejected credential, for the audit log. */
  rejected?: 'password' | 'code';
  /** Only logged, never sent. */
  cause?: unknown;
}

/**
 * Error that becomes a problem document (RFC 9457). Its message explains the fault, its location and the fix to the
 * client.
 */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly errors: Fault[] | undefined;
  readonly current: unknown;
  readonly headers: Record<string, string>;
  readonly rejected: ProblemDetails['rejected'];

  constructor(
    readonly type: ProblemType,
    detail: string,
    { errors, current, headers = {}, rejected, cause }: ProblemDetails = {},
  ) {
    super(detail, { cause });
    this.errors = errors;
    this.current = current;
    this.headers = headers;
    this.rejected = rejected;
  }

  get statusCode(): number {
    return PROBLEMS[this.type].status;
  }
}

/** Returns a 503 with `Retry-After`. */
export const unavailable = (detail: string, cause?: unknown, retryAfterSeconds = 1): ProblemError =>
  new ProblemError('unavailable', detail, { headers: { 'retry-after': String(retryAfterSeconds) }, cause });

/** Returns a 401 for a bearer credential (RFC 6750). */
export const unauthorized = (detail: string): ProblemError =>
  new ProblemError('unauthorized', detail, { headers: { 'www-authenticate': 'Bearer' } });

/** Returns a 429 with `Retry-After`. */
export const tooManyRequests = (detail: string, retryAfterSeconds: number): ProblemError =>
  new ProblemError('too-many-requests', detail, { headers: { 'retry-after': String(retryAfterSeconds) } });
