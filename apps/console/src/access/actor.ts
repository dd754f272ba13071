import type { Operation } from '#libs/contracts';
import type { Actor } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import type { Principal } from './principal.js';

const COMMAND_LINE = /^agent-traffic\//;

/**
 * Returns the actor of a request for the audit log. API keys only have an ID, because the database knows their names.
 */
export function actorOf(request: FastifyRequest, principal: Principal | null, { id: operation }: Operation): Actor {
  const { clientAddress: address, headers } = request;
  const common = { address, request_id: request.context.requestId, operation };
  if (principal === null) return { type: 'visitor', ...common };
  const { user, keyId } = principal;
  if (user !== null) return { type: 'person', id: user.id, name: user.email, via: 'dashboard', ...common };
  const via = COMMAND_LINE.test(headers['user-agent'] ?? '') ? 'command_line' : 'api';
  return { type: 'api_key', ...(keyId !== null && { id: keyId }), via, ...common };
}
