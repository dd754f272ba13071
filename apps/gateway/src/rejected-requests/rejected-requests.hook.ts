import type { FastifyInstance } from 'fastify';
import type { ProblemError } from '#libs/platform';
import { RejectedTokenError } from '../access/token-limits.js';
import type { Redactors } from '../visits/redaction.js';
import type { RejectedRequestsService } from './rejected-requests.service.js';

/** Statuses that indicate a setup mistake. Rate limits and server errors aren't listed. */
const RECORDED_STATUSES = new Set([400, 401, 403, 413, 415, 422]);
/** Maximum length of a recorded text, in characters. Error details can quote the request. */
const MAX_CHARACTERS = 300;

/**
 * Registers a hook that records rejected requests to routes with `access: 'token'`. Error details are redacted with the
 * project's redaction settings.
 */
export function registerRejectedRequests(
  instance: FastifyInstance,
  refusals: RejectedRequestsService,
  redactors: Redactors,
): void {
  instance.addHook('onResponse', (request, _reply, done) => {
    const { problem } = request.context;
    // Requests blocked by the project's rules aren't mistakes, so they aren't recorded. These conditions come first,
    // because they are cheap: Fastify creates `routeOptions` each time it is accessed.
    if (problem === undefined || !RECORDED_STATUSES.has(problem.statusCode) || problem.type === 'agent-refused')
      return void done();
    const { url, config } = request.routeOptions;
    if (config.access === 'token') {
      const access = problem instanceof RejectedTokenError ? problem.access : request.project;
      const redactor = redactors.for({
        redacted: access?.redactedHeaders ?? [],
        exempt: access?.unredactedHeaders ?? [],
      });
      const clean = (text: string): string => toStoredText(redactor.text(text));
      const pointer = problem.errors?.[0]?.pointer;
      refusals.add({
        projectId: access?.projectId ?? null,
        tokenId: access?.tokenId ?? null,
        method: request.method,
        path: url ?? '',
        status: problem.statusCode,
        code: problem.type,
        detail: clean(problemDetail(problem)),
        pointer: pointer === undefined ? null : clean(pointer),
        clientAddress: request.clientAddress,
      });
    }
    done();
  });
}

/** Returns the first fault. Omits JSON parser messages, because they quote the body. */
function problemDetail(problem: ProblemError): string {
  if (problem.type === 'malformed-json') return "The body isn't valid JSON.";
  return problem.errors?.[0]?.detail ?? problem.message;
}

/** Truncates a text and replaces NUL characters and lone surrogates, which PostgreSQL can't store. */
const toStoredText = (text: string): string =>
  text.slice(0, MAX_CHARACTERS).toWellFormed().replaceAll('\0', '\u{fffd}');
