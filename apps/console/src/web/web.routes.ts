import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import serveStatic from '@fastify/static';
import { PUBLIC_INTERFACE } from '#libs/contracts';
import { allowAnyone, rateLimitNetworks, type NetworkLimit } from '#libs/platform';
import type { FastifyInstance } from 'fastify';

const PUBLIC_PATHS = PUBLIC_INTERFACE.operations.map(({ path }) => path.slice(1));

/** Paths that aren't dashboard pages. If one of them doesn't exist, browsers get a 404 instead of the dashboard. */
const NOT_A_PAGE = new RegExp(
  `^/(?:api|docs|assets|\\.well-known|healthz|readyz|metrics|mcp|${PUBLIC_PATHS.join('|')})(?:[/?]|$)`,
);

const NONCE_PLACEHOLDER = 'CSP_NONCE';
const URL_PLACEHOLDER = 'PUBLIC_URL';

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'referrer-policy': 'same-origin',
  vary: 'accept',
};

export const isPage = (url: string, accept: string | undefined): boolean =>
  accept !== undefined && /(?:^|[\s,])text\/html(?:[\s,;]|$)/i.test(accept) && !NOT_A_PAGE.test(url);

/**
 * Serves the dashboard's files, and its page at all URLs without a route.
 *
 * @param root Folder that contains the bundle.
 * @param publicUrl Public base URL, shown to people who copy commands from the dashboard.
 * @param limit Request limit per network.
 * @throws {Error} if the dashboard hasn't been built.
 */
export function registerWeb(instance: FastifyInstance, root: string, publicUrl: string, limit?: NetworkLimit): void {
  const page = readPage(root).replace(URL_PLACEHOLDER, new URL(publicUrl).href.replaceAll('&', '&amp;'));
  void instance.register(async (web) => {
    allowAnyone(web);
    if (limit !== undefined) rateLimitNetworks(web, 'the dashboard', limit);
    // File names contain a content hash, so the files can be cached forever.
    await web.register(serveStatic, {
      root: join(root, 'assets'),
      prefix: '/assets/',
      index: false,
      immutable: true,
      maxAge: '1y',
      preCompressed: true,
      decorateReply: false,
    });
    const icon = getIconPath(page);
    // Browsers request this path for pages without an icon, such as the API reference.
    if (icon !== null)
      web.get('/favicon.ico', { exposeHeadRoute: false }, (_request, reply) => reply.redirect(icon, 302));
    web.route({
      method: 'GET',
      url: '/*',
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        if (!isPage(request.url, request.headers.accept)) return reply.callNotFound();
        const nonce = randomBytes(16).toString('base64url');
        const shared = getSharedHeaders(request.url);
        if (isEmbedded(request.url)) void reply.removeHeader('x-frame-options');
        return reply
          .headers({ ...PAGE_HEADERS, ...createPolicyHeaders(nonce, isEmbedded(request.url)), ...shared })
          .send(page.replaceAll(NONCE_PLACEHOLDER, nonce));
      },
    });
  });
}

const getIconPath = (page: string): string | null => /<link rel="icon" href="([^"]+)"/.exec(page)?.[1] ?? null;

/** URL of a shared overview, the only page that other sites can embed. Must match the dashboard's route. */
const SHARED_PAGE = /^\/shared\/agl_\w{38}(?:\?(.*))?$/;

/** The URL contains a secret, so it must not be indexed or sent as a referrer. */
const getSharedHeaders = (url: string): Record<string, string> =>
  url.startsWith('/shared/') ? { 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' } : {};

const isEmbedded = (url: string): boolean => new URLSearchParams(SHARED_PAGE.exec(url)?.[1]).has('embed');

/**
 * @param nonce Nonce for style sheets that components insert. Styles that scripts set don't need one.
 * @param isEmbedded Whether other sites can show the page in a frame.
 */
const createPolicyHeaders = (nonce: string, isEmbedded: boolean): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${isEmbedded ? '*' : "'none'"}`,
  ].join('; '),
});

function readPage(root: string): string {
  try {
    return readFileSync(join(root, 'index.html'), 'utf8');
  } catch (error) {
    throw new Error(`The dashboard has not been built (no index.html in ${root}). Run "npm run build".`, {
      cause: error,
    });
  }
}
