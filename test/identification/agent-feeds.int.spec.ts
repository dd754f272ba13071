import { jest } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { agentId, getBundledCatalog, signAgents, type AgentRecord } from '#libs/catalog';
import type { AgentFeed, FeedAgent } from '#libs/contracts';
import { CatalogRepository } from '../../apps/catalog/src/catalog/catalog.repository.js';
import { FeedsRepository } from '../../apps/catalog/src/feeds/feeds.repository.js';
import { FeedsService } from '../../apps/catalog/src/feeds/feeds.service.js';
import { App, type Json } from '../kit/app.js';
import { HttpsServer, createCertificates } from '../kit/https.js';
import { UNAVAILABLE_SOURCES } from '../kit/identifier.js';
import { until } from '../kit/instance.js';
import { readVisits } from '../kit/visit-store.js';

let app: App;
let server: HttpsServer;
let url: string;
let servedDocument: { body: string | Buffer; headers?: Record<string, string>; status?: number };

beforeAll(async () => {
  const certificates = await createCertificates(['DNS:lists.test']);
  server = await HttpsServer.start(certificates, () => undefined);
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  const egress = { allowPrivateAddresses: true, allowedPorts: 'any', ca: certificates.ca, lookup } as const;
  app = await App.start({ sources: UNAVAILABLE_SOURCES, egress, feedsRefreshHours: 24 });
  url = `https://lists.test:${server.port}/agents.json`;
});
beforeEach(() => {
  server.requests.length = 0;
  server.handler = (request, response) => {
    const headers = { etag: `"${servedDocument.body.length}"`, ...servedDocument.headers };
    if (request.headers['if-none-match'] === headers.etag) response.writeHead(304, headers).end();
    else response.writeHead(servedDocument.status ?? 200, headers).end(servedDocument.body);
  };
});
afterEach(async () => {
  for (const { id } of await listFeeds()) await app.api('DELETE', `/agent-feeds/${id}?agents=remove`);
  const remainingAgents = (await app.api('GET', '/agents?search=zyx')).body.agents;
  for (const { id } of remainingAgents) await app.api('DELETE', `/agents/${id}`);
});
afterAll(async () => {
  await app.dispose();
  await server.dispose();
});

const createRecord = (token: string, extra: Partial<AgentRecord> = {}): AgentRecord => ({
  token,
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: [token],
  sample_user_agents: extra.user_agent_patterns ?? [`${token}/1.0`],
  robots_token: token,
  verification: {},
  ...extra,
});
const serveRecords = (...records: object[]): void => void (servedDocument = { body: JSON.stringify(records) });

const listFeeds = async (instance = app): Promise<AgentFeed[]> =>
  (await instance.api('GET', '/agent-feeds')).body.feeds;
const waitUntilRead = (id: string, instance = app): Promise<AgentFeed> =>
  until(async () => (await listFeeds(instance)).find((feed) => feed.id === id && feed.state !== 'waiting'), {
    condition: 'the feed is read',
  });
async function addFeed(extra: object = {}): Promise<AgentFeed> {
  const { status, body } = await app.api('POST', '/agent-feeds', { name: 'Zyx list', url, ...extra });
  expect([status, body]).toMatchObject([201, { state: expect.any(String) }]);
  return waitUntilRead(body.id);
}
async function refreshFeed({ id }: AgentFeed): Promise<AgentFeed> {
  expect((await app.api('POST', `/agent-feeds/${id}/refresh`, {})).status).toBe(200);
  return waitUntilRead(id);
}
const listAgents = async (state = 'proposed'): Promise<FeedAgent[]> =>
  (await app.api('GET', `/agent-proposals?state=${state}`)).body.agents;
const listTokens = async (state = 'proposed'): Promise<string[]> => (await listAgents(state)).map(({ token }) => token);
const acceptAgents = async ({ id }: AgentFeed, ...names: string[]): Promise<Json> => {
  const body = { feed_id: id, ...(names.length > 0 && { agent_ids: names.map(agentId) }) };
  return (await app.api('POST', '/agent-proposals/accept', body)).body;
};
async function identifyToken(userAgent: string): Promise<string | undefined> {
  const { body } = await app.post('/agent-identifications', { request_headers: { 'user-agent': userAgent } });
  return body.agent_token;
}
const getCatalogVersion = async (): Promise<string> => (await app.api('GET', '/agents?limit=1')).body.catalog_version;

