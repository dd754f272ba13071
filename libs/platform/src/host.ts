import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from './problem.js';

/** Headers of which Node uses the first and a proxy may use another, by the length of their names. */
const SINGLE_HEADERS: Record<number, string> = { 4: 'Host', 12: 'Content-Type', 13: 'Authorization' };
/** What ends an authority, or is not part of the host (RFC 3986 section 3.2). */
const NOT_A_HOST = /[\s/?#@\\]/;

/** Whether a Host header is one: a host, with a port or without; RFC 9110 section 7.2. */
export const isHost = (host: string): boolean => !NOT_A_HOST.test(host) && URL.canParse(`http://${host}/`);

/** Requests that a proxy and Node would read differently, and why they are rejected; null for others. */
function ambiguity({ httpVersion, url = '', headers, rawHeaders }: IncomingMessage): string | null {
  const repeated = repeatedHeader(rawHeaders);
  if (repeated !== null) return repeated;
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return 'Transfer-Encoding must be chunked, in HTTP/1.1.';
  }
  // RFC 9112 section 3.2.2: the host of an absolute address replaces Host, which the router and links don't follow.
  if (!url.startsWith('/') && URL.canParse(url) && new URL(url).host !== headers.host?.toLowerCase()) {
    return 'The address of the request names another host than its Host header.';
  }
  return null;
}

function repeatedHeader(rawHeaders: readonly string[]): string | null {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const single = SINGLE_HEADERS[name.length];
    if (single === undefined || name.toLowerCase() !== single.toLowerCase()) continue;
    // One bit for each length.
    if ((seen & (1 << name.length)) !== 0) return `Send one ${single} header (got several).`;
    seen |= 1 << name.length;
  }
  return null;
}

/**
 * Rejects ambiguous requests, a Host header that names no host, and an HTTP/1.1 request without one, as RFC 9112
 * section 3.2 demands. A blank one is accepted, and none at all in HTTP/1.0, for health checks.
 */
export function registerHost(instance: FastifyInstance): void {
  // Nearly all requests name the same host.
  let known = '';
  instance.addHook('onRequest', (request, _reply, done) => {
    const { host } = request.headers;
    const ambiguous = ambiguity(request.raw);
    if (ambiguous !== null) return done(new ProblemError('malformed-request', ambiguous));
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
