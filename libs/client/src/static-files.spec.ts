import { isStaticFile } from './static-files.js';

it.each(['/a.css', '/a/b.JS?v=1', '/favicon.ico', '/_next/data/1.json', '/img/a.webp'])(
  'treats %s as a static file',
  (path) => {
    expect(isStaticFile(path)).toBe(true);
  },
);

it.each(['/', '/robots.txt', '/sitemap.xml', '/llms.txt', '/paper.pdf', '/a?file=b.css', '/feed.json', '/css'])(
  'does not treat %s as a static file',
  (path) => {
    expect(isStaticFile(path)).toBe(false);
  },
);
