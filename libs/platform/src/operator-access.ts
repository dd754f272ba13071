import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { isForwardingHeader } from '#libs/agents';
import './access.js';
import { unauthorized } from './problem.js';

/** Injection token of the bearer tokens for operator endpoints. */
export const OPERATOR_TOKENS = Symbol('operator tokens');

const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Returns true if a request may see operator data: it has one of the tokens, or it has no credential and comes from
 * this machine.
 *
 * A request from this machine has a loopback peer, a loopback `Host` and no forwarding header. A forwarding header can
 * come from a proxy on this machine, and another `Host` from DNS rebinding.
 */
export function isOperator({ raw, headers }: FastifyRequest, tokens: readonly string[]): boolean {
  if (headers.authorization !== undefined) {
    const given = digest(headers.authorization);
    // Always compares all tokens, so the time reveals nothing. Hashes provide the equal lengths that `timingSafeEqual`
    // requires.
    return tokens.map((token) => timingSafeEqual(given, digest(`Bearer ${token}`))).includes(true);
  }
  const peer = raw.socket.remoteAddress ?? '';
  if (!ipaddr.isValid(peer) || ipaddr.process(peer).range() !== 'loopback') return false;
  return LOOPBACK_NAME.test(headers.host ?? '') && !Object.keys(headers).some(isForwardingHeader);
}

/** Guards routes with `access: 'operator'`. */
export function registerOperatorAccess(instance: FastifyInstance, tokens: readonly string[]): void {
  instance.guardAccess('operator', async (request) => {
    if (isOperator(request, tokens)) return;
    throw unauthorized('Metrics are shown on this machine only. Elsewhere, send METRICS_TOKEN as a bearer token.');
  });
}
