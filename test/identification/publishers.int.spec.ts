import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { signWebBotAuthRequest } from '#libs/agents';
import { PUBLIC_EGRESS, type EgressPolicy } from '#libs/evidence';
import { LOGGER, type Logger } from '#libs/platform';
import { register } from 'prom-client';
import { CatalogService } from '../../apps/catalog/src/catalog/catalog.service.js';
import { AddressListsRepository } from '../../apps/catalog/src/lists/address-lists.repository.js';
import { AddressListsService } from '../../apps/catalog/src/lists/address-lists.service.js';
import { App, type Json } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { HttpsServer, createCertificates, type TestCertificates } from '../kit/https.js';

const DAY_MS = 86_400_000;
/** Documents on the operator's server, by path. */
const documents = new Map<string, { body: string; etag?: string; status?: number }>();

let certificates: TestCertificates;
let server: HttpsServer;
let app: App;
let now = Date.now();

beforeAll(async () => {
  certificates = await createCertificates(['DNS:operator.test']);
  server = await HttpsServer.start(certificates, respond);
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
    { url: toUrl('/cloud.json#one'), format: "json:$.prefixes[?(@.service=='one')].range" },
    { url: toUrl('/cloud.json#other'), format: "json:$.prefixes[?(@.service=='other')].range" },
  ];
  app = await App.start({ egress, refreshHours: 24, clock: () => now, dataCenterLists });
});
afterAll(async () => {
  await app.dispose();
  await server.dispose();
});

