import { PASS_HEADER } from '#libs/contracts';
import { notFound, ProblemError } from '#libs/platform';
import type { FastifyInstance } from 'fastify';
import type { SharedPass } from './shared-pass.js';
import type { OpenLink, SharedLinksRepository } from './shared-links.repository.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on operations with `access: 'shared'`. */
    sharedLink: OpenLink;
  }
}

/** Lets holders of a link read what it shows. It is the only thing that looks at the secret, and no credential else counts. */
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

/** The same for a link that was revoked, has expired, or never was. */
export const notOpen = (): ProblemError => notFound('link; it may have been revoked, or have expired');
