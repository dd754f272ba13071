import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import serveStatic from '@fastify/static';
import { PUBLIC_INTERFACE } from '#libs/contracts';
import { allowEverybody } from '#libs/platform';
import type { FastifyInstance } from 'fastify';

const PUBLIC_PATHS = PUBLIC_INTERFACE.operations.map(({ path }) => path.slice(1));

/** Addresses of interfaces, where nothing means 404 also to a browser. */
const NOT_A_PAGE = new RegExp(
  `^/(?:api|docs|assets|\\.well-known|healthz|readyz|metrics|${PUBLIC_PATHS.join('|')})(?:[/?]|$)`,
);

/** What the page has for what is only known here: the nonce of an answer, and the address of the instance. */
const NONCE_PLACE = 'CSP_NONCE';
const URL_PLACE = 'PUBLIC_URL';

/** Whether the dashboard answers this address, rather than nothing. */
export const isPage = (url: string, accept: string | undefined): boolean =>
  accept !== undefined && /(?:^|[\s,])text\/html(?:[\s,;]|$)/i.test(accept) && !NOT_A_PAGE.test(url);

/**
 * Serves the dashboard: its files, and its one page at every address that is nobody else's.
 *
 * @param root folder of the bundle.
 * @param publicUrl address under which everything is reached, for what people copy from the dashboard.
 * @throws Error when there is none: without a build nothing starts.
 */
export function registerWeb(instance: FastifyInstance, root: string, publicUrl: string): void {
  const page = readPage(root).replace(URL_PLACE, new URL(publicUrl).href.replaceAll('&', '&amp;'));
  void instance.register(async (web) => {
    allowEverybody(web);
    await web.register(helmet, {
      // A nonce for the style sheets that components make; styles are set by script otherwise, which is not inline.
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'", (_request, response) => `'nonce-${nonceOf(response)}'`],
          imgSrc: ["'self'", 'data:'],
          fontSrc: ["'self'"],
          connectSrc: ["'self'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
        },
      },
      referrerPolicy: { policy: 'same-origin' },
      xFrameOptions: { action: 'deny' },
      // Whether this host and those below it are reached by TLS alone is for the proxy that speaks TLS to say.
      strictTransportSecurity: false,
    });
    // Names change with the content, so nothing there ever changes.
    await web.register(serveStatic, {
      root: join(root, 'assets'),
      prefix: '/assets/',
      index: false,
      immutable: true,
      maxAge: '1y',
      preCompressed: true,
      decorateReply: false,
    });
    web.route({
      method: 'GET',
      url: '/*',
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        if (!isPage(request.url, request.headers.accept)) return reply.callNotFound();
        return reply
          .headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', vary: 'accept' })
          .send(page.replaceAll(NONCE_PLACE, nonceOf(reply.raw)));
      },
    });
  });
}

const nonces = new WeakMap<object, string>();

function nonceOf(response: object): string {
  let nonce = nonces.get(response);
  if (nonce === undefined) nonces.set(response, (nonce = randomBytes(16).toString('base64url')));
  return nonce;
}

function readPage(root: string): string {
  try {
    return readFileSync(join(root, 'index.html'), 'utf8');
  } catch (error) {
    throw new Error(`The dashboard is not built (${root}). Run: npm run build`, { cause: error });
  }
}
