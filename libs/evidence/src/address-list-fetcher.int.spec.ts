import { register } from 'prom-client';
import { HttpsServer, createCertificates } from '../../../test/kit/https.js';
import { fetchAddressList, type AddressListRequest } from './address-list-fetcher.js';
import { PUBLIC_EGRESS, type EgressPolicy } from './egress-policy.js';
import { createGuardedFetch } from './guarded-fetch.js';

const MODIFIED = 'Fri, 20 Nov 2026 10:00:00 GMT';

let server: HttpsServer;
let localPolicy: EgressPolicy;
let publishedList: string;
let version: number;

beforeAll(async () => {
  const certificates = await createCertificates(['DNS:agent.test']);
  server = await HttpsServer.start(certificates, () => undefined);
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  localPolicy = { allowPrivateAddresses: true, allowedPorts: 'any', ca: certificates.ca, lookup };
});
beforeEach(() => {
  server.requests.length = 0;
  version = 1;
  publish('192.0.2.1', '192.0.2.2', '192.0.2.3');
  server.handler = (request, response) => {
    const headers = { etag: `"${version}"`, 'last-modified': MODIFIED };
    if (request.headers['if-none-match'] === headers.etag) response.writeHead(304, headers).end();
    else response.writeHead(200, headers).end(publishedList);
  };
});
afterAll(() => server.dispose());

function publish(...addresses: string[]): void {
  publishedList = JSON.stringify({ prefixes: addresses.map((address) => ({ ipv4Prefix: `${address}/32` })) });
  version += 1;
}

const fetchList = (request: Partial<AddressListRequest> = {}, policy = localPolicy) =>
  fetchAddressList(
    {
      url: `https://agent.test:${server.port}/list.json`,
      format: 'json-prefixes',
      etag: null,
      lastModified: null,
      previous: [],
      ...request,
    },
    createGuardedFetch(policy),
  );

async function getFetchCount(outcome: string): Promise<number> {
  const { values } = await register.getSingleMetric('agent_traffic_address_list_fetches_total')!.get();
  return values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
}

it('downloads a list again only after it changed', async () => {
  const first = await fetchList();
  const ranges = ['192.0.2.1/32', '192.0.2.2/32', '192.0.2.3/32'];
  expect(first).toEqual({ outcome: 'changed', ranges, skipped: 0, etag: '"2"', lastModified: MODIFIED });
  expect(server.requests[0]!.headers).not.toHaveProperty('if-none-match');
  const cachedList = { previous: ranges, etag: '"2"', lastModified: MODIFIED };
  const unchanged = await getFetchCount('unchanged');
  expect(await fetchList(cachedList)).toEqual({ outcome: 'unchanged' });
  expect(await getFetchCount('unchanged')).toBe(unchanged + 1);
  expect(server.requests[1]!.headers).toMatchObject({ 'if-none-match': '"2"', 'if-modified-since': MODIFIED });
  publish('192.0.2.9', '192.0.2.2');
  expect(await fetchList(cachedList)).toMatchObject({ ranges: ['192.0.2.9/32', '192.0.2.2/32'], etag: '"3"' });
});

it('sends an unconditional request if there is no previous list', async () => {
  expect(await fetchList({ etag: '"2"' })).toMatchObject({ outcome: 'changed' });
  server.handler = (_, response) => response.writeHead(304).end();
  expect(await fetchList()).toEqual({ outcome: 'failed', kind: 'bad_status', reason: 'status 304' });
});

it.each([
  ['zero entries', [], /empty/],
  ['less than half its size', ['192.0.2.1'], /shrunk from 3 blocks to 1/],
])('rejects and counts a list that has shrunk to %s', async (_, addresses, reason) => {
  publish(...addresses);
  const before = await getFetchCount('implausible');
  const previous = ['192.0.2.1/32', '192.0.2.2/32', '192.0.2.3/32'];
  expect(await fetchList({ previous, etag: '"2"' })).toEqual({
    outcome: 'failed',
    kind: 'implausible',
    reason: expect.stringMatching(reason),
  });
  expect(await getFetchCount('implausible')).toBe(before + 1);
});

it('rejects a list that contains the entire internet', async () => {
  publishedList = '0.0.0.0/0';
  expect(await fetchList({ format: 'text' })).toMatchObject({ kind: 'implausible', reason: '0.0.0.0/0 is too wide' });
});

it.each<[string, HttpsServer['handler'], string, string]>([
  [
    'a redirect',
    (_, response) => response.writeHead(301, { location: '/elsewhere' }).end(),
    'redirected',
    'status 301: redirects are not followed',
  ],
  ['an error status', (_, response) => response.writeHead(403).end(publishedList), 'bad_status', 'status 403'],
  ['a web page', (_, response) => response.end('<!doctype html>'), 'unreadable', 'it is a web page or XML, not a list'],
  [
    'an oversized list',
    (_, response) => response.end(Buffer.alloc(5_000_001, ' ')),
    'too_large',
    'it is larger than 5000000 bytes',
  ],
])('returns the reason for the failure for %s', async (_, answer, kind, reason) => {
  server.handler = answer;
  const before = await getFetchCount(kind);
  expect(await fetchList()).toEqual({ outcome: 'failed', kind, reason });
  expect(await getFetchCount(kind)).toBe(before + 1);
});

it('rejects private addresses under the production policy', async () => {
  expect(await fetchList({}, PUBLIC_EGRESS)).toMatchObject({ kind: 'address_refused' });
  const publicOnly = { ...localPolicy, allowPrivateAddresses: false };
  const url = `https://agent.test:${server.port}/list.json`;
  expect(await fetchList({}, publicOnly)).toEqual({
    outcome: 'failed',
    kind: 'address_refused',
    reason: 'agent.test has no public address',
  });
  expect(await fetchList({ url: url.replace('agent.test', '127.0.0.1') }, publicOnly)).toMatchObject({
    kind: 'address_refused',
  });
  expect(server.requests).toEqual([]);
});
