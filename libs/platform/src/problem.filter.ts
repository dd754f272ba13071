import type { OutgoingHttpHeaders } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Problem } from '#libs/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable } from './database-error.js';
import { entityTag } from './entity-tag.js';
import type { Logger } from './logger.js';
import { notFound } from './operations/read-request.js';
import { ProblemError, PROBLEMS, unavailable, type ProblemType } from './problem.js';
import { SECURITY_HEADERS } from './security-headers.js';

const BY_STATUS: Record<number, [ProblemType, string]> = {
  400: ['malformed-request', 'The request cannot be read.'],
  403: ['not-found', 'No resource has this address.'],
  404: ['not-found', 'No resource has this address.'],
  408: ['malformed-request', 'The request took too long to arrive.'],
  413: ['too-large', 'The body is larger than this operation accepts. Send less at once.'],
  414: ['malformed-request', 'The address is too long.'],
  415: ['unsupported-media-type', 'Send the body with Content-Type: application/json.'],
  431: ['malformed-request', 'The headers are too large.'],
};

/** Message of the pg-pool error for a full pool. The error has no code. */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect';

/** Fields of a `pg` error and of TypeORM's wrapper. */
interface StatementError {
  code?: string;
  constraint?: string;
  driverError?: StatementError;
}

/**
 * Returns true if a row refers to a project that was deleted in the meantime, detected by the name of the violated
 * constraint.
 */
function isProjectGone(error: StatementError | null): boolean {
  const { code, constraint = '' } = error?.driverError ?? error ?? {};
  return code === '23503' && (constraint.endsWith('_project_id_fkey') || constraint === 'drain_settings_id_fkey');
}

/** Returns the problem that the client sees. Errors that aren't meant for clients become a general one. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if ((error as Error)?.message === POOL_EXHAUSTED)
    return unavailable('The database is busy. Try again in a moment.', error, 2);
  if (isUnavailable(error)) return unavailable("The database doesn't respond. Try again in a moment.", error);
  if (isProjectGone(error as StatementError | null)) return notFound('project');
  const status = error instanceof HttpException ? error.getStatus() : (error as { statusCode?: number })?.statusCode;
  // Other 4xx errors of libraries also mean that the request is malformed.
  const isRefusal = status !== undefined && status >= 400 && status < 500;
  const known = BY_STATUS[status ?? 500] ?? (isRefusal ? BY_STATUS[400] : undefined);
  if (known) return new ProblemError(known[0], known[1], { cause: error });
  return new ProblemError('internal', 'The request failed; the log has more under its request id.', { cause: error });
}

/** Sends a problem document. Also used where Nest isn't involved. */
export function sendProblem(problem: ProblemError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Missing if Fastify refuses the request before its first hook.
  const context = request.context as FastifyRequest['context'] | undefined;
  if (context !== undefined) context.problem = problem;
  return (
    reply
      .code(problem.statusCode)
      .headers({ ...headersOf(problem), 'x-request-id': request.id })
      // Sent as bytes: Fastify would add a charset to text, but JSON has none.
      .send(Buffer.from(JSON.stringify(documentOf(problem, request.id))))
  );
}

const headersOf = (problem: ProblemError) => ({
  ...SECURITY_HEADERS,
  ...problem.headers,
  ...(problem.current !== undefined && { etag: entityTag(JSON.stringify(problem.current)) }),
  'content-type': 'application/problem+json',
});

function documentOf({ type, message, errors, current }: ProblemError, instance: string): Problem {
  const { status, title } = PROBLEMS[type];
  const fields = { type: `/docs/problems#${type}`, title, status, detail: message, instance };
  return { ...fields, ...(errors && { errors }), ...(current !== undefined && { current }) };
}

/**
 * Problem document that is serialized once, except for the request ID, and skips Fastify's payload hooks. For refusals
 * sent thousands of times per second.
 */
export class PreparedProblem {
  private readonly headers: ReturnType<typeof headersOf>;
  private readonly start: string;

  /** @param problem Its texts must be ASCII. */
  constructor(readonly problem: ProblemError) {
    this.headers = headersOf(problem);
    this.start = JSON.stringify(documentOf(problem, '')).slice(0, -'"}'.length);
  }

  send({ id, context }: FastifyRequest, reply: FastifyReply): void {
    context.problem = this.problem;
    reply.hijack();
    // Headers set by hooks, such as the remaining rate limit.
    const headers = { ...(reply.getHeaders() as OutgoingHttpHeaders), ...this.headers, 'x-request-id': id };
    const body = `${this.start}${id}"}`;
    reply.raw.writeHead(this.problem.statusCode, { ...headers, 'content-length': body.length }).end(body, 'latin1');
  }
}

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const problem = toProblem(error);
    if (problem.type === 'internal') this.logger.error({ err: error, request_id: request.id }, 'request failed');
    else if (problem.statusCode >= 500)
      this.logger.warn({ err: problem.cause, request_id: request.id }, problem.message);
    if (reply.sent || reply.raw.headersSent) reply.raw.destroy();
    else void sendProblem(problem, request, reply);
  }
}
