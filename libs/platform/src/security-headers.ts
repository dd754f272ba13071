import type { FastifyInstance } from 'fastify';

/**
 * Headers of every answer: anything but a page must not be rendered, framed, sniffed or kept. Routes that serve something
 * else overrule them one by one: pages their policy, files how long they are kept.
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

/** Sets {@link SECURITY_HEADERS} before anything else answers. Call before other hooks and routes are added. */
export function registerSecurityHeaders(instance: FastifyInstance): void {
  instance.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(SECURITY_HEADERS);
    done();
  });
}
