import type { FastifyInstance } from 'fastify';
import type { ProblemError } from '#libs/platform';
import { RefusedTokenError } from '../access/token-limits.js';
import type { Redactors } from '../visits/redaction.js';
import type { RefusalsService } from './refusals.service.js';

/** Statuses of mistakes that people make when they connect a site. Rate limits and server errors aren't listed. */
const LISTED = new Set([400, 401, 403, 413, 415, 422]);
/** Maximum length of a text that may quote the request, in characters. */
const MAX_CHARACTERS = 300;

/**
 * Registers a hook that lists refused requests on routes with `access: 'token'`. Texts are redacted like the project's
 * visits.
 */
export function registerRefusals(instance: FastifyInstance, refusals: RefusalsService, redactors: Redactors): void {
  instance.addHook('onResponse', (request, _reply, done) => {
    const { problem } = request.context;
    // Checked first, because Fastify builds `routeOptions` on each access. A refusal by the project's rules isn't a
    // mistake.
    if (problem === undefined || !LISTED.has(problem.statusCode) || problem.type === 'agent-refused')
      return void done();
    const { url, config } = request.routeOptions;
    if (config.access === 'token') {
      const access = problem instanceof RefusedTokenError ? problem.access : request.project;
      const redactor = redactors.for({
        redacted: access?.redactedHeaders ?? [],
        exempt: access?.unredactedHeaders ?? [],
      });
      const shown = (text: string): string => shortened(redactor.text(text));
      const pointer = problem.errors?.[0]?.pointer;
      refusals.add({
        projectId: access?.projectId ?? null,
        tokenId: access?.tokenId ?? null,
        method: request.method,
        path: url ?? '',
        status: problem.statusCode,
        code: problem.type,
        detail: shown(detailOf(problem)),
        pointer: pointer === undefined ? null : shown(pointer),
        clientAddress: request.clientAddress,
      });
    }
    done();
  });
}

/** Returns the first fault. Leaves out the message of the JSON parser, which quotes the body. */
function detailOf(problem: ProblemError): string {
  if (problem.type === 'malformed-json') return 'The body is not JSON.';
  return problem.errors?.[0]?.detail ?? problem.message;
}

/** PostgreSQL accepts neither NUL nor lone surrogates. */
const shortened = (text: string): string => text.slice(0, MAX_CHARACTERS).toWellFormed().replaceAll('\0', '\u{fffd}');
