import { register } from 'prom-client';
import { HttpsServer, makeCertificates } from '../../../test/kit/https.js';
import { fetchAddressList, type AddressListRequest } from './address-list-fetcher.js';
import { PUBLIC_EGRESS, type EgressPolicy } from './egress-policy.js';
import { fetchUnder } from './guarded-fetch.js';

const MODIFIED = 'Fri, 20 Nov 2026 10:00:00 GMT';

let server: HttpsServer;
let here: EgressPolicy;
let published: string;
let version: number;

beforeAll(async () => {
  const certificates = await makeCertificates(['DNS:agent.test']);
  server = await HttpsServer.start(certificates, () => undefined);
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  here = { allowPrivateAddresses: true, allowedPorts: 'any', ca: certificates.ca, lookup };
});
beforeEach(() => {
  server.requests.length = 0;
  version = 1;
  publish('192.0.2.1', '192.0.2.2', '192.0.2.3');
  server.answer = (request, response) => {
    const headers = { etag: `"${version}"`, 'last-modified': MODIFIED };
    if (request.headers['if-none-match'] === headers.etag) response.writeHead(304, headers).end();
    else response.writeHead(200, headers).end(published);
  };
});
afterAll(() => server.dispose());

function publish(...addresses: string[]): void {
  published = JSON.stringify({ prefixes: addresses.map((address) => ({ ipv4Prefix: `${address}/32` })) });
  version += 1;
}

const fetchList = (request: Partial<AddressListRequest> = {}, policy = here) =>
  fetchAddressList(
    {
      url: `https://agent.test:${server.port}/list.json`,
      format: 'json-prefixes',
      etag: null,
      lastModified: null,
      previous: [],
      ...request,
    },
    fetchUnder(policy),
  );

async function counted(outcome: string): Promise<number> {
  const { values } = await register.getSingleMetric('agent_traffic_address_list_fetches_total')!.get();
  return values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
}

it('downloads a list again only if it changed', async () => {
  const first = await fetchList();
  const ranges = ['192.0.2.1/32', '192.0.2.2/32', '192.0.2.3/32'];
  expect(first).toEqual({ outcome: 'changed', ranges, skipped: 0, etag: '"2"', lastModified: MODIFIED });
  expect(server.requests[0]!.headers).not.toHaveProperty('if-none-match');
  const known = { previous: ranges, etag: '"2"', lastModified: MODIFIED };
  const unchanged = await counted('unchanged');
  expect(await fetchList(known)).toEqual({ outcome: 'unchanged' });
  expect(await counted('unchanged')).toBe(unchanged + 1);
  expect(server.requests[1]!.headers).toMatchObject({ 'if-none-match': '"2"', 'if-modified-since': MODIFIED });
  publish('192.0.2.9', '192.0.2.2');
  expect(await fetchList(known)).toMatchObject({ ranges: ['192.0.2.9/32', '192.0.2.2/32'], etag: '"3"' });
});

it('sends no conditional request without a previous list', async () => {
  expect(await fetchList({ etag: '"2"' })).toMatchObject({ outcome: 'changed' });
  server.answer = (_, response) => response.writeHead(304).end();
  expect(await fetchList()).toEqual({ outcome: 'failed', kind: 'bad_status', reason: 'status 304' });
});

it.each([
  ['nothing', [], /empty/],
  ['less than half', ['192.0.2.1'], /shrunk from 3 blocks to 1/],
])('rejects and counts a list that shrank to %s', async (_, addresses, reason) => {
  publish(...addresses);
  const before = await counted('implausible');
  const previous = ['192.0.2.1/32', '192.0.2.2/32', '192.0.2.3/32'];
  expect(await fetchList({ previous, etag: '"2"' })).toEqual({
    outcome: 'failed',
    kind: 'implausible',
    reason: expect.stringMatching(reason),
  });
  expect(await counted('implausible')).toBe(before + 1);
});

it('rejects a list that contains the entire internet', async () => {
  published = '0.0.0.0/0';
  expect(await fetchList({ format: 'text' })).toMatchObject({ kind: 'implausible', reason: '0.0.0.0/0 is too wide' });
});

it.each<[string, HttpsServer['answer'], string, string]>([
  [
    'a redirect',
    (_, response) => response.writeHead(301, { location: '/elsewhere' }).end(),
    'redirected',
    'status 301: redirects are not followed',
  ],
  ['another status', (_, response) => response.writeHead(403).end(published), 'bad_status', 'status 403'],
  ['a web page', (_, response) => response.end('<!doctype html>'), 'unreadable', 'it is a web page or XML, not a list'],
  [
    'too much',
    (_, response) => response.end(Buffer.alloc(5_000_001, ' ')),
    'too_large',
    'it is larger than 5000000 bytes',
  ],
])('returns the reason for %s', async (_, answer, kind, reason) => {
  server.answer = answer;
  const before = await counted(kind);
  expect(await fetchList()).toEqual({ outcome: 'failed', kind, reason });
  expect(await counted(kind)).toBe(before + 1);
});

it('rejects loopback addresses in production', async () => {
  expect(await fetchList({}, PUBLIC_EGRESS)).toMatchObject({ kind: 'address_refused' });
  const strict = { ...here, allowPrivateAddresses: false };
  const url = `https://agent.test:${server.port}/list.json`;
  expect(await fetchList({}, strict)).toEqual({
    outcome: 'failed',
    kind: 'address_refused',
    reason: 'agent.test has no public address',
  });
  expect(await fetchList({ url: url.replace('agent.test', '127.0.0.1') }, strict)).toMatchObject({
    kind: 'address_refused',
  });
  expect(server.requests).toEqual([]);
});
