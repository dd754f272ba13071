import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { RobotsFetchesService } from '../../apps/console/src/robots-versions/robots-fetches.service.js';
import { App, type Json } from '../kit/app.js';
import { disposeSites, startSilentSite } from '../kit/site.js';

const MINUTE_MS = 60_000;

let app: App;
let time = Date.now();

beforeAll(async () => {
  app = await App.start({
    clock: () => time,
    testVisits: { allowPrivateAddresses: true, lookup: async () => [{ address: '127.0.0.1', family: 4 }] },
  });
});
beforeEach(() => {
  time += MINUTE_MS;
});
afterAll(async () => {
  await app?.dispose();
  await disposeSites();
});

type Files = Record<string, { body?: string | Buffer; status?: number; location?: string }>;

/** Creates a project for a site with mutable files. `HOST` in a file stands for the site's host. */
async function createSite(files: Files) {
  const requests: string[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request.url!);
    const file = files[request.url!];
    const { body = '', status = file === undefined ? 404 : 200, location } = file ?? {};
    const text = typeof body === 'string' ? body.replaceAll('HOST', request.headers.host!) : body;
    response.writeHead(status, location === undefined ? {} : { location }).end(text);
  };
  const { port } = new URL(await startSilentSite(listener));
  const host = `shop.test:${port}`;
  const body = { name: 'Shop', site_address: `http://${host}/`, host_names: [host] };
  const { id } = (await app.api('POST', '/projects', body)).body;
  const url = `/projects/${id}`;
  return {
    url,
    host,
    requests,
    files,
    /** Fetches robots.txt, and then the sitemaps. */
    refresh: async (): Promise<Json> => {
      time += MINUTE_MS;
      await app.nest.get(RobotsFetchesService, { strict: false }).refreshProject(id);
      requests.length = 0;
      const { status, body: list } = await app.api('POST', `${url}/sitemaps/refresh`, {});
      expect(status).toBe(200);
      expect((await app.api('GET', `${url}/sitemaps`)).body).toEqual(list);
      return list;
    },
    pages: async (): Promise<string[]> =>
      (await app.api('GET', `${url}/coverage/pages?limit=1000`)).body.pages.map((page: Json) => page.page),
  };
}

const urlset = (...paths: string[]): string =>
  `<urlset>${paths.map((path) => `<url><loc>http://HOST${path}</loc></url>`).join('')}</urlset>`;
