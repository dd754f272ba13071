import { isStaticFile } from './static-file.js';

it.each(['/a.png', '/a/b.JPEG?x=/y', '/a.min.js#z', '/fonts/a.woff2', '/video.mp4', '/favicon.ico'])(
  'recognizes %s as a static file',
  (path) => {
    expect(isStaticFile('GET', path)).toBe(true);
    expect(isStaticFile('HEAD', path)).toBe(true);
    expect(isStaticFile('POST', path)).toBe(false);
  },
);

it.each([
  '/',
  '/page',
  '/a.html',
  '/robots.txt',
  '/llms.txt',
  '/llms-full.txt',
  '/sitemap.xml',
  '/sitemap.xml.gz',
  '/feed.rss',
  '/feed.json',
  '/.well-known/agent.js',
  '/a.png/',
  '/a?file=b.png',
  '/a#b.css',
  '/report.pdf',
  '/.css/',
  '',
])("doesn't recognize %s as a static file", (path) => expect(isStaticFile('GET', path)).toBe(false));
