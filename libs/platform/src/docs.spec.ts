import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fastify, type FastifyInstance } from 'fastify';
import { asyncApiDocument, openApiDocuments, TOPICS } from '#libs/contracts';
import { registerDocs } from './docs.js';

interface Described {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, { tags: string[] }>>;
}

describe('registerDocs', () => {
  let instance: FastifyInstance;
  let webRoot: string;
  /** Seconds until the next request is admitted, or 0. */
  let waiting = 0;

  beforeAll(async () => {
    webRoot = await mkdtemp(join(tmpdir(), 'docs-'));
    instance = fastify();
    instance.decorateRequest('clientAddress', { getter: () => '192.0.2.1' });
    await registerDocs(instance, openApiDocuments(), webRoot, async () => waiting);
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

  it('rejects rate-limited requests with Retry-After', async () => {
    waiting = 7;
    const { statusCode, headers } = await instance.inject({ url: '/docs/events.json' });
    waiting = 0;
    expect([statusCode, headers['retry-after']]).toEqual([429, '7']);
  });

  it('serves every document as JSON', async () => {
    for (const { slug, document } of openApiDocuments()) {
      expect(JSON.parse((await get(`/docs/${slug}.json`)).body)).toEqual(JSON.parse(JSON.stringify(document)));
    }
    const { type, body } = await get('/docs/events.json');
    expect(type).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(asyncApiDocument())));
  });

  it('lists headers, fields and an example of each topic', async () => {
    const { type, body } = await get('/docs/events');
    expect(type).toBe('text/html; charset=utf-8');
    for (const topic of Object.values(TOPICS)) expect(body).toContain(`<code>${topic}</code></h2>`);
    for (const name of ['ce_id', 'dead_letter_reason', 'original_…', 'agent_token', 'request_path']) {
      expect(body).toMatch(new RegExp(`<td[^>]*><code>${name}</code>`));
    }
    expect(body).toContain('ce_type: agent-traffic.visit.enriched.v1');
    expect(body).not.toMatch(/undefined|\[object/);
  });

  it.each(['/docs/events', '/docs/problems'])('loads no other resources on %s', async (url) => {
    const { body } = await get(url);
    expect(body).not.toMatch(/<(script|link|img|iframe)|@import|url\(|\bsrc=/i);
    for (const [, target] of body.matchAll(/href="([^"]*)"/g)) expect(target).toMatch(/^(#|\/docs)/);
  });

  it('links the pages to each other', async () => {
    const links = (body: string) => [...body.matchAll(/href="(\/docs[^"]*)"/g)].map(([, target]) => target!);
    for (const target of links((await get('/docs/events')).body)) await get(target.replace(/docs$/, 'docs/'));
    expect((await get('/docs/public.json')).body).toContain('/docs/events');
  });

  it('links the reference to the home page and the other pages', async () => {
    const { body } = await get('/docs/');
    for (const target of ['/', '/docs/events', '/docs/problems']) expect(body).toContain(`<a href="${target}">`);
  });

  it('serves the bundled script of the reference, gzipped if the client accepts it', async () => {
    const script = "console.log('the reference')";
    const send = (headers = {}) => instance.inject({ url: '/docs/js/scalar.js', headers });
    expect((await send()).statusCode).toBe(500);
    await mkdir(join(webRoot, 'docs'));
    await writeFile(join(webRoot, 'docs/scalar.js.gz'), gzipSync(script));
    const plain = await send();
    expect([plain.body, plain.headers['content-encoding']]).toEqual([script, undefined]);
    const zipped = await send({ 'accept-encoding': 'gzip, br' });
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(String(gunzipSync(zipped.rawPayload))).toBe(script);
  });

  it('describes all tags that operations use, and no others', () => {
    for (const { document } of openApiDocuments() as { document: Described }[]) {
      const used = new Set(
        Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)),
      );
      const described = new Set(document.tags.map(({ name }) => name));
      expect({
        'tags that openapi/console.ts or openapi/public.ts has to describe': [...used.difference(described)],
        'descriptions of tags without operations': [...described.difference(used)],
      }).toEqual({
        'tags that openapi/console.ts or openapi/public.ts has to describe': [],
        'descriptions of tags without operations': [],
      });
    }
  });

  it('allows only the scripts of a page in its Content-Security-Policy', async () => {
    const page = await instance.inject({ url: '/docs/' });
    const [, script] = /<script>([^]*?)<\/script>/.exec(page.body)!;
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain(`script-src 'self' 'sha256-${hash('sha256', script!, 'base64')}';`);
    const { headers } = await instance.inject({ url: '/docs/events' });
    expect(headers['content-security-policy']).toContain("script-src 'self';");
  });
});
