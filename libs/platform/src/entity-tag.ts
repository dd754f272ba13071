import { hash } from 'node:crypto';
import { returnsVersion } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';
import './access.js';
import { ProblemError } from './problem.js';
import { requestContext } from './request-context.js';

/** Returns the entity tag of an answer, a strong one: of the same JSON it is the same. */
export const entityTag = (json: string): string => `"${hash('sha256', json, 'base64url').slice(0, 22)}"`;

/**
 * One of our tags as it comes back: proxies that compress answers make it weak (nginx, Cloudflare, CloudFront) or append the
 * encoding (Apache, Caddy). The tag is of the JSON, which compression doesn't change.
 */
const SENT_TAG = /^(?:W\/)?"([\w-]{22})(?:[-;:][\w:-]{1,20})?"$/;

const sentTags = (header = ''): string[] => header.split(',').map((tag) => tag.trim().replace(SENT_TAG, '"$1"'));

/** Answers versions, and takes along which one a change is of. */
export function registerVersions(instance: FastifyInstance): void {
  instance.addHook('onRequest', (request, _reply, done) => {
    const ifMatch = request.headers['if-match'];
    if (request.routeOptions.config?.operation?.version === 'change' && ifMatch !== undefined) {
      request.context.ifMatch = ifMatch;
    }
    done();
  });
  instance.addHook('onSend', (request, reply, payload, done) => {
    const operation = request.routeOptions.config?.operation;
    if (operation === undefined || reply.statusCode !== 200 || typeof payload !== 'string') {
      done(null, payload);
      return;
    }
    const { followsCatalog = false } = operation;
    if (!followsCatalog && !returnsVersion(operation)) {
      done(null, payload);
      return;
    }
    const tag = entityTag(payload);
    void reply.header('etag', tag);
    // Kept by the browser of who asked, which asks each time whether it is still so.
    if (followsCatalog) void reply.header('cache-control', 'private, no-cache');
    const isUnchanged = followsCatalog && sentTags(request.headers['if-none-match']).includes(tag);
    if (isUnchanged) void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    done(null, isUnchanged ? null : payload);
  });
}

/**
 * Lets a change through unless somebody else was faster. Call it where nobody can change it any more, and before anything
 * is changed.
 *
 * @param current what it changes, as the operation answers that reads it.
 * @throws ProblemError 412 when the caller read another version.
 */
export function requireUnchanged(current: object): void {
  const ifMatch = requestContext.get()?.ifMatch?.trim();
  // `*`: whatever it is, as long as it exists.
  if (ifMatch === undefined || ifMatch === '*') return;
  if (sentTags(ifMatch).includes(entityTag(JSON.stringify(current)))) return;
  throw new ProblemError(
    'precondition-failed',
    'Somebody else has changed this since you read it, so nothing was saved. Compare it with `current`, then send your ' +
      'change again with its ETag.',
    { current },
  );
}
