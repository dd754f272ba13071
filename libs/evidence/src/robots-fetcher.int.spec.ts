import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MAX_ROBOTS_BYTES } from '#libs/robots';
import type { EgressPolicy } from './egress-policy.js';
import { fetchRobotsTxt, type RobotsFetchOptions } from './robots-fetcher.js';

const LOCAL: EgressPolicy = { allowPrivateAddresses: true, allowHttp: true, allowedPorts: 'any' };
let server: Server;
let url: string;
let asked: { path: string; headers: IncomingMessage['headers'] }[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push({ path: request.url!, headers: request.headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/robots.txt`;
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const fetched = (options: RobotsFetchOptions = {}, policy = LOCAL) => fetchRobotsTxt(url, policy, options);
const withStatus = (status: number, headers: Record<string, string> = {}): void => {
  answer = (_, response) => response.writeHead(status, headers).end('Disallow: /');
};

it('revalidates the known file at the URL where it was found', async () => {
  withStatus(200, { etag: '"a"', 'last-modified': 'Sat, 21 Nov 2026 08:00:00 GMT' });
  const found = await fetched();
  const known = { url, etag: '"a"', lastModified: 'Sat, 21 Nov 2026 08:00:00 GMT' };
  expect(found).toEqual({ outcome: 'found', status: 200, bytes: Buffer.from('Disallow: /'), ...known });
  withStatus(304);
  expect(await fetched({ known })).toEqual({ outcome: 'unchanged', url });
  expect(asked.at(-1)!.headers).toMatchObject({ 'if-none-match': '"a"', 'if-modified-since': known.lastModified });
  const elsewhere = { ...known, url: url.replace('robots.txt', 'other') };
  expect(await fetched({ known: elsewhere })).toMatchObject({ outcome: 'unknown', status: 304 });
  expect(asked.at(-1)!.headers).not.toHaveProperty('if-none-match');
  // A 304 response to an unconditional request.
  expect(await fetched({ known: { url, etag: null, lastModified: null } })).toMatchObject({ outcome: 'unknown' });
});

it('classifies responses as in RFC 9309 section 2.3.1', async () => {
  const outcomes: unknown[] = [];
  for (const status of [200, 204, 400, 403, 404, 429, 500, 503]) {
    withStatus(status);
    outcomes.push([status, (await fetched()).outcome]);
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
  answer = (_, response) => response.destroy();
  expect(await fetched()).toMatchObject({ outcome: 'unreachable', status: null });
  withStatus(200, { 'content-encoding': 'gzip' });
  expect(await fetched()).toMatchObject({ outcome: 'unknown', status: 200, fault: 'encoded' });
  expect(await fetched({}, { ...LOCAL, allowPrivateAddresses: false })).toMatchObject({
    outcome: 'unknown',
    status: null,
    fault: 'address_refused',
  });
});

it('follows five redirects and treats more as a missing robots.txt (section 2.3.1.2)', async () => {
  const redirecting = (times: number): void => {
    answer = (request, response) => {
      const hop = Number(/\d+$/.exec(request.url!)?.[0] ?? 0);
      if (hop === times) response.end('Disallow: /');
      else response.writeHead(302, { location: `/hop${hop + 1}` }).end();
    };
  };
  redirecting(5);
  expect(await fetched()).toMatchObject({ outcome: 'found', url: url.replace('robots.txt', 'hop5') });
  redirecting(6);
  expect(await fetched()).toMatchObject({ outcome: 'missing', status: 302, url });
  withStatus(302);
  expect(await fetched()).toMatchObject({ outcome: 'missing', status: 302 });
});

it('reads one byte over the size limit, which shows that the file is larger', async () => {
  answer = (_, response) => response.end('#'.repeat(2 * MAX_ROBOTS_BYTES));
  expect(await fetched()).toMatchObject({ bytes: { length: MAX_ROBOTS_BYTES + 1 } });
});

it('follows redirects only to the same path if keepsPath is set', async () => {
  const to = (location: string): void => {
    answer = ({ url: path }, response) => {
      if (path === '/robots.txt') response.writeHead(302, { location }).end();
      else response.end('secret');
    };
  };
  to('/admin');
  expect(await fetched({ keepsPath: true })).toMatchObject({ outcome: 'unknown', fault: 'redirected' });
  to('http://localhost/admin/../secrets');
  expect(await fetched({ keepsPath: true })).toMatchObject({ outcome: 'unknown', fault: 'redirected' });
  expect(asked).toHaveLength(2);
  answer = ({ url: path }, response) => {
    if (path === '/robots.txt') response.writeHead(302, { location: '/robots.txt?again' }).end();
    else response.end('Disallow: /');
  };
  expect(await fetched({ keepsPath: true })).toMatchObject({ outcome: 'found' });
});

it('stops when its signal is aborted', async () => {
  answer = () => undefined;
  const signal = AbortSignal.abort();
  expect(await fetched({ signal })).toMatchObject({ outcome: 'unreachable', status: null });
});
