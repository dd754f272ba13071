import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { isForwardingHeader } from '#libs/agents';
import './access.js';
import { unauthorized } from './problem.js';

/** Injection token for the operator endpoints' bearer tokens. */
export const OPERATOR_TOKENS = Symbol('operator tokens');

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Returns true if a request may access operator data: it has one of the tokens, or it has no credential and comes from
 * this machine.
 *
 * A request counts as local if it has a loopback peer, a loopback `Host` and no forwarding header. A forwarding header
 * could come from a local proxy, and another `Host` from DNS rebinding.
 */
export function isOperator({ raw, headers }: FastifyRequest, tokens: readonly string[]): boolean {
  if (headers.authorization !== undefined) {
    const givenDigest = digest(headers.authorization);
    // Compare all tokens every time, so the response time reveals nothing. `timingSafeEqual` requires inputs of equal
    // length, so it compares hashes.
    return tokens.map((token) => timingSafeEqual(givenDigest, digest(`Bearer ${token}`))).includes(true);
  }
  const peer = raw.socket.remoteAddress ?? '';
  if (!ipaddr.isValid(peer) || ipaddr.process(peer).range() !== 'loopback') return false;
  return LOOPBACK_HOST.test(headers.host ?? '') && !Object.keys(headers).some(isForwardingHeader);
}

/** Guards routes with `access: 'operator'`. */
export function registerOperatorAccess(instance: FastifyInstance, tokens: readonly string[]): void {
  instance.guardAccess('operator', async (request) => {
    if (isOperator(request, tokens)) return;
    throw unauthorized(
      'Metrics are only available on this machine. From other machines, send METRICS_TOKEN as a bearer token.',
    );
  });
}
