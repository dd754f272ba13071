import type { OutgoingHttpHeaders } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Problem } from '#libs/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailableError } from './database-error.js';
import { createEntityTag } from './entity-tag.js';
import type { Logger } from './logger.js';
import { notFound } from './operations/read-request.js';
import { ProblemError, PROBLEMS, unavailable, type ProblemType } from './problem.js';
import { SECURITY_HEADERS } from './security-headers.js';

const PROBLEMS_BY_STATUS: Record<number, [ProblemType, string]> = {
  400: ['malformed-request', 'The request is malformed.'],
  403: ['not-found', 'No resource exists at this address.'],
  404: ['not-found', 'No resource exists at this address.'],
  408: ['malformed-request', 'The request took too long to arrive.'],
  413: ['too-large', 'The body is too large for this operation. Split it into several requests.'],
  414: ['malformed-request', 'The URL is too long.'],
  415: ['unsupported-media-type', 'Send the body with Content-Type: application/json.'],
  431: ['malformed-request', 'The headers are too large.'],
};

/** Message of the pg-pool error when all connections are in use. The error has no code. */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect';

/** Fields of a `pg` error, which TypeORM may wrap. */
interface StatementError {
  code?: string;
  constraint?: string;
  driverError?: StatementError;
}

/** Detects a foreign-key violation caused by a deleted project, based on the constraint's name. */
function isMissingProjectError(error: StatementError | null): boolean {
  const { code, constraint = '' } = error?.driverError ?? error ?? {};
  return code === '23503' && (constraint.endsWith('_project_id_fkey') || constraint === 'drain_settings_id_fkey');
}

/** Returns the problem to send to the client. Errors that aren't meant for clients become a generic problem. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if ((error as Error)?.message === POOL_EXHAUSTED)
    return unavailable('The database is busy. Try again in a moment.', error, 2);
  if (isUnavailableError(error)) return unavailable("The database isn't responding. Try again in a moment.", error);
  if (isMissingProjectError(error as StatementError | null)) return notFound('project');
  const status = error instanceof HttpException ? error.getStatus() : (error as { statusCode?: number })?.statusCode;
  // Other 4xx errors from libraries also mean that the request is malformed.
  const isClientError = status !== undefined && status >= 400 && status < 500;
  const knownProblem = PROBLEMS_BY_STATUS[status ?? 500] ?? (isClientError ? PROBLEMS_BY_STATUS[400] : undefined);
  if (knownProblem) return new ProblemError(knownProblem[0], knownProblem[1], { cause: error });
  return new ProblemError('internal', 'The request failed. Search the logs for the request ID for details.', {
    cause: error,
  });
}

/** Sends a problem document. Also works outside of Nest. */
export function sendProblem(problem: ProblemError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Undefined if Fastify rejects the request before its first hook.
  const context = request.context as FastifyRequest['context'] | undefined;
  if (context !== undefined) context.problem = problem;
  return (
    reply
      .code(problem.statusCode)
      .headers({ ...getProblemHeaders(problem), 'x-request-id': request.id })
      // Sent as bytes because Fastify would add a charset to text, and JSON has none.
      .send(Buffer.from(JSON.stringify(toProblemDocument(problem, request.id))))
  );
}

const getProblemHeaders = (problem: ProblemError) => ({
  ...SECURITY_HEADERS,
  ...problem.headers,
  ...(problem.current !== undefined && { etag: createEntityTag(JSON.stringify(problem.current)) }),
  'content-type': 'application/problem+json',
});

function toProblemDocument({ type, message, errors, current }: ProblemError, instance: string): Problem {
  const { status, title } = PROBLEMS[type];
  const fields = { type: `/docs/problems#${type}`, title, status, detail: message, instance };
  return { ...fields, ...(errors && { errors }), ...(current !== undefined && { current }) };
}

/**
 * Problem document that is serialized only once, except for the request ID, and skips Fastify's payload hooks. Use it
 * for rejections that are sent thousands of times per second.
 */
export class PreparedProblem {
  private readonly headers: ReturnType<typeof getProblemHeaders>;
  private readonly bodyStart: string;

  /** @param problem Its text must be ASCII. */
  constructor(readonly problem: ProblemError) {
    this.headers = getProblemHeaders(problem);
    this.bodyStart = JSON.stringify(toProblemDocument(problem, '')).slice(0, -'"}'.length);
  }

  send({ id, context }: FastifyRequest, reply: FastifyReply): void {
    context.problem = this.problem;
    reply.hijack();
    // Includes headers set by hooks, such as the remaining rate limit.
    const headers = { ...(reply.getHeaders() as OutgoingHttpHeaders), ...this.headers, 'x-request-id': id };
    const body = `${this.bodyStart}${id}"}`;
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
