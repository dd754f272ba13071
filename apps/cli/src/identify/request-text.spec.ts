import { parseRequestText } from './request-text.js';

it('parses the head of a raw request and ignores its body', () => {
  const raw =
    'POST /a?b=1 HTTP/1.1\r\nHost: example.com\r\nX-A: 1\r\nx-a: 2\r\nX-Long: one\r\n\t two\r\n\r\nbody: 1\r\n';
  expect(parseRequestText(raw)).toEqual({
    method: 'POST',
    path: '/a?b=1',
    headers: { Host: 'example.com', 'X-A': ['1', '2'], 'X-Long': 'one two' },
  });
  expect(parseRequestText('GET http://example.com/a HTTP/1.1\nUser-Agent: x')).toEqual({
    method: 'GET',
    path: '/a',
    headers: { 'User-Agent': 'x', Host: 'example.com', ':scheme': 'http' },
  });
});

it('parses curl -v output and plain header lines', () => {
  const shown =
    '* Connected\n> GET /a HTTP/2\n> Host: example.com\n> User-Agent: curl/8\n> \n< HTTP/2 200\n< server: x\n';
  expect(parseRequestText(shown)).toEqual({
    method: 'GET',
    path: '/a',
    headers: { Host: 'example.com', 'User-Agent': 'curl/8' },
  });
  expect(parseRequestText('\n:method: GET\n:path: /a\nuser-agent: GPTBot')).toEqual({
    method: 'GET',
    path: '/a',
    headers: { ':method': 'GET', ':path': '/a', 'user-agent': 'GPTBot' },
  });
});

it('parses headers and visits from JSON', () => {
  const headers = { 'User-Agent': 'GPTBot', 'X-A': ['1', '2'] };
  expect(parseRequestText(`\ufeff ${JSON.stringify(headers)}`)).toEqual({ headers });
  const visit = { request_method: 'GET', request_path: '/a', request_headers: headers };
  const read = { method: 'GET', path: '/a', headers };
  expect(parseRequestText(JSON.stringify(visit))).toEqual(read);
  expect(parseRequestText(JSON.stringify({ id: '1', project_id: 'p', visit }))).toEqual({ ...read, projectId: 'p' });
});

it('parses a curl command', () => {
  expect(parseRequestText('$ curl -A GPTBot https://example.com/a')).toMatchObject({
    path: '/a',
    headers: { 'User-Agent': 'GPTBot' },
  });
});

it.each([
  ['', 'The request contains no headers'],
  ['GET / HTTP/1.1\n\n', 'The request contains no headers'],
  ['hello', 'Invalid header line: hello'],
  ['{"a"', 'Invalid JSON'],
  ['{"request_headers": []}', '"request_headers" must be an object'],
  ['{"User-Agent": {}}', 'The header "User-Agent" must be a string'],
])('explains why it rejects the request %p', (text, expected) => {
  expect(() => parseRequestText(text)).toThrow(expected);
});
