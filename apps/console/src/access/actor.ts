import type { Operation } from '#libs/contracts';
import type { Actor } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import type { Principal } from './principal.js';

const COMMAND_LINE_AGENT = /^agent-traffic\//;

/**
 * Returns the actor of a request for the audit log. For an API key, this includes only the ID, because the database
 * looks up the name.
 */
export function toActor(request: FastifyRequest, principal: Principal | null, { id: operation }: Operation): Actor {
  const { clientAddress: address, headers } = request;
  const common = { address, request_id: request.context.requestId, operation };
  if (principal === null) return { type: 'visitor', ...common };
  const { user, keyId } = principal;
  if (user !== null) return { type: 'person', id: user.id, name: user.email, via: 'dashboard', ...common };
  const via = COMMAND_LINE_AGENT.test(headers['user-agent'] ?? '') ? 'command_line' : 'api';
  return { type: 'api_key', ...(keyId !== null && { id: keyId }), via, ...common };
}
