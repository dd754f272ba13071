import type { FastifyInstance } from 'fastify';
import { ProblemError } from './problem.js';

/** What ends an authority, or is not part of the host (RFC 3986 section 3.2). */
const NOT_A_HOST = /[\s/?#@\\]/;

/** Whether a Host header is one: a host, with a port or without; RFC 9110 section 7.2. */
export const isHost = (host: string): boolean => !NOT_A_HOST.test(host) && URL.canParse(`http://${host}/`);

/**
 * Refuses a Host header that names no host, and an HTTP/1.1 request without one, as RFC 9112 section 3.2 demands:
 * whatever makes an address of it would fail. A blank one is let through, and none at all in HTTP/1.0, as of health
 * checks.
 */
export function registerHost(instance: FastifyInstance): void {
  // Nearly all requests name the same host.
  let known = '';
  instance.addHook('onRequest', (request, _reply, done) => {
    const { host } = request.headers;
    if (host === known || host === '') return done();
    if (host === undefined) {
      if (request.raw.httpVersion === '1.0') return done();
      return done(new ProblemError('malformed-request', 'Send a Host header: HTTP/1.1 requires one.'));
    }
    if (!isHost(host)) {
      return done(
        new ProblemError(
          'malformed-request',
          `Host must be a host name or address, with or without a port (got "${host}").`,
        ),
      );
    }
    known = host;
    done();
  });
}
