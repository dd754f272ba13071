import { hash } from 'node:crypto';
import { returnsVersion } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';
import './access.js';
import { ProblemError } from './problem.js';
import { requestContext } from './request-context.js';

/** Returns a strong ETag for a JSON response. Equal JSON results in equal tags. */
export const createEntityTag = (json: string): string => `"${hash('sha256', json, 'base64url').slice(0, 22)}"`;

/**
 * Matches one of our ETags in a request. Compressing proxies weaken it (nginx, Cloudflare, CloudFront) or append the
 * encoding (Apache, Caddy). The tag identifies the JSON, which compression doesn't change.
 */
const RECEIVED_TAG = /^(?:W\/)?"([\w-]{22})(?:[-;:][\w:-]{1,20})?"$/;

const parseEntityTags = (header = ''): string[] =>
  header.split(',').map((tag) => tag.trim().replace(RECEIVED_TAG, '"$1"'));

/** Returns true if an `If-None-Match` header contains an ETag. */
export const matchesEntityTag = (header: string | undefined, tag: string): boolean =>
  parseEntityTags(header).includes(tag);

/** Adds ETags to responses, handles `If-None-Match`, and stores `If-Match` in the request context. */
export function registerEntityTags(instance: FastifyInstance): void {
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
    const tag = createEntityTag(payload);
    void reply.header('etag', tag);
    // Browsers may cache the response but must revalidate it before each use.
    if (followsCatalog) void reply.header('cache-control', 'private, no-cache');
    const isUnchanged = followsCatalog && matchesEntityTag(request.headers['if-none-match'], tag);
    if (isUnchanged) void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    done(null, isUnchanged ? null : payload);
  });
}

/**
 * Rejects a change if the resource has changed since the caller read it. Call this after locking the resource and
 * before changing anything.
 *
 * @param current The resource as returned by the operation that reads it.
 * @throws {ProblemError} 412 if the caller read another version.
 */
export function requireMatchingVersion(current: object): void {
  const ifMatch = requestContext.get()?.ifMatch?.trim();
  // `*` matches any existing version.
  if (ifMatch === undefined || ifMatch === '*') return;
  if (parseEntityTags(ifMatch).includes(createEntityTag(JSON.stringify(current)))) return;
  throw new ProblemError(
    'precondition-failed',
    "Someone else has changed this since you read it, so your change wasn't saved. Compare your version with `current`, " +
      'then send your change again with its ETag.',
    { current },
  );
}
