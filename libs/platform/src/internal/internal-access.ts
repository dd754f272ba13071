import { hash, timingSafeEqual } from 'node:crypto';
import type { Operation } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';
import '../access.js';
import { secret } from '../env.js';
import { unauthorized } from '../problem.js';

/** Setting of whatever calls other services or is called by them: to be spread into a specification. */
export const internalSettings = {
  INTERNAL_API_SECRET: secret(20)({ desc: 'What the services know one another by, 20 characters or more' }),
};

/** Serves operations with `access: 'internal'`: to services of ours, and nobody else. */
export function registerInternalAccess(
  instance: FastifyInstance,
  internalSecret: string,
  operations: readonly Operation[],
): void {
  instance.serveOperations(operations);
  // Hashes are of one length, as the comparison in constant time wants it.
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  const expected = digest(`Bearer ${internalSecret}`);
  instance.guardAccess('internal', async (request) => {
    if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) return;
    throw unauthorized('This address is for the services of the deployment.');
  });
}
