import { hash } from 'node:crypto';
import { asyncApiDocument, type ServedDocument } from '#libs/contracts';
import fastify, { type FastifyInstance } from 'fastify';
import { allowEverybody } from './access.js';
import { docsPage } from './docs-page.js';
import { eventsPage } from './events-page.js';
import { PROBLEMS } from './problem.js';

/**
 * Serves the documents of the interfaces at `/docs` and of the topics at `/docs/events`: for people, and as JSON.
 * Everything comes from this server: no font, script or telemetry of somebody else.
 */
export async function registerDocs(instance: FastifyInstance, documents: readonly ServedDocument[]): Promise<void> {
  await instance.register(async (scope) => {
    allowEverybody(scope);
    scope.addHook('onSend', async (_request, reply, payload) => {
      // Which release they are of, only the server knows.
      if (reply.statusCode === 200) void reply.header('cache-control', 'no-cache');
      if (typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')) {
        void reply.header('content-security-policy', documentationPolicy(payload));
      }
      return payload;
    });
    await addDocs(scope, documents);
  });
}

async function addDocs(instance: FastifyInstance, documents: readonly ServedDocument[]): Promise<void> {
  const events = asyncApiDocument();
  for (const { slug, document } of [...documents, { slug: 'events', document: events }]) {
    const text = JSON.stringify(document);
    instance.get(`/docs/${slug}.json`, async (_request, reply) => reply.type('application/json').send(text));
  }
  for (const [path, page] of Object.entries({ problems: problemsPage(), events: eventsPage(events) })) {
    instance.get(`/docs/${path}`, async (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  }
  // Loaded when somebody opens it: the script alone takes 17 MB.
  let loading: Promise<ApiReference> | undefined;
  const reference = (): Promise<ApiReference> => {
    loading ??= loadReference(documents).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  instance.get('/docs', async (_request, reply) => reply.redirect('/docs/', 301));
  instance.get('/docs/', async (_request, reply) => {
    const { page } = await reference();
    return reply.type('text/html; charset=utf-8').send(page);
  });
  instance.get('/docs/js/scalar.js', async (_request, reply) => {
    const { script } = await reference();
    return reply.type('application/javascript; charset=utf-8').send(script);
  });
}

/** Above the reference, which leaves room for it: the way back, and the other pages. */
const HEADER = `
<header class="top"><a href="/">← Agent Traffic</a><nav><a href="/docs/events">Topics</a> <a href="/docs/problems">Problems</a></nav></header>`;
const HEADER_STYLE = `
  :root { --scalar-custom-header-height: 44px }
  .top { position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: 44px; padding: 0 16px; display: flex;
    align-items: center; justify-content: space-between; font: 14px/1.5 system-ui, sans-serif;
    background: var(--scalar-background-1); border-bottom: 1px solid var(--scalar-border-color) }
  .top a { color: var(--scalar-color-1); text-decoration: none; margin-right: 12px }
  .top a:hover { text-decoration: underline }`;

/** The page in which people try out the interfaces. */
interface ApiReference {
  page: string;
  script: Buffer;
}

async function loadReference(documents: readonly ServedDocument[]): Promise<ApiReference> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const server = fastify();
  await server.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      sources: documents.map(({ title, slug }) => ({ title, slug, url: `/docs/${slug}.json` })),
      pageTitle: 'Agent Traffic: API',
      customCss: HEADER_STYLE,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  } as Parameters<typeof scalar>[1]);
  const { body } = await server.inject('/docs/');
  const page = body.replace('<body>', `<body>${HEADER}`);
  const { rawPayload: script } = await server.inject('/docs/js/scalar.js');
  return { page, script };
}

/**
 * Returns the policy of a page: its own scripts, by their hashes, and what this server has. Style is inline in all of
 * them, in attributes as well.
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

/** What the `type` of a problem document leads to. */
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
