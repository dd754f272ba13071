import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { webBotAuthSignature } from '#libs/agents';
import { PUBLIC_EGRESS, type EgressPolicy } from '#libs/evidence';
import { LOGGER, type Logger } from '#libs/platform';
import { register } from 'prom-client';
import { CatalogService } from '../../apps/catalog/src/catalog/catalog.service.js';
import { AddressListsRepository } from '../../apps/catalog/src/lists/address-lists.repository.js';
import { AddressListsService } from '../../apps/catalog/src/lists/address-lists.service.js';
import { App, type Json } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { HttpsServer, makeCertificates, type TestCertificates } from '../kit/https.js';

const DAY = 86_400_000;
/** Documents on the operator's server, by path. */
const documents = new Map<string, { body: string; etag?: string; status?: number }>();

let certificates: TestCertificates;
let server: HttpsServer;
let app: App;
let now = Date.now();

beforeAll(async () => {
  certificates = await makeCertificates(['DNS:operator.test']);
  server = await HttpsServer.start(certificates, answer);
  const egress: EgressPolicy = {
    allowPrivateAddresses: true,
    allowedPorts: 'any',
    ca: certificates.ca,
    lookup: async (name) => {
      if (name !== 'operator.test') throw new Error(`no such host: ${name}`);
      return [{ address: '127.0.0.1', family: 4 }];
    },
  };
  const dataCenterLists = [
    { url: url('/cloud.json#one'), format: "json:$.prefixes[?(@.service=='one')].range" },
    { url: url('/cloud.json#other'), format: "json:$.prefixes[?(@.service=='other')].range" },
  ];
  app = await App.start({ egress, refreshHours: 24, clock: () => now, dataCenterLists });
});
afterAll(async () => {
  await app.dispose();
  await server.dispose();
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const document = documents.get(request.url ?? '');
  if (document === undefined) return void response.writeHead(404).end();
  const { body, etag, status = 200 } = document;
  if (etag !== undefined && request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
  response.writeHead(status, { 'content-type': 'application/json', ...(etag !== undefined && { etag }) }).end(body);
}

const url = (path: string): string => `https://operator.test:${server.port}${path}`;
const requestsOf = (path: string): number => server.requests.filter((request) => request.url === path).length;

const agent = (token: string, verification: object) => ({
  token,
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: verification && 'signature_agents' in verification ? [] : [token],
  ...('signature_agents' in verification && { signature_only: true }),
  robots_token: null,
  verification,
});

async function refresh(): Promise<void> {
  await app.database.dataSource.query('UPDATE address_lists SET next_try_at = now() WHERE url LIKE $1', ['%operator%']);
  await app.nest.get(AddressListsService).refresh();
}

describe('a published address list', () => {
  const prefixes = (...ranges: string[]) => JSON.stringify({ prefixes: ranges.map((ipv4Prefix) => ({ ipv4Prefix })) });
  const judged = async (address: string): Promise<Json> => {
    const request_headers = { 'user-agent': 'Listbot/1.0', 'x-forwarded-for': address };
    const { body } = await app.api('POST', '/identifications', { request_headers });
    return body.identification;
  };
  const results = async (...addresses: string[]): Promise<string[]> =>
    Promise.all(addresses.map(async (address) => (await judged(address)).result));

  beforeAll(async () => {
    documents.set('/bot.json', { body: prefixes('198.51.100.0/25', '203.0.113.0/24'), etag: '"1"' });
    const lists = [{ url: url('/bot.json'), format: 'json-prefixes' }];
    expect((await app.api('POST', '/agents', agent('Listbot', { ip_list_urls: lists }))).status).toBe(201);
  });

  it('verifies listed addresses and refutes others once it is fetched', async () => {
    await until(async () => (await judged('198.51.100.7')).result === 'verified', { what: 'the new list is fetched' });
    const proven = await judged('198.51.100.7');
    expect(proven).toMatchObject({ result: 'verified', method: 'ip_range' });
    expect(proven.evidence.steps).toMatchObject([{ range: '198.51.100.0/25', list_url: url('/bot.json') }]);
    expect(await results('203.0.113.9', '198.51.100.200')).toEqual(['verified', 'verification_failed']);
  });

  it('is revalidated by ETag, which resets its age', async () => {
    now += 6 * DAY;
    await refresh();
    expect(requestsOf('/bot.json')).toBe(2);
    const asked = server.requests.findLast((request) => request.url === '/bot.json')!;
    expect(asked.headers['if-none-match']).toBe('"1"');
    now += 3 * DAY;
    expect(await results('198.51.100.7', '198.51.100.200')).toEqual(['verified', 'verification_failed']);
  });

  it('is replaced when it changes', async () => {
    documents.set('/bot.json', { body: prefixes('198.51.100.128/25', '203.0.113.0/24'), etag: '"2"' });
    await refresh();
    expect(await results('198.51.100.7', '198.51.100.200')).toEqual(['verification_failed', 'verified']);
  });

  it.each([
    ['fails', '{"prefixes": []}', 500],
    ['is empty', '{"prefixes": []}', 200],
    ['is for everybody', prefixes('0.0.0.0/0'), 200],
    ['is not a list', '<html>', 200],
    ['is elsewhere', '', 302],
  ])('stays in use and reports a fault when the next version %s', async (_, body, status) => {
    documents.set('/bot.json', { body, status });
    await refresh();
    expect(await results('198.51.100.200')).toEqual(['verified']);
    const [row] = await app.database.dataSource.query(`SELECT fault FROM address_lists WHERE url = $1`, [
      url('/bot.json'),
    ]);
    expect(row.fault).toEqual(expect.any(String));
    const gauge = await register.getSingleMetric('agent_traffic_address_list_fault')!.get();
    expect(gauge.values).toContainEqual(expect.objectContaining({ labels: { url: url('/bot.json') }, value: 1 }));
  });

  it('verifies addresses indefinitely, but refutes them for only seven days', async () => {
    now += 8 * DAY;
    expect(await results('198.51.100.200', '198.51.100.7')).toEqual(['verified', 'not_verifiable']);
    documents.set('/bot.json', { body: prefixes('198.51.100.128/25', '203.0.113.0/24') });
    await refresh();
    expect(await results('198.51.100.200', '198.51.100.7')).toEqual(['verified', 'verification_failed']);
    const gauge = await register.getSingleMetric('agent_traffic_address_list_fault')!.get();
    expect(gauge.values.filter(({ labels }) => labels['url'] === url('/bot.json'))).toEqual([]);
  });

  it('is replaced by a pinned list at startup, even if it was fetched before', async () => {
    const service = new AddressListsService(
      app.nest.get(AddressListsRepository),
      app.nest.get(CatalogService),
      () => Promise.reject(new Error('what is pinned is not fetched')),
      { IP_LISTS_REFRESH_HOURS: 24, pinnedLists: new Map([[url('/bot.json'), ['192.0.2.0/24']]]) },
      () => now,
      app.nest.get<Logger>(LOGGER),
    );
    await service.refresh();
    expect(await results('192.0.2.7', '198.51.100.200')).toEqual(['verified', 'verification_failed']);
  });
});

describe('a published data center list', () => {
  const published = (service: string, ...ranges: string[]) => ranges.map((range) => ({ service, range }));
  const prefixes = [...published('one', '11.1.0.0/16'), ...published('neither', '11.3.0.0/16')];
  /** Refreshes the lists and returns the addresses whose visits get the `data_center` sign. */
  const signed = async (...addresses: string[]): Promise<string[]> => {
    await refresh();
    const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0';
    const run = randomUUID();
    const visits = addresses.map((address) => ({
      request_path: `/${run}`,
      request_method: 'GET',
      request_headers: { 'user-agent': browser, 'x-forwarded-for': address },
    }));
    expect((await app.post('/visits', visits)).status).toBe(204);
    const { id } = (await app.api('GET', '/projects')).body.projects[0];
    const { body } = await app.api('GET', `/projects/${id}/visits?path=/${run}`);
    expect(body.visits).toHaveLength(addresses.length);
    const suspects = body.visits.filter(({ automation }: Json) => automation.signs.includes('data_center'));
    expect(suspects.every(({ automation }: Json) => automation.verdict === 'unclear')).toBe(true);
    return suspects.map(({ client_address: address }: Json) => address).toSorted();
  };
  const publish = (entries: object[], status = 200) =>
    documents.set('/cloud.json', { body: JSON.stringify({ prefixes: entries }), status });

  it('marks visits from its ranges once it is fetched', async () => {
    expect(await signed('11.1.2.3')).toEqual([]);
    publish([...prefixes, ...published('other', '11.2.0.0/16')]);
    expect(await signed('11.1.2.3', '11.2.0.7', '11.3.0.1')).toEqual(['11.1.2.3', '11.2.0.7']);
    const { lists } = (await app.api('GET', '/system')).body.catalog;
    expect(lists).toContainEqual(expect.objectContaining({ url: url('/cloud.json#one'), ranges: 1, fault: null }));
  });

  it('survives an overly broad or failed update, and follows a valid one', async () => {
    publish([...prefixes, ...published('other', '0.0.0.0/0')]);
    expect(await signed('11.1.2.3', '11.2.0.7', '11.3.0.1')).toEqual(['11.1.2.3', '11.2.0.7']);
    publish([], 500);
    expect(await signed('11.1.2.3', '11.2.0.7', '11.3.0.1')).toEqual(['11.1.2.3', '11.2.0.7']);
    publish([...prefixes, ...published('other', '11.3.0.0/24')]);
    expect(await signed('11.1.2.3', '11.2.0.7', '11.3.0.1')).toEqual(['11.1.2.3', '11.3.0.1']);
  });
});

describe('a key directory', () => {
  const pair = () => generateKeyPairSync('ed25519');
  const keySet = (...keys: KeyObject[]) => JSON.stringify({ keys: keys.map((key) => key.export({ format: 'jwk' })) });
  const result = async (key: KeyObject, signatureAgent = url('/keys')): Promise<Json> => {
    const target = 'https://shop.example/';
    const signature = webBotAuthSignature({ url: target, method: 'GET', key, signatureAgent, now, lifetime: 300 });
    const request_headers = { host: 'shop.example', ...signature };
    return (await app.post('/agent-verifications', { request_path: '/', request_headers })).body;
  };
  const [first, second] = [pair(), pair()];

  it('is fetched once for a listed agent', async () => {
    documents.set('/keys', { body: keySet(first.publicKey) });
    await app.api('POST', '/agents', agent('Signbot', { signature_agents: [url('/keys')] }));
    expect(await result(first.privateKey)).toMatchObject({ result: 'verified', agent_token: 'Signbot' });
    expect(await result(first.privateKey)).toMatchObject({ result: 'verified' });
    expect(requestsOf('/keys')).toBe(1);
  });

  it('is fetched again for an unknown key', async () => {
    documents.set('/keys', { body: keySet(second.publicKey) });
    now += 60_000;
    expect(await result(second.privateKey)).toMatchObject({ result: 'verified' });
    // Keys that were removed from the directory no longer verify.
    expect(await result(first.privateKey)).toMatchObject({ result: 'not_verifiable', agent_token: 'Signbot' });
  });

  it('is never fetched for an unlisted agent', async () => {
    documents.set('/evil', { body: keySet(first.publicKey) });
    expect(await result(first.privateKey, url('/evil'))).toEqual({ result: 'unknown_agent' });
    expect(requestsOf('/evil')).toBe(0);
  });
});

it('refuses to fetch from loopback under the production egress policy', async () => {
  const lookup = (name: string) => Promise.reject(new Error(`not to be asked for: ${name}`));
  const strict = await App.start({ refreshHours: 24, egress: { ...PUBLIC_EGRESS, lookup } });
  const before = server.requests.length;
  await strict.api('POST', '/agents', agent('Insidebot', { signature_agents: [`https://127.0.0.1:${server.port}`] }));
  const lists = [{ url: `https://localhost:${server.port}/bot.json`, format: 'json-prefixes' }];
  expect((await strict.api('POST', '/agents', agent('Innerbot', { ip_list_urls: lists }))).status).toBe(201);
  const inner = `SELECT fault, ranges FROM address_lists WHERE url LIKE '%localhost%' AND fault IS NOT NULL`;
  const row = await until(async () => (await strict.database.dataSource.query(inner))[0], { what: 'it was tried' });
  expect(row).toEqual({ ranges: null, fault: expect.stringContaining('address_refused') });
  const { privateKey: key } = generateKeyPairSync('ed25519');
  const signatureAgent = `https://127.0.0.1:${server.port}`;
  const target = { url: 'https://a.example/', method: 'GET', key, signatureAgent, now: Date.now(), lifetime: 60 };
  const request_headers = { host: 'a.example', ...webBotAuthSignature(target) };
  const { body } = await strict.api('POST', '/identifications', { request_path: '/', request_headers });
  expect(body.identification).toMatchObject({ result: 'not_verifiable', reason: 'directory_address_refused' });
  expect(server.requests.length).toBe(before);
  await strict.dispose();
});