it('proposes agents from a feed and adds the accepted ones', async () => {
  serveRecords(
    createRecord('Zyxbot'),
    createRecord('Zyxfetch'),
    createRecord('GPTBot'),
    createRecord('Greedy', { user_agent_patterns: ['Mozilla'] }),
  );
  const versionBefore = await getCatalogVersion();
  const feed = await addFeed();
  expect(feed).toMatchObject({
    state: 'current',
    format: 'agent-traffic',
    fault: null,
    counts: { proposed: 2, known: 1, refused: 1, accepted: 0, dismissed: 0, gone: 0 },
  });
  expect(Date.parse(feed.next_refresh_at!)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  expect(await getCatalogVersion()).toBe(versionBefore);
  expect(await listAgents()).toMatchObject([
    {
      token: 'Zyxbot',
      agent_id: agentId('Zyxbot'),
      feed_name: 'Zyx list',
      is_change: false,
      record: createRecord('Zyxbot'),
    },
    { token: 'Zyxfetch' },
  ]);
  expect(await listAgents('known')).toMatchObject([{ token: 'GPTBot', reason: 'The catalog already has GPTBot.' }]);
  expect(await listAgents('refused')).toMatchObject([
    { token: 'Greedy', reason: expect.stringContaining('ordinary browser') },
  ]);
  expect(await identifyToken('Zyxbot/2.0')).toBeUndefined();

  const acceptedAfter = Date.now();
  expect(await acceptAgents(feed, 'Zyxbot')).toEqual({ decided: 1, refused: [] });
  expect(await identifyToken('Zyxbot/2.0')).toBe('Zyxbot');
  expect(await identifyToken('Zyxfetch/2.0')).toBeUndefined();
  const { body } = await app.api('GET', '/agents/zyxbot');
  expect(body).toMatchObject({
    origin: 'feed',
    is_edited: false,
    feed: { id: feed.id, name: 'Zyx list', url, gone_at: null },
  });
  expect(Date.parse(body.feed.accepted_at)).toBeGreaterThanOrEqual(acceptedAfter);
  const seenAgents = (await app.api('GET', '/seen-agents')).body.agents;
  expect(seenAgents.find((agent: Json) => agent.agent_token === 'Zyxbot')).toMatchObject({
    origin: 'feed',
    feed_name: 'Zyx list',
    is_gone: false,
  });
  expect((await app.api('GET', '/agents?origin=feed')).body.agents).toHaveLength(1);
  expect((await app.api('GET', '/agents/export')).body).toEqual([]);

  expect((await app.api('POST', '/agent-proposals/dismiss', { feed_id: feed.id })).body.decided).toBe(1);
  await refreshFeed(feed);
  expect([await listTokens(), await listTokens('dismissed')]).toEqual([[], ['Zyxfetch']]);
});

it('sends conditional requests on scheduled refreshes and unconditional ones on manual refreshes', async () => {
  serveRecords(createRecord('Zyxbot'));
  const feed = await addFeed();
  await app.database.dataSource.query(`UPDATE agent_feeds SET next_try_at = now()`);
  await app.nest.get(FeedsService).readDue();
  await refreshFeed(feed);
  expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
    undefined,
    `"${servedDocument.body.length}"`,
    undefined,
  ]);
  expect(await listTokens()).toEqual(['Zyxbot']);
});

it('proposes changes to accepted agents and marks agents that the feed no longer contains', async () => {
  serveRecords(createRecord('Zyxbot'), createRecord('Zyxfetch'));
  const feed = await addFeed();
  await acceptAgents(feed);
  serveRecords(createRecord('Zyxbot', { operator: 'Zyx' }));
  expect((await refreshFeed(feed)).counts).toMatchObject({ proposed: 1, accepted: 1, gone: 1 });
  expect(await listAgents()).toMatchObject([{ token: 'Zyxbot', is_change: true, record: { operator: 'Zyx' } }]);
  expect((await app.api('GET', '/agents/Zyxbot')).body.operator).toBeNull();
  expect((await app.api('GET', '/agents/Zyxfetch')).body.feed.gone_at).not.toBeNull();
  expect(await identifyToken('Zyxfetch/2.0')).toBe('Zyxfetch');
  await acceptAgents(feed);
  expect((await app.api('GET', '/agents/Zyxbot')).body.operator).toBe('Zyx');

  serveRecords(createRecord('Zyxbot', { operator: 'Zyx' }), createRecord('Zyxfetch'));
  expect((await refreshFeed(feed)).counts).toMatchObject({ proposed: 0, accepted: 2, gone: 0 });
  expect((await app.api('GET', '/agents/Zyxfetch')).body.feed.gone_at).toBeNull();
  // An invalid change is reported but not applied.
  serveRecords(createRecord('Zyxbot', { user_agent_patterns: ['Mozilla'] }), createRecord('Zyxfetch'));
  expect((await refreshFeed(feed)).counts).toMatchObject({ proposed: 0, accepted: 2 });
  expect((await app.api('GET', '/agents/Zyxbot')).body.user_agent_patterns).toEqual(['Zyxbot']);
  expect(await listAgents('accepted')).toMatchObject([
    { reason: expect.stringContaining('browser') },
    { reason: null },
  ]);
});

