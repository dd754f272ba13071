import type { FastifyInstance } from 'fastify';
import type { ProblemError } from '#libs/platform';
import { RefusedTokenError } from '../access/token-limits.js';
import type { Redactors } from '../visits/redaction.js';
import type { RefusalsService } from './refusals.service.js';

/** Mistakes that people make when they connect a site; not limits, and not faults of ours. */
const LISTED = new Set([400, 401, 403, 413, 415, 422]);
/** Characters of a text that came from outside in part. */
const MAX_CHARACTERS = 300;

/** Lists refused requests of routes with `access: 'token'`, once they are answered, redacted as the project's visits are. */
export function registerRefusals(instance: FastifyInstance, refusals: RefusalsService, redactors: Redactors): void {
  instance.addHook('onResponse', (request, _reply, done) => {
    const { problem } = request.context;
    // Before the route's options, which Fastify puts together each time. A refusal by rules is not a mistake.
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

/** Of several faults the first. What a JSON parser says quotes the body, so that is left out. */
function detailOf(problem: ProblemError): string {
  if (problem.type === 'malformed-json') return 'The body is not JSON.';
  return problem.errors?.[0]?.detail ?? problem.message;
}

/** PostgreSQL takes neither NUL nor half a surrogate pair. */
const shortened = (text: string): string => text.slice(0, MAX_CHARACTERS).toWellFormed().replaceAll('\0', '\u{fffd}');
