import type { Dns, EvidenceSources } from '#libs/agents';
import { IDENTIFICATION_RESULTS } from '#libs/contracts';
import { App } from '../kit/app.js';
import { BROWSER, GOOGLEBOT } from '../kit/client.js';
import { until } from '../kit/instance.js';

let app: App;
let dns: Dns = { hostNames: () => ({ fault: 'dns_off' }), addresses: () => ({ fault: 'dns_off' }) };
const sources: EvidenceSources = {
  directories: { find: () => ({ fault: 'directory_unreachable' }) },
  dns: {
    hostNames: (address) => dns.hostNames(address),
    addresses: (name, family) => dns.addresses(name, family),
  },
};

beforeAll(async () => {
  app = await App.start({ sources });
});
afterAll(() => app.dispose());

/** Address in a range that Google publishes. */
const GOOGLE_ADDRESS = '66.249.66.1';
const createGooglebotItem = (address?: string) => ({
  request_headers: { 'User-Agent': GOOGLEBOT, ...(address !== undefined && { 'X-Forwarded-For': address }) },
});
const VERIFIED_GOOGLEBOT = {
  result: 'verified',
  agent_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  agent_token: 'Googlebot',
  agent_url: expect.stringContaining('https://'),
  agent_type_name: 'Search Engine Crawler',
  operator_name: 'Google',
};

describe('agent-identifications', () => {
  it('returns an object with exactly the documented fields for a single item', async () => {
    const { status, body, headers } = await app.post('/agent-identifications', createGooglebotItem(GOOGLE_ADDRESS));
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual(VERIFIED_GOOGLEBOT);
    const human = { id: 'h', request_headers: { 'user-agent': BROWSER } };
    expect((await app.post('/agent-identifications', human)).body).toEqual({ id: 'h', result: 'unknown_agent' });
  });

  it('returns results in the order of the items, with their IDs', async () => {
    const items = [
      { id: 'a', ...createGooglebotItem(GOOGLE_ADDRESS) },
      { ...createGooglebotItem() },
      { id: '', request_headers: {} },
      { id: null, request_headers: { 'user-agent': 'curl/8.5.0' } },
      { id: 'a', ...createGooglebotItem('198.51.100.1') },
    ];
    const { body } = await app.post('/agent-identifications', items);
    expect(body).toMatchObject([
      { id: 'a', ...VERIFIED_GOOGLEBOT },
      { result: 'not_verifiable', agent_token: 'Googlebot' },
      { id: '', result: 'unknown_agent' },
      { result: 'not_verifiable', agent_token: 'curl' },
      { id: 'a', result: 'not_verifiable' },
    ]);
    expect([body[1], body[3]].map((item) => 'id' in item)).toEqual([false, false]);
    expect((await app.post('/agent-identifications', [])).body).toEqual([]);
  });

  it('rejects more than 1,000 items', async () => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: `${index}`, ...createGooglebotItem() }));
    const { body } = await app.post('/agent-identifications', items(1_000));
    expect(body.map(({ id }: { id: string }) => id)).toEqual(items(1_000).map(({ id }) => id));
    const rejected = await app.post('/agent-identifications', items(1_001));
    expect([rejected.status, rejected.body.errors]).toEqual([
      422,
      [{ pointer: '', detail: 'must have 1000 items or fewer' }],
    ]);
  });

  it.each([
    [{}, '/request_headers'],
    [null, ''],
    ['text', ''],
    [{ request_headers: [] }, '/request_headers'],
    [{ request_headers: { a: {} } }, '/request_headers/a'],
    [[createGooglebotItem(), { id: 5, request_headers: {} }], '/1/id'],
    [[[]], '/0'],
  ])('rejects %j and points to the error', async (body, pointer) => {
    const response = await app.post('/agent-identifications', body);
    expect(response.status).toBe(422);
    expect(response.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  it('requires an access token', async () => {
    expect((await app.send('POST', '/agent-identifications', createGooglebotItem(), {})).status).toBe(401);
    expect((await app.send('GET', '/agent-identifications', undefined, {})).status).toBe(405);
    const key = { authorization: `Bearer ${app.apiKey}` };
    expect((await app.send('POST', '/agent-verifications', createGooglebotItem(), key)).status).toBe(401);
  });

  it("applies the project's proxy settings to identifications", async () => {
    const { body } = await app.api('GET', '/projects');
    const path = `/projects/${body.projects[0].id}`;
    await app.api('PATCH', path, { trusted_proxies: { mode: 'none' } });
    /** Waits until the result changes, because services apply new settings with a delay. */
    const waitForOtherResult = (formerResult: string): Promise<string> =>
      until(
        async () => {
          const { result } = (await app.post('/agent-identifications', createGooglebotItem(GOOGLE_ADDRESS))).body;
          return result !== formerResult && result;
        },
        { condition: `the result is no longer ${formerResult}` },
      );
    expect(await waitForOtherResult('verified')).toBe('not_verifiable');
    await app.api('PATCH', path, { trusted_proxies: {} });
    expect(await waitForOtherResult('not_verifiable')).toBe('verified');
  });
});

describe('agent-verifications', () => {
  it('returns a result without an ID', async () => {
    const { body } = await app.post('/agent-verifications', {
      id: 'x',
      request_path: '/a?b=c',
      ...createGooglebotItem(GOOGLE_ADDRESS),
    });
    expect(body).toEqual(VERIFIED_GOOGLEBOT);
  });

  it('requires request_path and request_headers', async () => {
    const { status, body } = await app.post('/agent-verifications', [createGooglebotItem()]);
    expect(status).toBe(422);
    expect(body.errors[0].detail).toContain('object');
    const { body: missing } = await app.post('/agent-verifications', {});
    expect(missing.errors.map((error: { pointer: string }) => error.pointer)).toEqual([
      '/request_path',
      '/request_headers',
    ]);
  });
});

describe('DNS lookups', () => {
  it('waits for DNS lookups, which are inconclusive if they time out', async () => {
    dns = {
      hostNames: async () => ({ values: ['crawl-1.googlebot.com'] }),
      addresses: async () => ({ values: ['198.51.100.77'] }),
    };
    expect((await app.post('/agent-identifications', createGooglebotItem('198.51.100.77'))).body).toEqual(
      VERIFIED_GOOGLEBOT,
    );
    dns = { hostNames: () => new Promise(() => undefined), addresses: () => new Promise(() => undefined) };
    const { body } = await app.post('/agent-identifications', [
      createGooglebotItem('198.51.100.78'),
      createGooglebotItem(GOOGLE_ADDRESS),
    ]);
    expect(body.map(({ result }: { result: string }) => result)).toEqual(['not_verifiable', 'verified']);
  });
});

it('returns only documented fields', async () => {
  const userAgents = ['Googlebot', 'GPTBot/1.2', 'curl/8', 'AdsBot-Google', 'Bytespider', ''];
  const { body } = await app.post(
    '/agent-identifications',
    userAgents.map((userAgent) => ({ request_headers: { 'user-agent': userAgent } })),
  );
  const documentedFields = ['result', 'agent_id', 'agent_token', 'agent_url', 'agent_type_name', 'operator_name'];
  for (const item of body) {
    expect(documentedFields).toEqual(expect.arrayContaining(Object.keys(item)));
    expect(IDENTIFICATION_RESULTS).toContain(item.result);
    expect(Object.values(item)).not.toContain(null);
  }
});
