import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MAX_ROBOTS_BYTES } from '#libs/robots';
import type { EgressPolicy } from './egress-policy.js';
import { fetchRobotsTxt, type RobotsFetchOptions } from './robots-fetcher.js';

const LOCAL: EgressPolicy = { allowPrivateAddresses: true, allowHttp: true, allowedPorts: 'any' };
let server: Server;
let url: string;
let requests: { path: string; headers: IncomingMessage['headers'] }[];
let handleRequest: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push({ path: request.url!, headers: request.headers });
    handleRequest(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/robots.txt`;
});
beforeEach(() => {
  requests = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const fetchRobots = (options: RobotsFetchOptions = {}, policy = LOCAL) => fetchRobotsTxt(url, policy, options);
const respondWithStatus = (status: number, headers: Record<string, string> = {}): void => {
  handleRequest = (_, response) => response.writeHead(status, headers).end('Disallow: /');
};

it('sends conditional requests only to the URL of the cached file', async () => {
  respondWithStatus(200, { etag: '"a"', 'last-modified': 'Sat, 21 Nov 2026 08:00:00 GMT' });
  const found = await fetchRobots();
  const cachedVersion = { url, etag: '"a"', lastModified: 'Sat, 21 Nov 2026 08:00:00 GMT' };
  expect(found).toEqual({ outcome: 'found', status: 200, bytes: Buffer.from('Disallow: /'), ...cachedVersion });
  respondWithStatus(304);
  expect(await fetchRobots({ known: cachedVersion })).toEqual({ outcome: 'unchanged', url });
  expect(requests.at(-1)!.headers).toMatchObject({
    'if-none-match': '"a"',
    'if-modified-since': cachedVersion.lastModified,
  });
  const elsewhere = { ...cachedVersion, url: url.replace('robots.txt', 'other') };
  expect(await fetchRobots({ known: elsewhere })).toMatchObject({ outcome: 'unknown', status: 304 });
  expect(requests.at(-1)!.headers).not.toHaveProperty('if-none-match');
  // A 304 response to an unconditional request is invalid.
  expect(await fetchRobots({ known: { url, etag: null, lastModified: null } })).toMatchObject({ outcome: 'unknown' });
});

it('classifies responses according to RFC 9309 section 2.3.1', async () => {
  const outcomes: unknown[] = [];
  for (const status of [200, 204, 400, 403, 404, 429, 500, 503]) {
    respondWithStatus(status);
    outcomes.push([status, (await fetchRobots()).outcome]);
  }
  expect(outcomes).toEqual([
    [200, 'found'],
    [204, 'unknown'],
    [400, 'missing'],
    [403, 'missing'],
    [404, 'missing'],
    [429, 'missing'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ]);
  handleRequest = (_, response) => response.destroy();
  expect(await fetchRobots()).toMatchObject({ outcome: 'unreachable', status: null });
  respondWithStatus(200, { 'content-encoding': 'gzip' });
  expect(await fetchRobots()).toMatchObject({ outcome: 'unknown', status: 200, fault: 'encoded' });
  expect(await fetchRobots({}, { ...LOCAL, allowPrivateAddresses: false })).toMatchObject({
    outcome: 'unknown',
    status: null,
    fault: 'address_refused',
  });
});

it('follows five redirects and treats more as a missing file (RFC 9309 section 2.3.1.2)', async () => {
  const redirectTimes = (times: number): void => {
    handleRequest = (request, response) => {
      const hop = Number(/\d+$/.exec(request.url!)?.[0] ?? 0);
      if (hop === times) response.end('Disallow: /');
      else response.writeHead(302, { location: `/hop${hop + 1}` }).end();
    };
  };
  redirectTimes(5);
  expect(await fetchRobots()).toMatchObject({ outcome: 'found', url: url.replace('robots.txt', 'hop5') });
  redirectTimes(6);
  expect(await fetchRobots()).toMatchObject({ outcome: 'missing', status: 302, url });
  respondWithStatus(302);
  expect(await fetchRobots()).toMatchObject({ outcome: 'missing', status: 302 });
});

it('returns one extra byte if the file exceeds the size limit', async () => {
  handleRequest = (_, response) => response.end('#'.repeat(2 * MAX_ROBOTS_BYTES));
  expect(await fetchRobots()).toMatchObject({ bytes: { length: MAX_ROBOTS_BYTES + 1 } });
});

it('follows only redirects to the same path if keepsPath is set', async () => {
  const redirectTo = (location: string): void => {
    handleRequest = ({ url: path }, response) => {
      if (path === '/robots.txt') response.writeHead(302, { location }).end();
      else response.end('secret');
    };
  };
  redirectTo('/admin');
  expect(await fetchRobots({ keepsPath: true })).toMatchObject({ outcome: 'unknown', fault: 'redirected' });
  redirectTo('http://localhost/admin/../secrets');
  expect(await fetchRobots({ keepsPath: true })).toMatchObject({ outcome: 'unknown', fault: 'redirected' });
  expect(requests).toHaveLength(2);
  handleRequest = ({ url: path }, response) => {
    if (path === '/robots.txt') response.writeHead(302, { location: '/robots.txt?again' }).end();
    else response.end('Disallow: /');
  };
  expect(await fetchRobots({ keepsPath: true })).toMatchObject({ outcome: 'found' });
});

it('stops when the signal is aborted', async () => {
  handleRequest = () => undefined;
  const signal = AbortSignal.abort();
  expect(await fetchRobots({ signal })).toMatchObject({ outcome: 'unreachable', status: null });
});
