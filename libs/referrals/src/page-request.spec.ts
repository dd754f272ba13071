import type { Visit } from '#libs/contracts';
import { isPageRequest } from './page-request.js';

const isPage = (request_path: string, extra: object = {}): boolean =>
  isPageRequest({ request_path, request_method: 'GET', request_headers: {}, ...extra } as Visit);

it.each([
  '/',
  '/shoes',
  '/shoes/',
  '/index.html',
  '/a.PHP?x=1',
  '/user/john.doe',
  '/v1.2',
  '/a?file=b.css',
  '/docs/a.md',
  '/README.MD',
])('isPageRequest treats %s as a page', (path) => expect(isPage(path)).toBe(true));

it.each(['/robots.txt', '/llms.txt', '/a.CSS', '/img/1.jpeg?w=2', '/feed.xml', '/app.js', '/files/x.tar.gz'])(
  'isPageRequest treats %s as a file',
  (path) => expect(isPage(path)).toBe(false),
);

it("isPageRequest prefers the response's content type to the path", () => {
  const withContentType = (type: string) => ({ response_headers: { 'Content-Type': type } });
  expect(isPage('/report.pdf', withContentType('text/html; charset=utf-8'))).toBe(true);
  expect(isPage('/', withContentType('application/xhtml+xml'))).toBe(true);
  expect(isPage('/', withContentType('application/json'))).toBe(false);
  expect(isPage('/', withContentType('text/html-sandboxed'))).toBe(false);
  expect(isPage('/', { response_headers: { server: 'nginx' } })).toBe(true);
});

it('isPageRequest accepts Markdown', () => {
  const withContentType = (type: string) => ({ response_headers: { 'content-type': type } });
  expect(isPage('/docs/start', withContentType('text/markdown; charset=UTF-8; variant=GFM'))).toBe(true);
  expect(isPage('/docs/start.md', withContentType(' Text/X-Markdown'))).toBe(true);
  expect(isPage('/docs/start.md?a', withContentType('text/plain;charset=utf-8'))).toBe(true);
  expect(isPage('/docs/start.md', withContentType('application/octet-stream'))).toBe(true);
  expect(isPage('/docs/start.md', withContentType('application/json'))).toBe(false);
  expect(isPage('/docs/start', withContentType('text/plain'))).toBe(false);
  expect(isPage('/llms.txt', withContentType('text/plain'))).toBe(false);
});

it("isPageRequest accepts only GET requests that aren't protocol calls", () => {
  expect(isPage('/', { request_method: 'get' })).toBe(true);
  expect(isPage('/', { request_method: 'HEAD' })).toBe(false);
  expect(isPage('/', { request_method: 'POST' })).toBe(false);
  expect(isPage('/mcp', { mcp_request_method: 'tools/list' })).toBe(false);
  expect(isPage('/checkout', { acp_response_body: {} })).toBe(false);
});
