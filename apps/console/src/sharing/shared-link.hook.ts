import { PASS_HEADER } from '#libs/contracts';
import { notFound, ProblemError } from '#libs/platform';
import type { FastifyInstance } from 'fastify';
import type { SharedPass } from './shared-pass.js';
import type { OpenLink, SharedLinksRepository } from './shared-links.repository.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for operations with `access: 'shared'`. */
    sharedLink: OpenLink;
  }
}

/**
 * Grants access to operations with `access: 'shared'` by the secret or badge ID in the path. Ignores all other
 * credentials.
 */
export function registerSharedAccess(
  instance: FastifyInstance,
  links: SharedLinksRepository,
  passes: SharedPass,
): void {
  instance.decorateRequest('sharedLink');
  instance.guardAccess('shared', async (request, reply) => {
    void reply.header('x-robots-tag', 'noindex');
    const { secret, badge = '' } = request.params as { secret?: string; badge?: string };
    const link = await (secret === undefined ? links.findByBadge(badge) : links.find(secret));
    if (link === null) throw notOpen();
    const pass = request.headers[PASS_HEADER];
    if (link.password !== null && !(typeof pass === 'string' && passes.isValid(pass, link))) {
      throw new ProblemError('unauthorized', 'This page has a password. Enter it to see the overview.');
    }
    request.sharedLink = link;
  });
}

/** Error for any link that can't be opened. Doesn't reveal whether it was revoked, has expired, or never existed. */
export const notOpen = (): ProblemError => notFound('link; it may have been revoked, or have expired');
