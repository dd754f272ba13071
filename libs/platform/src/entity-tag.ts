import { hash } from 'node:crypto';
import { returnsVersion } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';
import './access.js';
import { ProblemError } from './problem.js';
import { requestContext } from './request-context.js';

/** Returns the strong ETag of a JSON response. Equal JSON has equal tags. */
export const entityTag = (json: string): string => `"${hash('sha256', json, 'base64url').slice(0, 22)}"`;

/**
 * Matches one of our ETags in a request. Compressing proxies weaken it (nginx, Cloudflare, CloudFront) or append the
 * encoding (Apache, Caddy). The tag identifies the JSON, which compression doesn't change.
 */
const SENT_TAG = /^(?:W\/)?"([\w-]{22})(?:[-;:][\w:-]{1,20})?"$/;

const sentTags = (header = ''): string[] => header.split(',').map((tag) => tag.trim().replace(SENT_TAG, '"$1"'));

/** Adds ETags to responses, handles `If-None-Match`, and stores `If-Match` in the request context. */
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
    // Browsers may cache the response but must revalidate it each time.
    if (followsCatalog) void reply.header('cache-control', 'private, no-cache');
    const isUnchanged = followsCatalog && sentTags(request.headers['if-none-match']).includes(tag);
    if (isUnchanged) void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    done(null, isUnchanged ? null : payload);
  });
}

/**
 * Refuses a change if the resource has changed since the caller read it. Call it before changing anything, while the
 * resource is locked.
 *
 * @param current The resource as the operation that reads it returns it.
 * @throws ProblemError 412 if the caller read another version.
 */
export function requireUnchanged(current: object): void {
  const ifMatch = requestContext.get()?.ifMatch?.trim();
  // `*` matches any existing version.
  if (ifMatch === undefined || ifMatch === '*') return;
  if (sentTags(ifMatch).includes(entityTag(JSON.stringify(current)))) return;
  throw new ProblemError(
    'precondition-failed',
    'Somebody else has changed this since you read it, so nothing was saved. Compare it with `current`, then send your ' +
      'change again with its ETag.',
    { current },
  );
}
