import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from './problem.js';

/**
 * Headers that must not be repeated, by the length of their names. Node uses the first value, but a proxy might use
 * another.
 */
const SINGLE_HEADERS: Record<number, string> = { 4: 'Host', 12: 'Content-Type', 13: 'Authorization' };
/** Characters that end an authority or aren't part of a host (RFC 3986, section 3.2). */
const NOT_A_HOST = /[\s/?#@\\]/;

/** Returns true if the value is a valid Host header: a host with an optional port (RFC 9110, section 7.2). */
export const isHost = (host: string): boolean => !NOT_A_HOST.test(host) && URL.canParse(`http://${host}/`);

/** Returns the fault of a request that a proxy and Node might read differently, or null. */
function ambiguity({ httpVersion, url = '', headers, rawHeaders }: IncomingMessage): string | null {
  const repeated = repeatedHeader(rawHeaders);
  if (repeated !== null) return repeated;
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return 'Transfer-Encoding must be chunked, in HTTP/1.1.';
  }
  // The host of an absolute URL takes precedence over Host (RFC 9112, section 3.2.2), but the router and links use
  // Host.
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
    // One bit per name length.
    if ((seen & (1 << name.length)) !== 0) return `Send one ${single} header (got several).`;
    seen |= 1 << name.length;
  }
  return null;
}

/**
 * Rejects ambiguous requests, invalid Host headers, and HTTP/1.1 requests without one (RFC 9112, section 3.2). For
 * health checks, a blank Host is accepted, and in HTTP/1.0 a missing one.
 */
export function registerHost(instance: FastifyInstance): void {
  // Last valid host. Nearly all requests name the same one.
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
