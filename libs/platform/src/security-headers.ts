import type { FastifyInstance } from 'fastify';

/**
 * Default headers of every response. They forbid rendering, framing, sniffing and caching. Routes override single
 * headers, for example the policy of a page.
 */
export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** Sets {@link SECURITY_HEADERS} on every response. Call before other hooks and routes are added. */
export function registerSecurityHeaders(instance: FastifyInstance): void {
  instance.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(SECURITY_HEADERS);
    done();
  });
}
