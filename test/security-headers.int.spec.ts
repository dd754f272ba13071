import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { CONSOLE_INTERFACE, PUBLIC_INTERFACE } from '#libs/contracts';
import { App, type Route } from './kit/app.js';
import { temporaryFolder } from './kit/instance.js';

const HTML_ACCEPT = 'text/html,*/*;q=0.8';
const STRICT_CSP = "default-src 'none'; frame-ancestors 'none'";
const REVALIDATED = 'private, no-cache';
/** Expected Cache-Control of all routes with cacheable responses, except pages. */
const CACHE_CONTROL: Readonly<Record<string, string>> = {
  '/assets/*': 'public, max-age=31536000, immutable',
  '/.well-known/http-message-signatures-directory': 'public, max-age=3600',
  '/api/agents': REVALIDATED,
  '/api/agents/:agent': REVALIDATED,
  '/api/agents/export': REVALIDATED,
  '/api/assistants': REVALIDATED,
  '/api/assistants/:assistant': REVALIDATED,
  '/api/catalog': REVALIDATED,
};
const PAGE_PATTERN = /^\/(?:\*|docs\/(?:problems|events)?)$/;

let app: App;
let project: string;
let address: AddressInfo;
let routes: readonly Route[];

beforeAll(async () => {
  const webRoot = await temporaryFolder();
  mkdirSync(join(webRoot, 'assets'));
  writeFileSync(join(webRoot, 'index.html'), '<script src="/assets/x.js"></script>CSP_NONCE');
  writeFileSync(join(webRoot, 'assets/x.js'), 'export {};');
  mkdirSync(join(webRoot, 'docs'));
  writeFileSync(join(webRoot, 'docs/scalar.js.gz'), gzipSync('export {};'));
  app = await App.start({
    webRoot,
    metricsToken: 'a-token-of-twenty-characters',
  });
  routes = app.routes;
  project = (await app.api('GET', '/projects')).body.projects[0].id;
  await app.nest.listen(0, '127.0.0.1');
  address = app.nest.getHttpServer().address() as AddressInfo;
});
afterAll(() => app.dispose());

/** Returns a URL for a route. Only GET requests use the ID of an existing project, so no request changes data. */
const createPath = ({ method, url }: Pick<Route, 'method' | 'url'>): string =>
  url
    .replace('/assets/*', '/assets/x.js')
    .replace('*', 'projects')
    .replace(/\/projects\/:\w+/, method === 'GET' ? `/projects/${project}` : '$&')
    .replaceAll(/:\w+/g, '01890000-0000-7000-8000-000000000000');

function expectHeaders(
  { method, url }: Pick<Route, 'method' | 'url'>,
  status: number,
  headers: Record<string, unknown>,
): void {
  const isPage = ['GET', 'HEAD'].includes(method) && PAGE_PATTERN.test(url) && status === 200;
  const isDocumentation = url.startsWith('/docs') && status === 200;
  const expected = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': isPage
      ? expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/)
      : STRICT_CSP,
    'cache-control':
      status === 200 && ['GET', 'HEAD'].includes(method) && CACHE_CONTROL[url] !== undefined
        ? CACHE_CONTROL[url]
        : isPage || isDocumentation
          ? 'no-cache'
          : expect.stringMatching(/^no-store(?:, no-transform)?$/),
  };
  expect({ route: `${method} ${url} ${status}`, ...headers }).toMatchObject({
    route: `${method} ${url} ${status}`,
    ...expected,
  });
  if (isPage) expect(headers['content-security-policy']).not.toMatch(/unsafe-eval|script-src[^;]*unsafe/);
}

