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

/** Message of pg-pool, which has no error code, when no connection became free in time. */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect';

/** What pg says of a failed statement, and what TypeORM makes of that. */
interface StatementError {
  code?: string;
  constraint?: string;
  driverError?: StatementError;
}

/** Whether a row names a project that was removed meanwhile, by the names that PostgreSQL gives such constraints. */
function isProjectGone(error: StatementError | null): boolean {
  const { code, constraint = '' } = error?.driverError ?? error ?? {};
  return code === '23503' && (constraint.endsWith('_project_id_fkey') || constraint === 'drain_settings_id_fkey');
}

/** What the client is told of an error: its own message when it is meant for the client, else a general one. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if ((error as Error)?.message === POOL_EXHAUSTED)
    return unavailable('The database is busy. Try again in a moment.', error, 2);
  if (isUnavailable(error)) return unavailable("The database doesn't respond. Try again in a moment.", error);
  if (isProjectGone(error as StatementError | null)) return notFound('project');
  const status = error instanceof HttpException ? error.getStatus() : (error as { statusCode?: number })?.statusCode;
  // Whatever else a library refuses is the request's fault, too: a path that leaves a folder is 403 to one.
  const isRefusal = status !== undefined && status >= 400 && status < 500;
  const known = BY_STATUS[status ?? 500] ?? (isRefusal ? BY_STATUS[400] : undefined);
  if (known) return new ProblemError(known[0], known[1], { cause: error });
  return new ProblemError('internal', 'The request failed; the log has more under its request id.', { cause: error });
}

/** Sends a problem document; used by the filter and where Nest is not in charge. */
export function sendProblem(problem: ProblemError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Absent where Fastify refuses before its first hook.
  const context = request.context as FastifyRequest['context'] | undefined;
  if (context !== undefined) context.problem = problem;
  return (
    reply
      .code(problem.statusCode)
      .headers({ ...headersOf(problem), 'x-request-id': request.id })
      // As bytes: to text Fastify would add a charset, which JSON does not have.
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
 * A problem document that is serialized once except for the request's ID, and bypasses Fastify's hooks for payloads: for
 * refusals sent thousands of times per second.
 */
export class PreparedProblem {
  private readonly headers: ReturnType<typeof headersOf>;
  private readonly start: string;

  /** @param problem whose texts are ASCII. */
  constructor(readonly problem: ProblemError) {
    this.headers = headersOf(problem);
    this.start = JSON.stringify(documentOf(problem, '')).slice(0, -'"}'.length);
  }

  send({ id, context }: FastifyRequest, reply: FastifyReply): void {
    context.problem = this.problem;
    reply.hijack();
    // What hooks have set: how much of a limit is left, for one.
    const headers = { ...(reply.getHeaders() as OutgoingHttpHeaders), ...this.headers, 'x-request-id': id };
    const body = `${this.start}${id}"}`;
    reply.raw.writeHead(this.problem.statusCode, { ...headers, 'content-length': body.length }).end(body, 'latin1');
  }
}

/** The one place where errors become answers. */
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
