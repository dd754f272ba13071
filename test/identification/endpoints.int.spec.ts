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

/** An address in a range published by Google. */
const OF_GOOGLE = '66.249.66.1';
const google = (address?: string) => ({
  request_headers: { 'User-Agent': GOOGLEBOT, ...(address !== undefined && { 'X-Forwarded-For': address }) },
});
const VERIFIED = {
  result: 'verified',
  agent_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  agent_token: 'Googlebot',
  agent_url: expect.stringContaining('https://'),
  agent_type_name: 'Search Engine Crawler',
  operator_name: 'Google',
};

describe('agent-identifications', () => {
  it('returns an object for a single item, with exactly the fields of the interface', async () => {
    const { status, body, headers } = await app.post('/agent-identifications', google(OF_GOOGLE));
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual(VERIFIED);
    const human = { id: 'h', request_headers: { 'user-agent': BROWSER } };
    expect((await app.post('/agent-identifications', human)).body).toEqual({ id: 'h', result: 'unknown_agent' });
  });

  it('returns results in the order of the items, with their ids', async () => {
    const items = [
      { id: 'a', ...google(OF_GOOGLE) },
      { ...google() },
      { id: '', request_headers: {} },
      { id: null, request_headers: { 'user-agent': 'curl/8.5.0' } },
      { id: 'a', ...google('198.51.100.1') },
    ];
    const { body } = await app.post('/agent-identifications', items);
    expect(body).toMatchObject([
      { id: 'a', ...VERIFIED },
      { result: 'not_verifiable', agent_token: 'Googlebot' },
      { id: '', result: 'unknown_agent' },
      { result: 'not_verifiable', agent_token: 'curl' },
      { id: 'a', result: 'not_verifiable' },
    ]);
    expect([body[1], body[3]].map((item) => 'id' in item)).toEqual([false, false]);
    expect((await app.post('/agent-identifications', [])).body).toEqual([]);
  });

  it('limits a request to 1,000 items', async () => {
    const items = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `${index}`, ...google() }));
    const { body } = await app.post('/agent-identifications', items(1_000));
    expect(body.map(({ id }: { id: string }) => id)).toEqual(items(1_000).map(({ id }) => id));
    const refused = await app.post('/agent-identifications', items(1_001));
    expect([refused.status, refused.body.errors]).toEqual([
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
    [[google(), { id: 5, request_headers: {} }], '/1/id'],
    [[[]], '/0'],
  ])('rejects %j and locates the error', async (body, pointer) => {
    const answer = await app.post('/agent-identifications', body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  it('requires an access token', async () => {
    expect((await app.send('POST', '/agent-identifications', google(), {})).status).toBe(401);
    expect((await app.send('GET', '/agent-identifications', undefined, {})).status).toBe(405);
    const key = { authorization: `Bearer ${app.apiKey}` };
    expect((await app.send('POST', '/agent-verifications', google(), key)).status).toBe(401);
  });

  it("applies the project's proxy settings", async () => {
    const { body } = await app.api('GET', '/projects');
    const path = `/projects/${body.projects[0].id}`;
    await app.api('PATCH', path, { trusted_proxies: { mode: 'none' } });
    /** Waits for a different result: services apply new settings with a delay. */
    const resultAfter = (former: string): Promise<string> =>
      until(
        async () => {
          const { result } = (await app.post('/agent-identifications', google(OF_GOOGLE))).body;
          return result !== former && result;
        },
        { what: `the result is no longer ${former}` },
      );
    expect(await resultAfter('verified')).toBe('not_verifiable');
    await app.api('PATCH', path, { trusted_proxies: {} });
    expect(await resultAfter('not_verifiable')).toBe('verified');
  });
});

describe('agent-verifications', () => {
  it('returns a result without an id', async () => {
    const { body } = await app.post('/agent-verifications', { id: 'x', request_path: '/a?b=c', ...google(OF_GOOGLE) });
    expect(body).toEqual(VERIFIED);
  });

  it('requires a path and headers', async () => {
    const { status, body } = await app.post('/agent-verifications', [google()]);
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
  it('waits for answers, and treats a missing answer as inconclusive', async () => {
    dns = {
      hostNames: async () => ({ values: ['crawl-1.googlebot.com'] }),
      addresses: async () => ({ values: ['198.51.100.77'] }),
    };
    expect((await app.post('/agent-identifications', google('198.51.100.77'))).body).toEqual(VERIFIED);
    dns = { hostNames: () => new Promise(() => undefined), addresses: () => new Promise(() => undefined) };
    const { body } = await app.post('/agent-identifications', [google('198.51.100.78'), google(OF_GOOGLE)]);
    expect(body.map(({ result }: { result: string }) => result)).toEqual(['not_verifiable', 'verified']);
  });
});

it('returns only fields of the interface', async () => {
  const userAgents = ['Googlebot', 'GPTBot/1.2', 'curl/8', 'AdsBot-Google', 'Bytespider', ''];
  const { body } = await app.post(
    '/agent-identifications',
    userAgents.map((userAgent) => ({ request_headers: { 'user-agent': userAgent } })),
  );
  const known = ['result', 'agent_id', 'agent_token', 'agent_url', 'agent_type_name', 'operator_name'];
  for (const item of body) {
    expect(known).toEqual(expect.arrayContaining(Object.keys(item)));
    expect(IDENTIFICATION_RESULTS).toContain(item.result);
    expect(Object.values(item)).not.toContain(null);
  }
});
