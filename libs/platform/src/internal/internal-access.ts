import { hash, timingSafeEqual } from 'node:crypto';
import type { Operation } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';
import '../access.js';
import { secret } from '../env.js';
import type { Actor } from '../request-context.js';
import { unauthorized } from '../problem.js';

/** Settings of services that call, or are called by, other services. Spread them into a specification. */
export const internalSettings = {
  INTERNAL_API_SECRET: secret(20)({ desc: 'What the services know one another by, 20 characters or more' }),
};

/** Header with the actor of a change. Only trusted from our own services. */
export const ACTOR_HEADER = 'x-agent-traffic-actor';

/** Encodes an actor for the header. Names can contain characters that headers can't. */
export const writeActor = (actor: Actor): string => Buffer.from(JSON.stringify(actor)).toString('base64url');
const readActor = (text: string): Actor => JSON.parse(Buffer.from(text, 'base64url').toString()) as Actor;

/** Serves operations with `access: 'internal'`, only to our own services. */
export function registerInternalAccess(
  instance: FastifyInstance,
  internalSecret: string,
  operations: readonly Operation[],
): void {
  instance.serveOperations(operations);
  // `timingSafeEqual` requires equal lengths, which hashes have.
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  const expected = digest(`Bearer ${internalSecret}`);
  instance.guardAccess('internal', async (request) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      throw unauthorized('This address is for the services of the deployment.');
    }
    const actor = request.headers[ACTOR_HEADER];
    if (typeof actor === 'string') request.context.actor = readActor(actor);
  });
}