const sitemapIndex = (...paths: string[]): string =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>http://HOST${path}</loc></sitemap>`).join('')}</sitemapindex>`;
const robots = (...lines: string[]): { body: string } => ({
  body: lines.map((line) => `Sitemap: ${line.startsWith('/') ? `http://HOST${line}` : line}\n`).join(''),
});

it('reads the sitemaps in robots.txt, in all formats', async () => {
  const site = await createSite({
    '/robots.txt': robots('/a.xml', '/b.txt'),
    '/a.xml': { body: sitemapIndex('/c.xml.gz') },
    '/b.txt': { body: 'http://HOST/text\nhttp://other.test/no\n' },
    '/sitemap.xml': { body: urlset('/default') },
  });
  site.files['/c.xml.gz'] = {
    body: gzipSync(urlset('/', '/docs/a?x=1', '/docs/a').replaceAll('HOST', site.host)),
  };
  const list = await site.refresh();
  expect(list).toMatchObject({ pages: 3, checked_at: new Date(time).toISOString() });
  expect(list.sitemaps.map(({ url, fault }: Json) => [new URL(url).pathname, fault])).toEqual([
    ['/a.xml', null],
    ['/b.txt', null],
    ['/c.xml.gz', null],
  ]);
  expect(list.sitemaps).toMatchObject([
    { is_index: true, entries: 1, ignored: 0, is_recorded: false },
    { is_index: false, entries: 2, ignored: 1 },
    { entries: 3, ignored: 0 },
  ]);
  expect(await site.pages()).toEqual(['/', '/docs/a', '/text']);
});

it('reads /sitemap.xml if robots.txt lists no sitemap', async () => {
  const site = await createSite({ '/sitemap.xml': { body: urlset('/a') } });
  expect(await site.refresh()).toMatchObject({ pages: 1, sitemaps: [{ fault: null }] });
  expect(site.requests).toEqual(['/sitemap.xml']);
});

it('keeps the pages of an unreachable sitemap, and removes those that are no longer listed', async () => {
  const site = await createSite({ '/sitemap.xml': { body: urlset('/a', '/b') } });
  await site.refresh();
  site.files['/sitemap.xml'] = { status: 503 };
  expect(await site.refresh()).toMatchObject({ pages: 2, sitemaps: [{ fault: 'responds with status 503' }] });
  site.files['/sitemap.xml'] = { body: urlset('/b', '/c') };
  await site.refresh();
  expect(await site.pages()).toEqual(['/b', '/c']);
});

it('removes pages that are no longer listed although another sitemap has a lasting fault', async () => {
  const site = await createSite({
    '/robots.txt': robots('/a.xml', '/gone.xml', '/broken.xml'),
    '/a.xml': { body: urlset('/a', '/b') },
    '/broken.xml': { body: '<html></html>' },
  });
  await site.refresh();
  site.files['/a.xml'] = { body: urlset('/b') };
  expect(await site.refresh()).toMatchObject({ pages: 1, sitemaps: [{}, {}, { fault: 'responds with status 404' }] });
});

it('finds no sitemaps if robots.txt lists none and /sitemap.xml does not exist', async () => {
  const site = await createSite({ '/sitemap.xml': { body: urlset('/a') } });
  await site.refresh();
  delete site.files['/sitemap.xml'];
  expect(await site.refresh()).toMatchObject({ pages: 0, sitemaps: [] });
});

it('ignores dates that PostgreSQL cannot store', async () => {
  const dates = ['0000-01-01', '9999-12-31T23:59:59-05:00', '2026-11-01'];
  const urls = dates.map((date, index) => `<url><loc>http://HOST/${index}</loc><lastmod>${date}</lastmod></url>`);
  const site = await createSite({ '/sitemap.xml': { body: `<urlset>${urls.join('')}</urlset>` } });
  expect(await site.refresh()).toMatchObject({ pages: 3, sitemaps: [{ fault: null }] });
  const { pages } = (await app.api('GET', `${site.url}/coverage/pages`)).body;
  expect(pages.map((page: Json) => page.last_modified)).toEqual([null, null, '2026-11-01T00:00:00.000Z']);
});

it('counts pages as added only after a complete read', async () => {
  const site = await createSite({
    '/robots.txt': robots('/a.xml', '/b.xml'),
    '/a.xml': { body: urlset('/a') },
    '/b.xml': { status: 503 },
  });
  const countAdded = async (): Promise<number> =>
    (await app.api('GET', `${site.url}/coverage`)).body.pages_without_data;
  await site.refresh();
  site.files['/b.xml'] = { body: urlset('/b') };
  expect(await site.refresh()).toMatchObject({ pages: 2 });
  expect(await countAdded()).toBe(0);
  site.files['/b.xml'] = { body: urlset('/b', '/new') };
  await site.refresh();
  expect(await countAdded()).toBe(1);
});

it.each<[string, Files, string[], string | null]>([
  [
    'a loop of indexes',
    {
      '/sitemap.xml': { body: sitemapIndex('/sitemap.xml', '/b.xml') },
      '/b.xml': { body: sitemapIndex('/sitemap.xml') },
    },
    ['/sitemap.xml', '/b.xml'],
    'is an index in another index, so its sitemaps are not read',
  ],
  [
    'endless redirects',
    { '/sitemap.xml': { status: 302, location: '/sitemap.xml' } },
    Array<string>(6).fill('/sitemap.xml'),
    'redirects more than 5 times',
  ],
  [
    'a redirect to another host',
    { '/sitemap.xml': { status: 302, location: 'http://127.0.0.1/sitemap.xml' } },
    ['/sitemap.xml'],
    "redirects to a URL that is not on the project's hosts",
  ],
  [
    'a redirect to another path on a private network',
    { '/sitemap.xml': { status: 302, location: '/admin' } },
    ['/sitemap.xml'],
    "redirects to a URL that is not on the project's hosts",
  ],
  [
    'an index of another host',
    { '/sitemap.xml': { body: '<sitemapindex><sitemap><loc>http://other.test/a.xml</loc></sitemap></sitemapindex>' } },
    ['/sitemap.xml'],
    null,
  ],
  [
    'a sitemap of another host in robots.txt',
    { '/robots.txt': robots('http://other.test/a.xml') },
    [],
    "is in robots.txt, but not on the project's hosts, or over the limit",
  ],
  [
    'entities',
    { '/sitemap.xml': { body: `<!DOCTYPE a [<!ENTITY b "http://HOST/">]>${urlset('/&b;')}` } },
    ['/sitemap.xml'],
    'has a document type, which sitemaps must not have',
  ],
  [
    'a compressed bomb',
    { '/sitemap.xml': { body: gzipSync(Buffer.alloc(1_000_000_000, ' '), { level: 1 }) } },
    ['/sitemap.xml'],
    'is larger than 50 MB',
  ],
  [
    'broken XML',
    { '/sitemap.xml': { body: '<urlset>\n<url>' } },
    ['/sitemap.xml'],
    'is not valid XML: unclosed tag: url',
  ],
  [
    'a page instead of a sitemap',
    { '/sitemap.xml': { body: '<html></html>' } },
    ['/sitemap.xml'],
    'is not a sitemap: the first element is <html>, not <urlset>',
  ],
])('survives %s', async (_name, files, requests, fault) => {
  const site = await createSite(files);
  const { sitemaps, pages } = await site.refresh();
  expect(pages).toBe(0);
  expect(site.requests).toEqual(requests);
  expect(sitemaps.map((sitemap: Json) => sitemap.fault).filter((found: string | null) => found !== null)).toEqual(
    fault === null ? [] : [fault],
  );
});

it('reads only the first 50,000 pages', async () => {
  const paths = Array.from({ length: 50_001 }, (_, index) => `/${index}`);
  const site = await createSite({
    '/robots.txt': robots('/a.xml', '/b.xml'),
    '/a.xml': { body: urlset(...paths) },
    '/b.xml': { body: urlset('/0', '/one-more') },
  });
  expect(await site.refresh()).toMatchObject({
    pages: 50_000,
    sitemaps: [
      { entries: 50_000, ignored: 0, fault: 'lists more than 50,000 URLs' },
      { entries: 2, ignored: 1, fault: null },
    ],
  });
});

it('records a sitemap until another one is recorded for the host', async () => {
  const site = await createSite({ '/sitemap.xml': { body: urlset('/fetched', '/both') } });
  await site.refresh();
  const record = async (text: string) =>
    app.api('POST', `${site.url}/sitemaps`, { text: text.replaceAll('HOST', site.host) });
  expect((await record(urlset('/recorded', '/both'))).body).toMatchObject({
    pages: 3,
    sitemaps: [{ is_recorded: false }, { url: site.host, is_recorded: true, entries: 2 }],
  });
  await record('http://HOST/other\n');
  expect(await site.pages()).toEqual(['/both', '/fetched', '/other']);
  await site.refresh();
  expect(await site.pages()).toEqual(['/both', '/fetched', '/other']);
  expect((await record('')).body).toMatchObject({ pages: 2, sitemaps: [{ is_recorded: false }] });
});

it('lists a page until no host has a recorded sitemap with it', async () => {
  const hosts = ['shop.example', 'www.shop.example'];
  const { id } = (await app.api('POST', '/projects', { name: 'Shop', host_names: hosts })).body;
  const record = async (host: string, paths: string[]): Promise<number> => {
    const text = paths.map((path) => `https://${host}${path}\n`).join('');
    return (await app.api('POST', `/projects/${id}/sitemaps`, { host, text })).body.pages;
  };
  expect(await record('shop.example', ['/a'])).toBe(1);
  time += MINUTE_MS;
  expect(await record('www.shop.example', ['/a', '/www'])).toBe(2);
  // The first sitemap of a host lists existing pages.
  expect((await app.api('GET', `/projects/${id}/coverage`)).body.pages_without_data).toBe(0);
  expect(await record('www.shop.example', [])).toBe(1);
  expect(await record('shop.example', [])).toBe(0);
});

it('records a compressed sitemap', async () => {
  const site = await createSite({});
  const record = (body: object) => app.api('POST', `${site.url}/sitemaps`, body);
  const compressed = gzipSync(urlset('/a', '/b').replaceAll('HOST', site.host));
  const { body } = await record({ compressed_text: compressed.toString('base64') });
  expect(body).toMatchObject({ pages: 2, sitemaps: [{ url: site.host, is_recorded: true, entries: 2 }] });
  const damaged = await record({ compressed_text: compressed.subarray(0, 40).toString('base64') });
  expect([damaged.status, damaged.text]).toEqual([422, expect.stringContaining('is not a valid gzip file')]);
  for (const invalid of [{}, { text: '', compressed_text: 'H4sI' }]) expect((await record(invalid)).status).toBe(422);
});

it.each([
  ['<urlset>\n<url>', 'is not valid XML: unclosed tag: url (line 2)'],
  ['<sitemapindex/>', 'is an index. Record a sitemap that lists pages instead'],
  ['http://other.test/', "lists no pages on the project's hosts"],
])('rejects the recorded sitemap %j', async (text, detail) => {
  const site = await createSite({});
  const { status, body } = await app.api('POST', `${site.url}/sitemaps`, { text });
  expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(JSON.stringify(detail).slice(1, -1))]);
});
