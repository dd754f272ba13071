import { hash } from 'node:crypto';
import { join } from 'node:path';
import { asyncApiDocument, type ServedDocument } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';
import { allowAnyone } from './access.js';
import { renderDocsPage } from './docs-page.js';
import { addApiReference } from './docs-reference.js';
import { renderEventsPage } from './events-page.js';
import { rateLimitNetworks, type NetworkLimit } from './network-limit.js';
import { PROBLEMS } from './problem.js';

/**
 * Serves the API documents at `/docs` and the topics at `/docs/events`, both as pages and as JSON. Pages load no
 * third-party fonts, scripts or telemetry.
 *
 * @param webRoot Folder of the dashboard bundle, which contains the API reference script.
 * @param limit Rate limit per network. It is needed because the documents are large.
 */
export async function registerDocs(
  instance: FastifyInstance,
  documents: readonly ServedDocument[],
  webRoot: string,
  limit: NetworkLimit,
): Promise<void> {
  await instance.register(async (scope) => {
    allowAnyone(scope);
    rateLimitNetworks(scope, 'documents', limit);
    scope.addHook('onSend', async (_request, reply, payload) => {
      // The documents change with each release, so caches must revalidate them.
      if (reply.statusCode === 200) void reply.header('cache-control', 'no-cache');
      if (typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')) {
        void reply.header('content-security-policy', createPagePolicy(payload));
      }
      return payload;
    });
    addDocumentRoutes(scope, documents, join(webRoot, 'docs/scalar.js.gz'));
  });
}

function addDocumentRoutes(instance: FastifyInstance, documents: readonly ServedDocument[], script: string): void {
  // Documents are generated on first request to save memory and startup time.
  const serveDocument = (path: string, type: string, render: () => string): void => {
    let text: string | undefined;
    instance.get(`/docs/${path}`, async (_request, reply) => reply.type(type).send((text ??= render())));
  };
  for (const documentEntry of documents) {
    serveDocument(`${documentEntry.slug}.json`, 'application/json', () => JSON.stringify(documentEntry.document));
  }
  serveDocument('events.json', 'application/json', () => JSON.stringify(asyncApiDocument()));
  serveDocument('events', 'text/html; charset=utf-8', () => renderEventsPage(asyncApiDocument()));
  serveDocument('problems', 'text/html; charset=utf-8', renderProblemsPage);
  addApiReference(instance, documents, script);
}

/** The policy allows this server's resources, inline scripts by hash, and inline styles, which all pages use. */
function createPagePolicy(page: string): string {
  const tags = page.split('<script').slice(1);
  const inlineScriptTags = tags.filter((tag) => !/\bsrc=/.test(tag.slice(0, tag.indexOf('>'))));
  const scripts = inlineScriptTags.map((tag) => {
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

/** Problem documents link to this page in their `type`. */
function renderProblemsPage(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([type, { status, title }]) =>
      `<tr id="${type}"><td><code>${type}</code></td><td>${status}</td><td>${title}</td></tr>`,
  );
  return renderDocsPage(
    'problems',
    `<h1>Problems</h1>
<p>Errors are problem documents (RFC 9457). The <code>type</code> is listed below. <code>detail</code> describes the
error, <code>errors</code> locates it, and <code>instance</code> is the request ID to search for in the logs.</p>
<table><tr><th>Type</th><th>Status</th><th>Meaning</th></tr>
${rows.join('\n')}
</table>`,
  );
}
