import type { FastifyInstance } from 'fastify';

/**
 * Default response headers, which forbid rendering, framing, sniffing and caching. Routes can override individual
 * headers, such as a page's policy.
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

/** Sets {@link SECURITY_HEADERS} on each response. Must be called before other hooks and routes are added. */
export function registerSecurityHeaders(instance: FastifyInstance): void {
  instance.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(SECURITY_HEADERS);
    done();
  });
}