it('accepts all valid agents from a feed with accepts_all', async () => {
  serveRecords(createRecord('Zyxbot'), createRecord('Greedy', { user_agent_patterns: ['Mozilla'] }));
  const feed = await addFeed({ accepts_all: true });
  await until(async () => (await identifyToken('Zyxbot/2.0')) === 'Zyxbot', { condition: 'Zyxbot is accepted' });
  expect(await identifyToken('Mozilla/5.0')).toBeUndefined();
  serveRecords(createRecord('Zyxbot'), createRecord('Zyxfetch'));
  await refreshFeed(feed);
  await until(async () => (await identifyToken('Zyxfetch/2.0')) === 'Zyxfetch', { condition: 'Zyxfetch is accepted' });
  // A refresh must not restore agents that were deleted from the catalog.
  expect((await app.api('DELETE', '/agents/Zyxfetch')).status).toBe(204);
  await refreshFeed(feed);
  await refreshFeed(feed);
  expect(await identifyToken('Zyxfetch/2.0')).toBeUndefined();
  expect(await listTokens('dismissed')).toEqual(['Zyxfetch']);
});

it('gives custom agents and edits precedence over agents from feeds', async () => {
  serveRecords(createRecord('Zyxbot'), createRecord('Zyxfetch'));
  const feed = await addFeed();
  await app.api('POST', '/agents', createRecord('Zyxbot', { operator: 'Mine' }));
  expect(await acceptAgents(feed)).toEqual({
    decided: 1,
    refused: [{ token: 'Zyxbot', reason: 'The catalog already has Zyxbot.' }],
  });
  expect((await app.api('GET', '/agents/Zyxbot')).body).toMatchObject({ origin: 'own', operator: 'Mine' });
  await app.api('DELETE', '/agents/Zyxbot');
  await app.api('PUT', '/agents/Zyxfetch', createRecord('Zyxfetch', { operator: 'Edited' }));
  expect((await app.api('GET', '/agents/Zyxfetch')).body).toMatchObject({ origin: 'feed', is_edited: true });
  serveRecords(createRecord('Zyxfetch', { operator: 'Changed' }));
  await refreshFeed(feed);
  expect((await app.api('GET', '/agents/Zyxfetch')).body.operator).toBe('Edited');
  expect((await app.api('DELETE', '/agents/Zyxfetch')).status).toBe(204);
  expect((await app.api('GET', '/agents/Zyxfetch')).body).toMatchObject({ operator: null, is_edited: false });
});

it('stops proposing agents already accepted from another feed', async () => {
  serveRecords(createRecord('Zyxbot'));
  const feed = await addFeed();
  await addFeed({ name: 'Zyx list, too' });
  expect(await listTokens()).toEqual(['Zyxbot', 'Zyxbot']);
  await acceptAgents(feed);
  expect([await listTokens(), await listAgents('known')]).toMatchObject([
    [],
    [{ token: 'Zyxbot', feed_name: 'Zyx list, too', reason: 'The catalog already has it from another feed.' }],
  ]);
});

it('rejects duplicate feed names and more than 100 feeds', async () => {
  const tryToAdd = async (name: string): Promise<unknown> => {
    const { status, body } = await app.api('POST', '/agent-feeds', { name, document: '[]' });
    return [status, body.detail];
  };
  serveRecords(createRecord('Zyxbot'));
  await addFeed();
  expect(await tryToAdd('ZYX list')).toEqual([
    409,
    'A feed named ZYX list already exists. Choose another name, or change that feed.',
  ]);
  await app.database.dataSource.query(
    `INSERT INTO agent_feeds (name, document, accepts_all, requested_at)
     SELECT 'Many ' || n, '[]', false, NULL FROM generate_series(2, 100) n`,
  );
  expect(await tryToAdd('Another')).toEqual([409, 'An instance can have up to 100 feeds. Remove one first.']);
  await app.database.dataSource.query(`DELETE FROM agent_feeds WHERE name LIKE 'Many %'`);
});

