import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
// oxlint-disable-next-line no-restricted-imports -- Streams a build artifact.
import { createGunzip } from 'node:zlib';
import type { ServedDocument } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';

const HEADER = `
<header class="top"><a href="/">← Agent Traffic</a><nav><a href="/docs/events">Topics</a> <a href="/docs/problems">Problems</a></nav></header>`;
const HEADER_STYLE = `
  :root { --scalar-custom-header-height: 44px }
  .top { position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: 44px; padding: 0 16px; display: flex;
    align-items: center; justify-content: space-between; font: 14px/1.5 system-ui, sans-serif;
    background: var(--scalar-background-1); border-bottom: 1px solid var(--scalar-border-color) }
  .top a { color: var(--scalar-color-1); text-decoration: none; margin-right: 12px }
  .top a:hover { text-decoration: underline }`;

/**
 * Serves the interactive API reference.
 *
 * @param script Path of the gzipped script that the dashboard build creates.
 */
export function addApiReference(instance: FastifyInstance, documents: readonly ServedDocument[], script: string): void {
  const page = renderReferencePage(documents);
  instance.get('/docs', async (_request, reply) => reply.redirect('/docs/', 301));
  instance.get('/docs/', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  // The file is streamed per request because caching 4 MB in memory would be wasteful.
  instance.get('/docs/js/scalar.js', async (request, reply) => {
    void reply.headers({ 'content-type': 'application/javascript; charset=utf-8', vary: 'accept-encoding' });
    const file = createReadStream(script);
    if (/\bgzip\b/.test(String(request.headers['accept-encoding']))) {
      return reply.header('content-encoding', 'gzip').send(file);
    }
    // Read errors reach the response through the returned stream.
    return reply.send(pipeline(file, createGunzip(), () => undefined));
  });
}

function renderReferencePage(documents: readonly ServedDocument[]): string {
  const configuration = {
    sources: documents.map(({ title, slug }) => ({ title, slug, url: `/docs/${slug}.json` })),
    customCss: HEADER_STYLE,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agent Traffic: API</title>
<style>${HEADER_STYLE}
</style>
</head>
<body>${HEADER}
<div id="app"></div>
<script src="/docs/js/scalar.js"></script>
<script>Scalar.createApiReference('#app', ${JSON.stringify(configuration)})</script>
</body>
</html>
`;
}
