import { hash, timingSafeEqual } from 'node:crypto';
import type { Operation } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';
import '../access.js';
import { secret } from '../env.js';
import type { Actor } from '../request-context.js';
import { unauthorized } from '../problem.js';

/** Settings for services that call other services or are called by them. Spread them into a specification. */
export const internalSettings = {
  INTERNAL_API_SECRET: secret(20)({ desc: 'Shared secret for calls between services, at least 20 characters' }),
};

/** Header that identifies the actor of a change. It is trusted only from our own services. */
export const ACTOR_HEADER = 'x-agent-traffic-actor';

/** Encodes an actor for the header, because names can contain characters that are invalid in headers. */
export const encodeActor = (actor: Actor): string => Buffer.from(JSON.stringify(actor)).toString('base64url');
const decodeActor = (text: string): Actor => JSON.parse(Buffer.from(text, 'base64url').toString()) as Actor;

/** Serves operations with `access: 'internal'` to our own services only. */
export function registerInternalAccess(
  instance: FastifyInstance,
  internalSecret: string,
  operations: readonly Operation[],
): void {
  instance.serveOperations(operations);
  // `timingSafeEqual` requires inputs of equal length, so it compares hashes.
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  const expectedDigest = digest(`Bearer ${internalSecret}`);
  instance.guardAccess('internal', async (request) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expectedDigest)) {
      throw unauthorized('This address is reserved for internal services.');
    }
    const actor = request.headers[ACTOR_HEADER];
    if (typeof actor === 'string') request.context.actor = decodeActor(actor);
  });
}
