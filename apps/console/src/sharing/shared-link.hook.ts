import { PASS_HEADER } from '#libs/contracts';
import { ProblemError } from '#libs/platform';
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
 * Registers a guard that grants access to operations with `access: 'shared'`, based on the secret or badge ID in the
 * path. All other credentials are ignored.
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
    if (link === null) throw linkNotFound();
    const pass = request.headers[PASS_HEADER];
    if (link.password !== null && !(typeof pass === 'string' && passes.isValid(pass, link))) {
      throw new ProblemError('unauthorized', 'This page is password-protected. Enter the password to view it.');
    }
    request.sharedLink = link;
  });
}

/**
 * Error for any link that can't be opened. It doesn't reveal whether the link was revoked, has expired or never
 * existed.
 */
export const linkNotFound = (): ProblemError =>
  new ProblemError('not-found', "This link doesn't exist. It may have expired or been revoked.");
