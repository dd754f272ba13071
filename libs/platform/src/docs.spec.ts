import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fastify, type FastifyInstance } from 'fastify';
import { asyncApiDocument, openApiDocuments, TOPICS } from '#libs/contracts';
import { registerDocs } from './docs.js';

interface DescribedDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, { tags: string[] }>>;
}

describe('registerDocs', () => {
  let instance: FastifyInstance;
  let webRoot: string;
  /** Seconds until the next request is allowed, or 0. */
  let retryAfterSeconds = 0;

  beforeAll(async () => {
    webRoot = await mkdtemp(join(tmpdir(), 'docs-'));
    instance = fastify();
    instance.decorateRequest('clientAddress', { getter: () => '192.0.2.1' });
    await registerDocs(instance, openApiDocuments(), webRoot, async () => retryAfterSeconds);
    await instance.ready();
  });
  afterAll(async () => {
    await instance.close();
    await rm(webRoot, { recursive: true });
  });

  const get = async (url: string) => {
    const { statusCode, headers, body } = await instance.inject({ url });
    expect(statusCode).toBe(200);
    return { type: String(headers['content-type']), body };
  };

  it('sends Retry-After with rate-limited responses', async () => {
    retryAfterSeconds = 7;
    const { statusCode, headers } = await instance.inject({ url: '/docs/events.json' });
    retryAfterSeconds = 0;
    expect([statusCode, headers['retry-after']]).toEqual([429, '7']);
  });

  it('serves each document as JSON', async () => {
    for (const { slug, document } of openApiDocuments()) {
      expect(JSON.parse((await get(`/docs/${slug}.json`)).body)).toEqual(JSON.parse(JSON.stringify(document)));
    }
    const { type, body } = await get('/docs/events.json');
    expect(type).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(asyncApiDocument())));
  });

  it("lists each topic's headers and fields and shows an example", async () => {
    const { type, body } = await get('/docs/events');
    expect(type).toBe('text/html; charset=utf-8');
    for (const topic of Object.values(TOPICS)) expect(body).toContain(`<code>${topic}</code></h2>`);
    for (const name of ['ce_id', 'dead_letter_reason', 'original_…', 'agent_token', 'request_path']) {
      expect(body).toMatch(new RegExp(`<td[^>]*><code>${name}</code>`));
    }
    expect(body).toContain('ce_type: agent-traffic.visit.enriched.v1');
    expect(body).not.toMatch(/undefined|\[object/);
  });

  it.each(['/docs/events', '/docs/problems'])('serves %s as a self-contained page', async (url) => {
    const { body } = await get(url);
    expect(body).not.toMatch(/<(script|link|img|iframe)|@import|url\(|\bsrc=/i);
    for (const [, target] of body.matchAll(/href="([^"]*)"/g)) expect(target).toMatch(/^(#|\/docs)/);
  });

  it('resolves the links on the events page', async () => {
    const links = (body: string) => [...body.matchAll(/href="(\/docs[^"]*)"/g)].map(([, target]) => target!);
    for (const target of links((await get('/docs/events')).body)) await get(target.replace(/docs$/, 'docs/'));
    expect((await get('/docs/public.json')).body).toContain('/docs/events');
  });

  it('links the API reference to the home page and other documentation pages', async () => {
    const { body } = await get('/docs/');
    for (const target of ['/', '/docs/events', '/docs/problems']) expect(body).toContain(`<a href="${target}">`);
  });

  it('serves the API reference script, gzipped if the client accepts it', async () => {
    const script = "console.log('api reference')";
    const requestScript = (headers = {}) => instance.inject({ url: '/docs/js/scalar.js', headers });
    expect((await requestScript()).statusCode).toBe(500);
    await mkdir(join(webRoot, 'docs'));
    await writeFile(join(webRoot, 'docs/scalar.js.gz'), gzipSync(script));
    const plain = await requestScript();
    expect([plain.body, plain.headers['content-encoding']]).toEqual([script, undefined]);
    const gzipped = await requestScript({ 'accept-encoding': 'gzip, br' });
    expect(gzipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(String(gunzipSync(gzipped.rawPayload))).toBe(script);
  });

  it('describes exactly the tags that operations use', () => {
    for (const { document } of openApiDocuments() as { document: DescribedDocument }[]) {
      const used = new Set(
        Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)),
      );
      const described = new Set(document.tags.map(({ name }) => name));
      expect({
        'tags without a description in openapi/console.ts or openapi/public.ts': [...used.difference(described)],
        'described tags without operations': [...described.difference(used)],
      }).toEqual({
        'tags without a description in openapi/console.ts or openapi/public.ts': [],
        'described tags without operations': [],
      });
    }
  });

  it("allows only the page's own scripts in its Content-Security-Policy", async () => {
    const page = await instance.inject({ url: '/docs/' });
    const [, script] = /<script>([^]*?)<\/script>/.exec(page.body)!;
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain(`script-src 'self' 'sha256-${hash('sha256', script!, 'base64')}';`);
    const { headers } = await instance.inject({ url: '/docs/events' });
    expect(headers['content-security-policy']).toContain("script-src 'self';");
  });
});