it('tests the routes in every interface', () => {
  const routeNames = new Set(routes.map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`));
  expect(routeNames.size).toBeGreaterThan(80);
  for (const { operations } of [PUBLIC_INTERFACE, CONSOLE_INTERFACE]) {
    for (const { method, path } of operations) expect(routeNames).toContain(`${method.toUpperCase()} ${path}`);
  }
  for (const url of ['/healthz', '/readyz', '/metrics', '/docs/', '/docs/js/scalar.js', '/assets/*', '/*']) {
    expect(routeNames).toContain(`GET ${url}`);
  }
});

it.each(['an anonymous client', 'an administrator'])(
  'sets security headers on every response to %s',
  async (caller) => {
    // Also requests each URL with a method that most routes don't support.
    for (const route of [...routes, ...routes.map(({ url }) => ({ url, method: 'PUT' }))]) {
      if (caller !== 'an anonymous client' && (route.url.endsWith('/stream') || /restart|test-visits/.test(route.url)))
        continue;
      const { statusCode, headers } = await app.nest.inject({
        method: route.method as 'GET',
        url: createPath(route),
        headers: {
          accept: HTML_ACCEPT,
          ...(caller !== 'an anonymous client' && { authorization: `Bearer ${app.apiKey}` }),
        },
      });
      expect(statusCode).not.toBe(500);
      expectHeaders(route, statusCode, headers);
    }
  },
);

it.each([
  ['GET', '/nowhere'],
  ['GET', '/api/nowhere'],
  ['OPTIONS', '/visits'],
  ['TRACE', '/'],
  ['PUT', '/healthz'],
  ['GET', '/%zz'],
  ['GET', '/assets/gone.js'],
  ['GET', `/api/projects/${'x'.repeat(600)}`],
])('sets security headers on the error response to %s %s', async (method, url) => {
  const { statusCode, headers } = await app.nest.inject({ method: method as 'GET', url });
  expect(statusCode).toBeGreaterThanOrEqual(400);
  expectHeaders({ method, url }, statusCode, headers);
});

it('sets security headers on a stream', async () => {
  const abort = new AbortController();
  const url = `http://127.0.0.1:${address.port}/api/projects/${project}/visits/stream`;
  const { status, headers } = await fetch(url, {
    headers: { authorization: `Bearer ${app.apiKey}` },
    signal: abort.signal,
  });
  abort.abort();
  expect(headers.get('content-type')).toBe('text/event-stream');
  expect(headers.get('x-request-id')).not.toBeNull();
  expectHeaders({ method: 'GET', url: '/stream' }, status, Object.fromEntries(headers));
});

it.each([
  ['a control character', 'GET /\x01 HTTP/1.1\r\n\r\n'],
  ['a line that is not HTTP', 'nonsense\r\n\r\n'],
  ['no Host header', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['an invalid Host header', 'GET / HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n'],
  ['two Host headers', 'GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n'],
  ['the same Host header twice', 'GET / HTTP/1.1\r\nHost: a\r\nX: y\r\nHOST: a\r\nConnection: close\r\n\r\n'],
  [
    'two credentials',
    'GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\nConnection: close\r\n\r\n',
  ],
  [
    'an empty credential and another one',
    'GET / HTTP/1.1\r\nHost: a\r\nAuthorization:\r\nAUTHORIZATION: Bearer b\r\nConnection: close\r\n\r\n',
  ],
  [
    'two Content-Type headers',
    'POST /visits HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-type: text/plain\r\nConnection: close\r\nContent-Length: 2\r\n\r\n[]',
  ],
  [
    'the same Content-Type header twice',
    'POST /drains/generic HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx',
  ],
  ['an empty Host header and another one', 'GET / HTTP/1.0\r\nHost:\r\nHost: a\r\n\r\n'],
  ['an absolute URL with another host', 'GET http://b/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ['two Content-Length headers', 'POST /visits HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx'],
  [
    'a Content-Length header with chunked encoding',
    'POST /visits HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'chunked encoding twice',
    'POST /visits HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'gzip as a transfer encoding',
    'POST /visits HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  ],
  ['chunked encoding in HTTP/1.0', 'POST /visits HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['an unsupported expectation', 'POST /visits HTTP/1.1\r\nHost: a\r\nExpect: a-lot\r\nContent-Length: 1\r\n\r\n'],
  ['headers that are too large', `GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
])('sets security headers on the response to malformed input: %s', async (inputName, bytes) => {
  const socket = connect(address.port, '127.0.0.1');
  socket.write(bytes);
  const [head] = (await text(socket)).split('\r\n\r\n');
  const [statusLine, ...lines] = head!.split('\r\n');
  expect(Number(statusLine!.split(' ')[1])).toBe(
    inputName === 'an unsupported expectation' ? 417 : inputName.startsWith('headers') ? 431 : 400,
  );
  const headers = Object.fromEntries(
    lines.map((line) => line.toLowerCase().split(/: (.*)/s)).map(([name, value]) => [name, value]),
  );
  expect(headers['content-type']).toBe('application/problem+json');
  headers['x-frame-options'] = headers['x-frame-options']?.toUpperCase();
  expectHeaders({ method: 'GET', url: '' }, Number(statusLine!.split(' ')[1]), headers);
});

it('explains that the URL and headers exceed the limit', async () => {
  const socket = connect(address.port, '127.0.0.1');
  socket.write(`GET /api/projects?address=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const [head, body] = (await text(socket)).split('\r\n\r\n');
  expect(head).toContain('HTTP/1.1 431 Request Header Fields Too Large');
  expect(JSON.parse(body!)).toMatchObject({
    status: 431,
    detail: 'The URL and headers together exceed 16 KiB.',
  });
});

describe('metrics and readiness details', () => {
  const PATHS = ['/metrics', '/readyz'];
  const sendRequest = (url: string, remoteAddress: string, headers: Record<string, string>) =>
    app.nest.inject({ url, remoteAddress, headers });
  const token = { authorization: 'Bearer a-token-of-twenty-characters' };

  it.each([
    ['127.0.0.1', { host: 'localhost:3000' }],
    ['127.8.8.8', { host: '127.0.0.1' }],
    ['::1', { host: '[::1]:3000' }],
    ['::ffff:127.0.0.1', { host: '127.0.0.1:3000' }],
    ['203.0.113.5', { host: 'traffic.example', ...token }],
    ['127.0.0.1', { host: 'traffic.example', 'x-forwarded-for': '203.0.113.5', ...token }],
  ])('shows metrics and readiness details to %s with %o', async (peer, headers) => {
    expect((await sendRequest('/metrics', peer, headers)).body).toContain('process_cpu_seconds_total');
    expect((await sendRequest('/readyz', peer, headers)).json()).toEqual({ status: 'ok', checks: expect.any(Object) });
  });

  it.each<[string, Record<string, string>]>([
    ['203.0.113.5', { host: 'localhost' }],
    ['10.0.0.1', { host: '127.0.0.1' }],
    ['203.0.113.5', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }],
    ...[
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-proto': 'https' },
      { 'x-original-forwarded-for': '203.0.113.5' },
      { 'x-envoy-external-address': '203.0.113.5' },
      { 'client-ip': '203.0.113.5' },
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '127.0.0.1' },
      { 'cf-connecting-ip': '127.0.0.1' },
      { via: '1.1 proxy' },
      { host: 'traffic.example' },
      { host: 'localhost.rebound.example' },
      { host: '127.0.0.1.rebound.example' },
      { authorization: 'Bearer a-token-of-twenty-characterS' },
      { authorization: 'a-token-of-twenty-characters' },
    ].map((header): [string, Record<string, string>] => ['127.0.0.1', { host: 'localhost', ...header } as never]),
  ])('hides metrics and readiness details from %s with %o', async (peer, headers) => {
    const rejected = await sendRequest('/metrics', peer, headers);
    expect([rejected.statusCode, rejected.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(rejected.body).not.toContain('process_');
    expect((await sendRequest('/readyz', peer, headers)).json()).toEqual({ status: 'ok' });
  });

  it('accepts neither an API key nor a token in the query for metrics', async () => {
    const key = await sendRequest('/metrics', '203.0.113.5', { authorization: `Bearer ${app.apiKey}` });
    expect(key.statusCode).toBe(401);
    for (const url of PATHS)
      expect((await sendRequest(`${url}?token=a-token-of-twenty-characters`, '203.0.113.5', {})).body).not.toContain(
        'checks',
      );
  });
});
