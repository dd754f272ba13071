import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from './problem.js';

/**
 * Headers that must not be repeated, by name length. Node.js uses the first value, but a proxy might use another one.
 */
const SINGLETON_HEADERS: Record<number, string> = { 4: 'Host', 12: 'Content-Type', 13: 'Authorization' };
/** Characters that end an authority or can't be part of a host (RFC 3986, section 3.2). */
const INVALID_HOST_CHARACTER = /[\s/?#@\\]/;

/** Returns true for a valid Host header value: a host with an optional port (RFC 9110, section 7.2). */
export const isValidHost = (host: string): boolean =>
  !INVALID_HOST_CHARACTER.test(host) && URL.canParse(`http://${host}/`);

/** Returns a problem that could make a proxy and Node.js interpret the request differently, or null. */
function findAmbiguity({ httpVersion, url = '', headers, rawHeaders }: IncomingMessage): string | null {
  const repeated = findRepeatedHeader(rawHeaders);
  if (repeated !== null) return repeated;
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return 'Transfer-Encoding must be chunked and requires HTTP/1.1.';
  }
  // The host in an absolute URL takes precedence over the Host header (RFC 9112, section 3.2.2), but the router and
  // links use the header.
  if (!url.startsWith('/') && URL.canParse(url) && new URL(url).host !== headers.host?.toLowerCase()) {
    return 'The host in the request URL must match the Host header.';
  }
  return null;
}

function findRepeatedHeader(rawHeaders: readonly string[]): string | null {
  let seenLengthsMask = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const singletonName = SINGLETON_HEADERS[name.length];
    if (singletonName === undefined || name.toLowerCase() !== singletonName.toLowerCase()) continue;
    // Each name length has its own bit.
    if ((seenLengthsMask & (1 << name.length)) !== 0) return `Send only one ${singletonName} header (got several).`;
    seenLengthsMask |= 1 << name.length;
  }
  return null;
}

/**
 * Rejects ambiguous requests, invalid Host headers, and HTTP/1.1 requests without a Host header (RFC 9112, section
 * 3.2). For health checks, accepts a blank Host header and HTTP/1.0 requests without one.
 */
export function registerHostCheck(instance: FastifyInstance): void {
  // Nearly all requests have the same host, so only the last valid one is cached.
  let lastValidHost = '';
  instance.addHook('onRequest', (request, _reply, done) => {
    const { host } = request.headers;
    const ambiguous = findAmbiguity(request.raw);
    if (ambiguous !== null) return done(new ProblemError('malformed-request', ambiguous));
    if (host === lastValidHost || host === '') return done();
    if (host === undefined) {
      if (request.raw.httpVersion === '1.0') return done();
      return done(new ProblemError('malformed-request', 'Send a Host header. HTTP/1.1 requires it.'));
    }
    if (!isValidHost(host)) {
      return done(
        new ProblemError(
          'malformed-request',
          `Host must be a host name or IP address with an optional port (got "${host}").`,
        ),
      );
    }
    lastValidHost = host;
    done();
  });
}