it('reads feeds from uploaded documents and keeps their agents after the feed is deleted', async () => {
  const document = JSON.stringify([{ pattern: 'Zyx(Bot|Spider)', instances: ['ZyxBot/1.0'], tags: ['seo'] }]);
  const feed = await addFeed({ url: undefined, document });
  expect(feed).toMatchObject({ url: null, format: 'crawler-user-agents', next_refresh_at: null });
  await acceptAgents(feed);
  const next = JSON.stringify({ 'Zyx-AI': { operator: 'Zyx', respect: 'Yes', function: 'AI Agents' } });
  expect((await app.api('PATCH', `/agent-feeds/${feed.id}`, { document: next, name: 'Other' })).status).toBe(200);
  expect(await waitUntilRead(feed.id)).toMatchObject({
    name: 'Other',
    format: 'ai.robots.txt',
    counts: { proposed: 1, gone: 1 },
  });
  expect((await app.api('DELETE', `/agent-feeds/${feed.id}`)).status).toBe(204);
  expect((await app.api('GET', '/agents/ZyxBot')).body.feed).toMatchObject({ id: null, name: 'Zyx list' });
  expect((await app.api('DELETE', '/agents/ZyxBot')).status).toBe(204);
});

it('rejects unsigned documents and documents older than the last one if the feed has a key', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const sign = (token: string, time: number): string =>
    JSON.stringify(signAgents(JSON.stringify([createRecord(token)]), privateKey, time));
  const [earlier, now] = [Date.now() - 86_400_000, Date.now()];
  servedDocument = { body: sign('Zyxbot', now) };
  const feed = await addFeed({ public_key: publicKey });
  expect(Date.parse(feed.signed_at!)).toBe(Math.floor(now / 1_000) * 1_000);
  expect(await listTokens()).toEqual(['Zyxbot']);
  serveRecords(createRecord('Zyxfetch'));
  expect(await refreshFeed(feed)).toMatchObject({
    state: 'failed',
    fault: expect.stringContaining('The document is not signed'),
  });
  servedDocument = { body: sign('Zyxfetch', earlier) };
  expect((await refreshFeed(feed)).fault).toContain('The document was signed at');
  expect(await listTokens()).toEqual(['Zyxbot']);
});

it('reports an unexpected error in a feed and recovers from it', async () => {
  serveRecords(createRecord('Zyxbot'));
  const acceptedSpy = jest.spyOn(app.nest.get(FeedsRepository), 'findAcceptedIds');
  acceptedSpy.mockRejectedValueOnce(new RangeError('Maximum call stack size exceeded'));
  const feed = await addFeed();
  acceptedSpy.mockRestore();
  expect(feed).toMatchObject({
    state: 'failed',
    fault: expect.stringContaining(
      "The feed could not be read: Maximum call stack size exceeded. See the catalog service's log",
    ),
  });
  expect(await refreshFeed(feed)).toMatchObject({ state: 'current', fault: null, counts: { proposed: 1 } });
});

