import type { FastifyInstance } from 'fastify';
import { isCredentialName, withoutCredentials } from '#libs/agents';
import type { ProblemError } from '#libs/platform';
import { RevokedTokenError } from '../access/access.service.js';
import type { RefusalsService } from './refusals.service.js';

/** Mistakes of whoever connects a site; neither limits nor faults of ours. */
const LISTED = new Set([400, 401, 403, 413, 415, 422]);
/** Characters of a text that came from outside in part. */
const MOST_CHARACTERS = 300;

/** Lists refused requests of routes with `access: 'project'`, once they are answered. */
export function registerRefusals(instance: FastifyInstance, refusals: RefusalsService): void {
  instance.addHook('onResponse', (request, _reply, done) => {
    const { problem } = request.context;
    // Before the route's options, which Fastify puts together each time.
    if (problem === undefined || !LISTED.has(problem.statusCode)) return void done();
    const { url, config } = request.routeOptions;
    if (config.access === 'project') {
      const access = problem instanceof RevokedTokenError ? problem.access : request.project;
      refusals.add({
        projectId: access?.projectId ?? null,
        tokenId: access?.tokenId ?? null,
        method: request.method,
        path: url ?? '',
        status: problem.statusCode,
        code: problem.type,
        detail: shortened(withoutCredentials(detailOf(problem), isCredentialName)),
        pointer: problem.errors?.[0] === undefined ? null : shortened(problem.errors[0].pointer),
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
const shortened = (text: string): string => text.slice(0, MOST_CHARACTERS).toWellFormed().replaceAll('\0', '\u{fffd}');
