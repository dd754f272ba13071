import * as fc from 'fast-check';
import { arbitraryPath } from '../../../test/kit/random-paths.js';
import { getPage } from './page.js';

it.each([
  '/docs/start',
  '/docs/start/',
  '/docs/start.md',
  '/docs/start.html',
  '/docs/start.html.md',
  '/docs/start/index.md',
  '/docs/start/index.html',
  '/docs/start/index.html.md',
  '/docs/start.md?raw=1',
  '/docs/start?a=/b.md',
])('%s is the page /docs/start', (path) => expect(getPage(path)).toBe('/docs/start'));

it.each(['/', '/index.md', '/index.html', '/index.html.md', '/?a=1', '//'])('%s is the home page', (path) =>
  expect(getPage(path)).toBe('/'),
);

it.each([
  '/docs/start.MD',
  '/docs/start.mdx',
  '/docs/index',
  '/docs/myindex',
  '/cmd',
  '/html',
  '/a.php',
  '/llms.txt',
  'no-slash',
  '*',
])('%s is a page of its own', (path) => expect(getPage(path)).toBe(path));

it('only strips index from the end if it is the name of a file', () => {
  expect(getPage('/docs/myindex.md')).toBe('/docs/myindex');
  expect(getPage('index.md')).toBe('index');
});

it('leaves pages unchanged, and returns a prefix of the path', () => {
  fc.assert(
    fc.property(arbitraryPath, (path) => {
      expect(getPage(getPage(path))).toBe(getPage(path));
      expect(path.startsWith(getPage(path))).toBe(true);
    }),
  );
});
