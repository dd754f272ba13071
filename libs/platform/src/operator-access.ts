import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { isForwardingHeader } from '#libs/agents';
import './access.js';
import { unauthorized } from './problem.js';

/** Injection token: what strangers to the machine have to bring to see how a process is. */
export const OPERATOR_TOKENS = Symbol('operator tokens');

const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Returns whether a request may see what is meant for the operator of the process: it brings one of the tokens, or no
 * credential at all and comes from this machine. For the latter the connection counts, and a header can only speak
 * against it: one of a proxy, which may be on this machine, too, or a `Host` that is not the loopback's, as of a page whose name was rebound to it.
 */
export function isOperator({ raw, headers }: FastifyRequest, tokens: readonly string[]): boolean {
  if (headers.authorization !== undefined) {
    const given = digest(headers.authorization);
    // Each is compared, so that the time says nothing; hashes are of one length.
    return tokens.map((token) => timingSafeEqual(given, digest(`Bearer ${token}`))).includes(true);
  }
  const peer = raw.socket.remoteAddress ?? '';
  if (!ipaddr.isValid(peer) || ipaddr.process(peer).range() !== 'loopback') return false;
  return LOOPBACK_NAME.test(headers.host ?? '') && !Object.keys(headers).some(isForwardingHeader);
}

/** Admits who runs the process, and nobody else, to routes with `access: 'operator'`. */
export function registerOperatorAccess(instance: FastifyInstance, tokens: readonly string[]): void {
  instance.guardAccess('operator', async (request) => {
    if (isOperator(request, tokens)) return;
    throw unauthorized('Metrics are shown on this machine only. Elsewhere, send METRICS_TOKEN as a bearer token.');
  });
}
