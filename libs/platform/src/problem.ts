import type { Fault } from '#libs/contracts';

/** Problem types of the API, which `/docs/problems` lists. */
export const PROBLEMS = {
  'malformed-json': { status: 400, title: 'Invalid JSON' },
  'malformed-request': { status: 400, title: 'The request is malformed' },
  unauthorized: { status: 401, title: 'Authentication failed' },
  forbidden: { status: 403, title: 'Permission denied' },
  'agent-refused': { status: 403, title: "The site's rules block this agent" },
  'confirmation-required': { status: 403, title: 'Confirm your identity' },
  'second-factor-required': { status: 403, title: 'Set up two-factor authentication first' },
  'not-found': { status: 404, title: 'Resource not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'The request conflicts with existing data' },
  'precondition-failed': { status: 412, title: 'The resource has changed since it was read' },
  'too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type or encoding' },
  'invalid-body': { status: 422, title: 'Invalid request' },
  'idempotency-key-reused': { status: 422, title: 'The idempotency key was used with a different body' },
  'too-many-requests': { status: 429, title: 'Rate limit exceeded' },
  internal: { status: 500, title: 'Internal server error' },
  unavailable: { status: 503, title: 'Service temporarily unavailable' },
  'deadline-exceeded': { status: 504, title: 'The response took too long' },
} as const;

export type ProblemType = keyof typeof PROBLEMS;

interface ProblemDetails {
  errors?: Fault[];
  /** Current version of the resource that the request tried to change. */
  current?: unknown;
  headers?: Record<string, string>;
  /** Type of the rejected credential, for the audit log. */
  rejected?: 'password' | 'code';
  /** Cause for the logs, which is never sent to clients. */
  cause?: unknown;
}

/**
 * Error that is sent as a problem document (RFC 9457). Its message tells the client what is wrong, where, and how to
 * fix it.
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

/** Returns a 503 error with `Retry-After`. */
export const unavailable = (detail: string, cause?: unknown, retryAfterSeconds = 1): ProblemError =>
  new ProblemError('unavailable', detail, { headers: { 'retry-after': String(retryAfterSeconds) }, cause });

/** Returns a 401 error for a bearer credential (RFC 6750). */
export const unauthorized = (detail: string): ProblemError =>
  new ProblemError('unauthorized', detail, { headers: { 'www-authenticate': 'Bearer' } });

/** Returns a 429 error with `Retry-After`. */
export const tooManyRequests = (detail: string, retryAfterSeconds: number): ProblemError =>
  new ProblemError('too-many-requests', detail, { headers: { 'retry-after': String(retryAfterSeconds) } });
