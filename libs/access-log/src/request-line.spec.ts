import { VISIT_LIMITS } from '#libs/contracts';
import { MAX_PATH_LENGTH } from './limits.js';
import { readRequest, readRequestLine } from './request-line.js';

it.each([
  ['GET / HTTP/1.1', { method: 'GET', path: '/' }],
  ['GET /a b HTTP/1.1', { method: 'GET', path: '/a b' }],
  ['GET /x HTTP/1.1 y HTTP/2.0', { method: 'GET', path: '/x HTTP/1.1 y' }],
  ['OPTIONS * HTTP/1.0', { method: 'OPTIONS', path: '*' }],
  ['CONNECT example.com:443 HTTP/1.1', { method: 'CONNECT', path: 'example.com:443' }],
  ['GET http://example.com/a?b HTTP/1.1', { method: 'GET', path: '/a?b', host: 'example.com' }],
  ['GET http://example.com HTTP/1.1', { method: 'GET', path: '/', host: 'example.com' }],
  ['GET http://example.com?q HTTP/1.1', { method: 'GET', path: '/?q', host: 'example.com' }],
  ['GET /old', { method: 'GET', path: '/old' }],
  ['M-SEARCH * HTTP/1.1', { method: 'M-SEARCH', path: '*' }],
  ['GET /\xd0\x9f HTTP/3', { method: 'GET', path: '/П' }],
])('parses the request line %p', (text, expected) => {
  expect(readRequestLine(text)).toEqual(expected);
});

it.each([
  '-',
  '',
  'GET',
  'GET  HTTP/1.1',
  'hello world',
  '\x16\x03\x01 HTTP/1.1',
  'get /',
  '\x03\0\0/*\xe0 a',
  'quit /',
])('rejects the request line %p', (text) => {
  expect(readRequestLine(text)).toEqual({ reason: expect.stringContaining('no HTTP request: "') });
});

it('rejects a method with a space but accepts a path with spaces', () => {
  expect(readRequest('G T', '/')).toEqual({ reason: 'no HTTP request: "G T /"' });
  expect(readRequest('GET', '/a b HTTP/1.1')).toEqual({ method: 'GET', path: '/a b HTTP/1.1' });
});

it('rejects a path that exceeds the maximum length', () => {
  expect(readRequestLine(`GET /${'a'.repeat(8_192)} HTTP/1.1`)).toEqual({ reason: expect.stringContaining('8192') });
});

it('uses the same maximum path length as the API', () => expect(MAX_PATH_LENGTH).toBe(VISIT_LIMITS.pathLength));
