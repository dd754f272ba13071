import { hash } from 'node:crypto';
import { join } from 'node:path';
import { asyncApiDocument, type ServedDocument } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';
import { allowEverybody } from './access.js';
import { docsPage } from './docs-page.js';
import { addReference } from './docs-reference.js';
import { eventsPage } from './events-page.js';
import { limitNetworks, type NetworkLimit } from './network-limit.js';
import { PROBLEMS } from './problem.js';

/**
 * Serves the API documents at `/docs` and the topics at `/docs/events`, as pages and as JSON. Pages load no fonts,
 * scripts or telemetry from third parties.
 *
 * @param webRoot Folder of the dashboard bundle, which contains the script of the API reference.
 * @param limit Rate limit per network, because the documents are large.
 */
export async function registerDocs(
  instance: FastifyInstance,
  documents: readonly ServedDocument[],
  webRoot: string,
  limit: NetworkLimit,
): Promise<void> {
  await instance.register(async (scope) => {
    allowEverybody(scope);
    limitNetworks(scope, 'documents', limit);
    scope.addHook('onSend', async (_request, reply, payload) => {
      // The documents change with each release, so caches must revalidate them.
      if (reply.statusCode === 200) void reply.header('cache-control', 'no-cache');
      if (typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')) {
        void reply.header('content-security-policy', documentationPolicy(payload));
      }
      return payload;
    });
    addDocs(scope, documents, join(webRoot, 'docs/scalar.js.gz'));
  });
}

function addDocs(instance: FastifyInstance, documents: readonly ServedDocument[], script: string): void {
  // Generated on first request, to save memory and startup time.
  const served = (path: string, type: string, write: () => string): void => {
    let text: string | undefined;
    instance.get(`/docs/${path}`, async (_request, reply) => reply.type(type).send((text ??= write())));
  };
  for (const described of documents) {
    served(`${described.slug}.json`, 'application/json', () => JSON.stringify(described.document));
  }
  served('events.json', 'application/json', () => JSON.stringify(asyncApiDocument()));
  served('events', 'text/html; charset=utf-8', () => eventsPage(asyncApiDocument()));
  served('problems', 'text/html; charset=utf-8', problemsPage);
  addReference(instance, documents, script);
}

/**
 * Returns the Content-Security-Policy of a page. Allows this server's resources, inline scripts by hash, and inline
 * styles, which all pages use.
 */
function documentationPolicy(page: string): string {
  const tags = page.split('<script').slice(1);
  const ownScripts = tags.filter((tag) => !/\bsrc=/.test(tag.slice(0, tag.indexOf('>'))));
  const scripts = ownScripts.map((tag) => {
    const script = tag.slice(tag.indexOf('>') + 1, tag.indexOf('</script>'));
    return `'sha256-${hash('sha256', script, 'base64')}'`;
  });
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`.trimEnd(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Returns the page that the `type` of a problem document links to. */
function problemsPage(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([type, { status, title }]) =>
      `<tr id="${type}"><td><code>${type}</code></td><td>${status}</td><td>${title}</td></tr>`,
  );
  return docsPage(
    'problems',
    `<h1>Problems</h1>
<p>Errors are problem documents (RFC 9457). Their <code>type</code> is one of these; <code>detail</code> says what is
wrong, <code>errors</code> where, and <code>instance</code> is the request id to look for in the logs.</p>
<table><tr><th>Type</th><th>Status</th><th>Meaning</th></tr>
${rows.join('\n')}
</table>`,
  );
}