describe('hostile feeds', () => {
  const manyRecords = Array.from({ length: 100_000 }, (_, index) => createRecord(`Zyx${index}`));
  it.each<[string, () => typeof servedDocument, string]>([
    ['10 MB', () => ({ body: `[${' '.repeat(10_000_000)}]` }), 'larger than 5000000 bytes'],
    ['100,000 agents', () => ({ body: JSON.stringify(manyRecords) }), 'larger than'],
    [
      '100,000 small agents',
      () => ({ body: JSON.stringify(manyRecords.map(({ token }) => ({ pattern: token }))) }),
      'The document has 100,000 agents, but the maximum is 10,000.',
    ],
    ['deep nesting', () => ({ body: `[{"token":"a","sources":${'['.repeat(50_000)}` }), 'nested more than 20 levels'],
    ['UTF-16', () => ({ body: Buffer.from('\ufeff[{"token":"Zyxbot"}]', 'utf16le') }), 'The document is not UTF-8.'],
    ['a compressed response', () => ({ body: 'x', headers: { 'content-encoding': 'gzip' } }), 'content encoding: gzip'],
    [
      'an HTML page',
      () => ({ body: '<!doctype html>' }),
      'The document is not valid JSON. Check that it is the file itself',
    ],
    [
      'a redirect to a private address',
      () => ({ body: '', status: 302, headers: { location: 'http://169.254.169.254/' } }),
      'redirects are not followed. Enter the URL that it redirects to.',
    ],
    ['a server error', () => ({ body: '', status: 500 }), 'status 500'],
  ])('rejects the entire document: %s', async (_what, createDocument, reason) => {
    servedDocument = createDocument();
    const versionBefore = await getCatalogVersion();
    const feed = await addFeed();
    expect(feed).toMatchObject({ state: 'failed', fault: expect.stringContaining(reason) });
    expect(feed.counts).toMatchObject({ proposed: 0, refused: 0 });
    expect(await getCatalogVersion()).toBe(versionBefore);
    // The rejected document must not affect the next one.
    serveRecords(createRecord('Zyxbot'));
    expect(await refreshFeed(feed)).toMatchObject({ state: 'current', fault: null, counts: { proposed: 1 } });
  });

  it('rejects invalid agents individually', async () => {
    const patterns = ['.*', '(a+)+$', 'Zyx\0', 'x'.repeat(501), '[a-z]{1,1000}[a-z]{1,1000}zyx', 'Chrome', 'bot'];
    serveRecords(
      ...patterns.map((pattern, index) => createRecord(`Evil ${index}`, { user_agent_patterns: [pattern] })),
      createRecord('Zyxbot'),
    );
    const feed = await addFeed({ accepts_all: true });
    await until(async () => (await identifyToken('Zyxbot/1.0')) === 'Zyxbot', {
      condition: 'the valid agent is accepted',
    });
    expect(feed.counts.refused).toBe(patterns.length);
    expect((await listAgents('refused')).every(({ reason }) => reason !== null)).toBe(true);
  });

  it.each([
    ['neither an address nor a document', {}, { pointer: '/url', detail: 'is required, unless document is set' }],
    [
      'both an address and a document',
      { url: 'https://lists.example/x.json', document: '[]' },
      { pointer: '/document', detail: 'must be omitted if url is set' },
    ],
  ])('rejects a feed with %s', async (_, members, fault) => {
    const { status, body } = await app.api('POST', '/agent-feeds', { name: 'Unclear', ...members });
    expect([status, body.errors]).toEqual([422, [fault]]);
  });

  it('does not fetch feeds from private addresses', async () => {
    const publicApp = await App.start({ sources: UNAVAILABLE_SOURCES });
    for (const [index, address] of ['https://10.0.0.1/x.json', 'https://localhost/x.json', `${url}`].entries()) {
      const { body } = await publicApp.api('POST', '/agent-feeds', { name: `Feed ${index}`, url: address });
      expect(await waitUntilRead(body.id, publicApp)).toMatchObject({
        state: 'failed',
        fault: expect.stringContaining('Enter an https URL on port 443'),
      });
    }
    const httpFeed = await publicApp.api('POST', '/agent-feeds', { name: 'x', url: 'http://lists.example/' });
    expect([httpFeed.status, httpFeed.body.errors]).toMatchObject([422, [{ pointer: '/url' }]]);
    await publicApp.dispose();
  });
});

it('counts the unknown visits that each proposed agent would match', async () => {
  serveRecords(createRecord('Zyxbot'), createRecord('Zyxfetch'));
  const feed = await addFeed();
  const visit = (userAgent: string) => ({
    request_path: '/',
    request_method: 'GET',
    request_headers: { 'User-Agent': userAgent },
  });
  const visits = ['Zyxbot/1.0', 'Mozilla/5.0 zyxbot', 'Somebody'].map(visit);
  const postResponse = await app.post('/visits', visits, { authorization: `Bearer ${app.accessToken}` });
  expect(postResponse.status).toBe(204);
  await until(async () => (await readVisits(app.database.dataSource)).length === 3, {
    condition: 'the visits are stored',
  });
  const { body } = await app.api('GET', '/agent-proposals/visits');
  expect(body).toMatchObject({
    read: 3,
    is_estimate: false,
    proposals: [{ feed_id: feed.id, agent_id: agentId('Zyxbot'), visits: 2 }],
  });
});

// Must run last, because it replaces the catalog.
it('replaces feed agents with matching agents from a new release', async () => {
  serveRecords(createRecord('Zyxbot'), createRecord('Zyxfetch'), createRecord('Zyxother'));
  const feed = await addFeed();
  await acceptAgents(feed);
  const release = [
    ...getBundledCatalog().agents.slice(0, 5),
    createRecord('zyxBOT'),
    createRecord('Other', { user_agent_patterns: ['Zyxfetch'] }),
  ];
  await app.nest.get(CatalogRepository).storeBundled('next', release);
  const rows: Json[] = await app.database.dataSource.query(
    `SELECT record ->> 'token' AS token, bundled IS NULL AS is_from_feed FROM agents
     WHERE record ->> 'token' ~* 'zyx|other' ORDER BY 1`,
  );
  expect(rows).toEqual([
    { token: 'Other', is_from_feed: false },
    { token: 'Zyxother', is_from_feed: true },
    { token: 'zyxBOT', is_from_feed: false },
  ]);
});
