import { gzipSync } from 'node:zlib';
import { measureCostMs } from '../../../test/kit/cost.js';
import { measureStrain } from '../../../test/kit/event-loop.js';
import { parseSitemap } from './parse-sitemap.js';

const urlset = (entries: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}\n</urlset>`;
const url = (path: string, more = ''): string => `<url><loc>https://shop.example${path}</loc>${more}</url>`;
const parse = (text: string | Uint8Array) => parseSitemap(typeof text === 'string' ? Buffer.from(text) : text);
const entry = (path: string, lastModified: string | null = null) => ({
  url: `https://shop.example${path}`,
  lastModified,
});

it('reads the URLs and dates of a sitemap', async () => {
  const text = urlset(
    `${url('/a?x=1&amp;y=2', '<lastmod> 2026-11-01 </lastmod>')} <url><loc><![CDATA[https://shop.example/b]]></loc></url> <url/>`,
  );
  const entries = [entry('/a?x=1&y=2', '2026-11-01'), entry('/b')];
  expect(await parse(text)).toEqual({ isIndex: false, entries, fault: null, line: null });
  expect(await parse(gzipSync(text))).toMatchObject({ entries, fault: null });
});

it('reads an index and ignores elements of extensions', async () => {
  const index = `<sitemapindex><sitemap><loc>https://shop.example/a.xml</loc></sitemap></sitemapindex>`;
  expect(await parse(index)).toMatchObject({ isIndex: true, entries: [entry('/a.xml')], fault: null });
  const image = url('/a', '<image:image><image:loc>https://shop.example/a.png</image:loc></image:image>');
  expect(await parse(urlset(image))).toMatchObject({ entries: [entry('/a')], fault: null });
  const prefixed = `<s:urlset xmlns:s="x"><s:url><s:loc>https://shop.example/a</s:loc></s:url></s:urlset>`;
  expect(await parse(prefixed)).toMatchObject({ entries: [entry('/a')], fault: null });
});

it('reads lists of URLs', async () => {
  const list = '\r\nhttps://shop.example/a\r\n\nhttps://shop.example/b';
  expect(await parse(list)).toMatchObject({ entries: [entry('/a'), entry('/b')], fault: null });
  expect(await parse('https://shop.example/a\nNot found')).toMatchObject({
    entries: [entry('/a')],
    fault: 'is not a sitemap: expected a URL',
    line: 2,
  });
});

it('reads UTF-8 and UTF-16 with a byte order mark', async () => {
  const text = `\uFEFF${urlset(url('/ä'))}`;
  const utf16 = Buffer.from(text, 'utf16le');
  for (const bytes of [Buffer.from(text), utf16, Buffer.from(utf16).swap16()]) {
    expect(await parse(bytes)).toMatchObject({ entries: [entry('/ä')], fault: null });
  }
});

const LAUGHS = `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>\n${urlset(url('/&lol2;'))}`;

it.each([
  ['an empty element', '<urlset/>', null],
  ['an empty file', '', null],
  ['entities', LAUGHS.replace(/<\?.*\?>\n/, ''), /^has a document type/],
  ['external entities', '<!DOCTYPE r SYSTEM "file:///etc/passwd"><urlset/>', /^has a document type/],
  ['an unknown entity', urlset(url('/&lol;')), /^is not valid XML: .*entity/],
  ['an HTML page', '<html><body>Not found</body></html>', /the first element is <html>/],
  ['a missing end tag', '<urlset><url>', /^is not valid XML: unclosed tag/],
  ['invalid UTF-8', Buffer.from('<urlset>\xFF</urlset>', 'latin1'), /^is not valid UTF-8$/],
  ['a cut gzip file', gzipSync(urlset(url('/a'))).subarray(0, 60), /^is not a valid gzip file$/],
  ['deep nesting', `<urlset>${'<a>'.repeat(100)}`, /^has more than 16 nested elements$/],
  ['too many URLs', urlset(url('/').repeat(50_001)), /^lists more than 50,000 URLs$/],
  ['a list of too many URLs', 'https://a/\n'.repeat(50_001), /^lists more than 50,000 URLs$/],
])('handles %s', async (_name, text, fault) => {
  const result = await parse(text);
  expect(result.fault).toEqual(fault === null ? null : expect.stringMatching(fault));
  expect(result.entries.length).toBeLessThanOrEqual(50_000);
});

it('contains the line of the error', async () => {
  expect(await parse(urlset(`${url('/a')}\n<url></loc>`))).toMatchObject({
    entries: [entry('/a')],
    line: 4,
  });
});

const MANY_URLS = urlset(url('/a', '<lastmod>2026-11-01</lastmod>').repeat(50_000));
/** Maximum CPU time per event-loop turn, as a share of the time to read {@link MANY_URLS}. */
const MAX_STALL_SHARE = 0.5;
/** Alternative limit for long work, as a share of its own time. During it, garbage collections add to some turns. */
const MAX_OWN_SHARE = 0.2;
/** Number of attempts. Compilation or an unrelated garbage collection can distort a single measurement. */
const ATTEMPTS = 3;

it.each([
  ['compressed zeros', gzipSync(Buffer.alloc(200_000_000)), /./],
  [
    'a compressed file of more than 50 MB',
    gzipSync(`<urlset>${'<url/>'.repeat(10_000_000)}`),
    /^is larger than 50 MB$/,
  ],
  ['spaces', gzipSync(Buffer.alloc(60_000_000, ' ')), /^is larger than 50 MB$/],
  ['a long text', `<urlset>${'x'.repeat(30_000_000)}`, /./],
  ['a long attribute', `<urlset a="${'x'.repeat(30_000_000)}`, /./],
  ['many attributes', `<urlset ${Array.from({ length: 300_000 }, (_, n) => `a${n}="1"`).join(' ')}>`, /./],
  ['a long document type', `<!DOCTYPE a [${'<!ENTITY a "b">'.repeat(500_000)}]>`, /./],
  ['many URLs', MANY_URLS, null],
  ['a list of long lines', 'https://a/'.repeat(1_000_000), /./],
])('does not block other work while it reads %s', async (_name, text, fault) => {
  const bytes = Buffer.from(text);
  let stallRatio = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && stallRatio > 1; attempt += 1) {
    let stallMs = 0;
    const ownCostMs = await measureCostMs(async () => {
      ({ stallMs } = await measureStrain(async () => {
        const result = await parseSitemap(bytes);
        expect(result.fault).toEqual(fault === null ? null : expect.stringMatching(fault));
      }, Infinity));
    });
    const comparedCostMs = await measureCostMs(() => parse(MANY_URLS));
    stallRatio = stallMs / Math.max(MAX_STALL_SHARE * comparedCostMs, MAX_OWN_SHARE * ownCostMs);
  }
  expect(stallRatio).toBeLessThanOrEqual(1);
});
