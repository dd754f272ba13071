import scalar from '@scalar/fastify-api-reference';
import type { ServedDocument } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';
import { PROBLEMS } from './problem.js';

/**
 * Serves the interfaces' documents at `/docs`: for people, and as JSON. Everything comes from this server: no font,
 * script or telemetry of somebody else.
 */
export async function registerDocs(instance: FastifyInstance, documents: readonly ServedDocument[]): Promise<void> {
  for (const { slug, document } of documents) {
    const text = JSON.stringify(document);
    instance.get(`/docs/${slug}.json`, async (_request, reply) => reply.type('application/json').send(text));
  }
  const problems = problemsPage();
  instance.get('/docs/problems', async (_request, reply) => reply.type('text/html; charset=utf-8').send(problems));
  await instance.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      sources: documents.map(({ title, slug }) => ({ title, slug, url: `/docs/${slug}.json` })),
      pageTitle: 'Agent Traffic: interface',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  } as Parameters<typeof scalar>[1]);
}

/** What the `type` of a problem document leads to. */
function problemsPage(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([type, { status, title }]) =>
      `<tr id="${type}"><td><code>${type}</code></td><td>${status}</td><td>${title}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Agent Traffic: problems</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
  td, th { text-align: left; padding: .25rem 1rem .25rem 0 }
  tr:target { outline: 2px solid }
</style>
<h1>Problems</h1>
<p>Errors are problem documents (RFC 9457). Their <code>type</code> is one of these; <code>detail</code> says what is
wrong, <code>errors</code> where, and <code>instance</code> is the request id to look for in the logs.</p>
<table><tr><th>Type</th><th>Status</th><th>Meaning</th></tr>
${rows.join('\n')}
</table>
</html>
`;
}