function respond(request: IncomingMessage, response: ServerResponse): void {
  const document = documents.get(request.url ?? '');
  if (document === undefined) return void response.writeHead(404).end();
  const { body, etag, status = 200 } = document;
  if (etag !== undefined && request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
  response.writeHead(status, { 'content-type': 'application/json', ...(etag !== undefined && { etag }) }).end(body);
}

const toUrl = (path: string): string => `https://operator.test:${server.port}${path}`;
const countRequests = (path: string): number => server.requests.filter((request) => request.url === path).length;

const createAgent = (token: string, verification: object) => ({
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
  const identify = async (address: string): Promise<Json> => {
    const request_headers = { 'user-agent': 'Listbot/1.0', 'x-forwarded-for': address };
    const { body } = await app.api('POST', '/identifications', { request_headers });
    return body.identification;
  };
  const getResults = async (...addresses: string[]): Promise<string[]> =>
    Promise.all(addresses.map(async (address) => (await identify(address)).result));

  beforeAll(async () => {
    documents.set('/bot.json', { body: prefixes('198.51.100.0/25', '203.0.113.0/24'), etag: '"1"' });
    const lists = [{ url: toUrl('/bot.json'), format: 'json-prefixes' }];
    expect((await app.api('POST', '/agents', createAgent('Listbot', { ip_list_urls: lists }))).status).toBe(201);
  });

  it('verifies the addresses in a list and refutes others once the list has been fetched', async () => {
    await until(async () => (await identify('198.51.100.7')).result === 'verified', {
      condition: 'the new list is fetched',
    });
    const identification = await identify('198.51.100.7');
    expect(identification).toMatchObject({ result: 'verified', method: 'ip_range' });
    expect(identification.evidence.steps).toMatchObject([{ range: '198.51.100.0/25', list_url: toUrl('/bot.json') }]);
    expect(await getResults('203.0.113.9', '198.51.100.200')).toEqual(['verified', 'verification_failed']);
  });

  it('revalidates a list by ETag, which makes it current again', async () => {
    now += 6 * DAY_MS;
    await refresh();
    expect(countRequests('/bot.json')).toBe(2);
    const revalidation = server.requests.findLast((request) => request.url === '/bot.json')!;
    expect(revalidation.headers['if-none-match']).toBe('"1"');
    now += 3 * DAY_MS;
    expect(await getResults('198.51.100.7', '198.51.100.200')).toEqual(['verified', 'verification_failed']);
  });

  it('fetches all lists again on request, at most once a minute', async () => {
    const count = countRequests('/bot.json');
    expect((await app.api('POST', '/address-lists/refresh', {})).status).toBe(202);
    await until(async () => countRequests('/bot.json') > count, { condition: 'the list is fetched again' });
    const refused = await app.api('POST', '/address-lists/refresh', {});
    expect([refused.status, refused.body.detail]).toEqual([429, expect.stringMatching(/Try again in \d+ s\.$/)]);
    const list = (await app.api('GET', '/system')).body.catalog.lists.find(
      ({ url }: Json) => url === toUrl('/bot.json'),
    );
    expect(list.operators).toEqual(['Listbot']);
    const { entries } = (await app.api('GET', '/audit-entries?limit=10')).body;
    expect(entries.filter(({ operation }: Json) => operation === 'refreshAddressLists')).toHaveLength(1);
  });

  it('replaces a list when it changes', async () => {
    documents.set('/bot.json', { body: prefixes('198.51.100.128/25', '203.0.113.0/24'), etag: '"2"' });
    await refresh();
    expect(await getResults('198.51.100.7', '198.51.100.200')).toEqual(['verification_failed', 'verified']);
  });

  it.each([
    ['is unavailable', '{"prefixes": []}', 500],
    ['is empty', '{"prefixes": []}', 200],
    ['covers all addresses', prefixes('0.0.0.0/0'), 200],
    ['is not a list', '<html>', 200],
    ['is a redirect', '', 302],
  ])('continues to use a list and reports a fault if its next version %s', async (_, body, status) => {
    documents.set('/bot.json', { body, status });
    await refresh();
    expect(await getResults('198.51.100.200')).toEqual(['verified']);
    const [row] = await app.database.dataSource.query(`SELECT fault FROM address_lists WHERE url = $1`, [
      toUrl('/bot.json'),
    ]);
    expect(row.fault).toEqual(expect.any(String));
    const gauge = await register.getSingleMetric('agent_traffic_address_list_fault')!.get();
    expect(gauge.values).toContainEqual(expect.objectContaining({ labels: { url: toUrl('/bot.json') }, value: 1 }));
  });

  it('verifies listed addresses indefinitely, but refutes others for only seven days', async () => {
    now += 8 * DAY_MS;
    expect(await getResults('198.51.100.200', '198.51.100.7')).toEqual(['verified', 'not_verifiable']);
    documents.set('/bot.json', { body: prefixes('198.51.100.128/25', '203.0.113.0/24') });
    await refresh();
    expect(await getResults('198.51.100.200', '198.51.100.7')).toEqual(['verified', 'verification_failed']);
    const gauge = await register.getSingleMetric('agent_traffic_address_list_fault')!.get();
    expect(gauge.values.filter(({ labels }) => labels['url'] === toUrl('/bot.json'))).toEqual([]);
  });

  it('replaces a published list with a pinned one at startup, even after the published one has been fetched', async () => {
    const service = new AddressListsService(
      app.nest.get(AddressListsRepository),
      app.nest.get(CatalogService),
      () => Promise.reject(new Error('pinned lists must not be fetched')),
      { IP_LISTS_REFRESH_HOURS: 24, pinnedLists: new Map([[toUrl('/bot.json'), ['192.0.2.0/24']]]) },
      () => now,
      app.nest.get<Logger>(LOGGER),
    );
    await service.refresh();
    expect(await getResults('192.0.2.7', '198.51.100.200')).toEqual(['verified', 'verification_failed']);
  });
});

describe('a published data center list', () => {
  const createEntries = (service: string, ...ranges: string[]) => ranges.map((range) => ({ service, range }));
  const prefixes = [...createEntries('one', '11.1.0.0/16'), ...createEntries('neither', '11.3.0.0/16')];
  /** Refreshes the lists and returns the addresses whose visits get the `data_center` sign. */
  const findDataCenterAddresses = async (...addresses: string[]): Promise<string[]> => {
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

  it('marks visits from a data center once its list has been fetched', async () => {
    expect(await findDataCenterAddresses('11.1.2.3')).toEqual([]);
    publish([...prefixes, ...createEntries('other', '11.2.0.0/16')]);
    expect(await findDataCenterAddresses('11.1.2.3', '11.2.0.7', '11.3.0.1')).toEqual(['11.1.2.3', '11.2.0.7']);
    const { lists } = (await app.api('GET', '/system')).body.catalog;
    expect(lists).toContainEqual(expect.objectContaining({ url: toUrl('/cloud.json#one'), ranges: 1, fault: null }));
  });

  it('ignores overly broad and failed updates to a data center list, and applies valid ones', async () => {
    publish([...prefixes, ...createEntries('other', '0.0.0.0/0')]);
    expect(await findDataCenterAddresses('11.1.2.3', '11.2.0.7', '11.3.0.1')).toEqual(['11.1.2.3', '11.2.0.7']);
    publish([], 500);
    expect(await findDataCenterAddresses('11.1.2.3', '11.2.0.7', '11.3.0.1')).toEqual(['11.1.2.3', '11.2.0.7']);
    publish([...prefixes, ...createEntries('other', '11.3.0.0/24')]);
    expect(await findDataCenterAddresses('11.1.2.3', '11.2.0.7', '11.3.0.1')).toEqual(['11.1.2.3', '11.3.0.1']);
  });
});

describe('a key directory', () => {
  const generateKeyPair = () => generateKeyPairSync('ed25519');
  const toKeySet = (...keys: KeyObject[]) => JSON.stringify({ keys: keys.map((key) => key.export({ format: 'jwk' })) });
  const verify = async (key: KeyObject, signatureAgent = toUrl('/keys')): Promise<Json> => {
    const target = 'https://shop.example/';
    const signature = signWebBotAuthRequest({
      url: target,
      method: 'GET',
      key,
      signatureAgent,
      now,
      lifetimeSeconds: 300,
    });
    const request_headers = { host: 'shop.example', ...signature };
    return (await app.post('/agent-verifications', { request_path: '/', request_headers })).body;
  };
  const [first, second] = [generateKeyPair(), generateKeyPair()];

  it("fetches a listed agent's key directory once", async () => {
    documents.set('/keys', { body: toKeySet(first.publicKey) });
    await app.api('POST', '/agents', createAgent('Signbot', { signature_agents: [toUrl('/keys')] }));
    expect(await verify(first.privateKey)).toMatchObject({ result: 'verified', agent_token: 'Signbot' });
    expect(await verify(first.privateKey)).toMatchObject({ result: 'verified' });
    expect(countRequests('/keys')).toBe(1);
  });

  it('fetches a key directory again for an unknown key', async () => {
    documents.set('/keys', { body: toKeySet(second.publicKey) });
    now += 60_000;
    expect(await verify(second.privateKey)).toMatchObject({ result: 'verified' });
    // A key that was removed from the directory no longer verifies.
    expect(await verify(first.privateKey)).toMatchObject({ result: 'not_verifiable', agent_token: 'Signbot' });
  });

  it("never fetches an unlisted agent's key directory", async () => {
    documents.set('/evil', { body: toKeySet(first.publicKey) });
    expect(await verify(first.privateKey, toUrl('/evil'))).toEqual({ result: 'unknown_agent' });
    expect(countRequests('/evil')).toBe(0);
  });
});

it('never fetches from loopback addresses under the production egress policy', async () => {
  const lookup = (name: string) => Promise.reject(new Error(`unexpected lookup of ${name}`));
  const strictApp = await App.start({ refreshHours: 24, egress: { ...PUBLIC_EGRESS, lookup } });
  const requestsBefore = server.requests.length;
  await strictApp.api(
    'POST',
    '/agents',
    createAgent('Insidebot', { signature_agents: [`https://127.0.0.1:${server.port}`] }),
  );
  const lists = [{ url: `https://localhost:${server.port}/bot.json`, format: 'json-prefixes' }];
  expect((await strictApp.api('POST', '/agents', createAgent('Innerbot', { ip_list_urls: lists }))).status).toBe(201);
  const faultQuery = `SELECT fault, ranges FROM address_lists WHERE url LIKE '%localhost%' AND fault IS NOT NULL`;
  const row = await until(async () => (await strictApp.database.dataSource.query(faultQuery))[0], {
    condition: 'the list fetch fails',
  });
  expect(row).toEqual({ ranges: null, fault: expect.stringContaining('address_refused') });
  const { privateKey: key } = generateKeyPairSync('ed25519');
  const signatureAgent = `https://127.0.0.1:${server.port}`;
  const target = {
    url: 'https://a.example/',
    method: 'GET',
    key,
    signatureAgent,
    now: Date.now(),
    lifetimeSeconds: 60,
  };
  const request_headers = { host: 'a.example', ...signWebBotAuthRequest(target) };
  const { body } = await strictApp.api('POST', '/identifications', { request_path: '/', request_headers });
  expect(body.identification).toMatchObject({ result: 'not_verifiable', reason: 'directory_address_refused' });
  expect(server.requests.length).toBe(requestsBefore);
  await strictApp.dispose();
});
