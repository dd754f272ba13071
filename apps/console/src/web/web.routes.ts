import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import serveStatic from '@fastify/static';
import { PUBLIC_INTERFACE } from '#libs/contracts';
import { allowEverybody, limitNetworks, type NetworkLimit } from '#libs/platform';
import type { FastifyInstance } from 'fastify';

const PUBLIC_PATHS = PUBLIC_INTERFACE.operations.map(({ path }) => path.slice(1));

/** Addresses of interfaces, where a browser gets a 404, too, rather than the dashboard. */
const NOT_A_PAGE = new RegExp(
  `^/(?:api|docs|assets|\\.well-known|healthz|readyz|metrics|mcp|${PUBLIC_PATHS.join('|')})(?:[/?]|$)`,
);

/** Placeholders in the page for the nonce of an answer and the address of the instance. */
const NONCE_PLACEHOLDER = 'CSP_NONCE';
const URL_PLACEHOLDER = 'PUBLIC_URL';

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'referrer-policy': 'same-origin',
  vary: 'accept',
};

/** Whether the dashboard answers this address. */
export const isPage = (url: string, accept: string | undefined): boolean =>
  accept !== undefined && /(?:^|[\s,])text\/html(?:[\s,;]|$)/i.test(accept) && !NOT_A_PAGE.test(url);

/**
 * Serves the dashboard: its files, and its one page at every address that has no other route.
 *
 * @param root folder of the bundle.
 * @param publicUrl address under which everything is reached, for what people copy from the dashboard.
 * @param limit limit on the requests of a network.
 * @throws Error when the dashboard is not built.
 */
export function registerWeb(instance: FastifyInstance, root: string, publicUrl: string, limit?: NetworkLimit): void {
  const page = readPage(root).replace(URL_PLACEHOLDER, new URL(publicUrl).href.replaceAll('&', '&amp;'));
  void instance.register(async (web) => {
    allowEverybody(web);
    if (limit !== undefined) limitNetworks(web, 'the dashboard', limit);
    // A file's name changes with its content, so it can be cached for ever.
    await web.register(serveStatic, {
      root: join(root, 'assets'),
      prefix: '/assets/',
      index: false,
      immutable: true,
      maxAge: '1y',
      preCompressed: true,
      decorateReply: false,
    });
    const icon = iconPath(page);
    // Browsers ask for this address where a page names no icon, such as the API reference.
    if (icon !== null)
      web.get('/favicon.ico', { exposeHeadRoute: false }, (_request, reply) => reply.redirect(icon, 302));
    web.route({
      method: 'GET',
      url: '/*',
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        if (!isPage(request.url, request.headers.accept)) return reply.callNotFound();
        const nonce = randomBytes(16).toString('base64url');
        const shared = sharedHeaders(request.url);
        if (isEmbedded(request.url)) void reply.removeHeader('x-frame-options');
        return reply
          .headers({ ...PAGE_HEADERS, ...policy(nonce, isEmbedded(request.url)), ...shared })
          .send(page.replaceAll(NONCE_PLACEHOLDER, nonce));
      },
    });
  });
}

/** Returns the path of the icon's file, which is named after its content. */
const iconPath = (page: string): string | null => /<link rel="icon" href="([^"]+)"/.exec(page)?.[1] ?? null;

/** Exactly the address of a shared overview, as the dashboard reads it: no other page is shown in frames. */
const SHARED_PAGE = /^\/shared\/agl_\w{38}(?:\?(.*))?$/;

/** The address is a secret: it is neither passed on nor found by search engines. */
const sharedHeaders = (url: string): Record<string, string> =>
  url.startsWith('/shared/') ? { 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' } : {};

const isEmbedded = (url: string): boolean => new URLSearchParams(SHARED_PAGE.exec(url)?.[1]).has('embed');

/**
 * @param nonce for the style sheets that components insert. Other styles are set by script, which needs none.
 * @param isEmbedded whether other sites may show the page in a frame.
 */
const policy = (nonce: string, isEmbedded: boolean): Record<string, string> => ({
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
    throw new Error(`The dashboard is not built (${root}). Run: npm run build`, { cause: error });
  }
}
