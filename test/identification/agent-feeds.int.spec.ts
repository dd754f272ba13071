import { jest } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { agentId, bundledCatalog, signAgents, type AgentRecord } from '#libs/catalog';
import type { AgentFeed, FeedAgent } from '#libs/contracts';
import { CatalogRepository } from '../../apps/catalog/src/catalog/catalog.repository.js';
import { FeedsRepository } from '../../apps/catalog/src/feeds/feeds.repository.js';
import { FeedsService } from '../../apps/catalog/src/feeds/feeds.service.js';
import { App, type Json } from '../kit/app.js';
import { HttpsServer, makeCertificates } from '../kit/https.js';
import { NO_SOURCES } from '../kit/identifier.js';
import { until } from '../kit/instance.js';

let app: App;
let server: HttpsServer;
let url: string;
let served: { body: string | Buffer; headers?: Record<string, string>; status?: number };

beforeAll(async () => {
  const certificates = await makeCertificates(['DNS:lists.test']);
  server = await HttpsServer.start(certificates, () => undefined);
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  const egress = { allowPrivateAddresses: true, allowedPorts: 'any', ca: certificates.ca, lookup } as const;
  app = await App.start({ sources: NO_SOURCES, egress, feedsRefreshHours: 24 });
  url = `https://lists.test:${server.port}/agents.json`;
});
beforeEach(() => {
  server.requests.length = 0;
  server.answer = (request, response) => {
    const headers = { etag: `"${served.body.length}"`, ...served.headers };
    if (request.headers['if-none-match'] === headers.etag) response.writeHead(304, headers).end();
    else response.writeHead(served.status ?? 200, headers).end(served.body);
  };
});
afterEach(async () => {
  for (const { id } of await feeds()) await app.api('DELETE', `/agent-feeds/${id}?agents=remove`);
  const left = (await app.api('GET', '/agents?search=zyx')).body.agents;
  for (const { id } of left) await app.api('DELETE', `/agents/${id}`);
});
afterAll(async () => {
  await app.dispose();
  await server.dispose();
});

const record = (token: string, extra: Partial<AgentRecord> = {}): AgentRecord => ({
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
const serve = (...records: object[]): void => void (served = { body: JSON.stringify(records) });

const feeds = async (): Promise<AgentFeed[]> => (await app.api('GET', '/agent-feeds')).body.feeds;
const read = (id: string): Promise<AgentFeed> =>
  until(async () => (await feeds()).find((feed) => feed.id === id && feed.state !== 'waiting'), {
    what: 'the feed is read',
  });
async function add(extra: object = {}): Promise<AgentFeed> {
  const { status, body } = await app.api('POST', '/agent-feeds', { name: 'Zyx list', url, ...extra });
  expect([status, body]).toMatchObject([201, { state: expect.any(String) }]);
  return read(body.id);
}
async function refresh({ id }: AgentFeed): Promise<AgentFeed> {
  expect((await app.api('POST', `/agent-feeds/${id}/refresh`, {})).status).toBe(200);
  return read(id);
}
const agents = async (state = 'proposed'): Promise<FeedAgent[]> =>
  (await app.api('GET', `/agent-proposals?state=${state}`)).body.agents;
const tokens = async (state = 'proposed'): Promise<string[]> => (await agents(state)).map(({ token }) => token);
const accept = async ({ id }: AgentFeed, ...names: string[]): Promise<Json> => {
  const body = { feed_id: id, ...(names.length > 0 && { agent_ids: names.map(agentId) }) };
  return (await app.api('POST', '/agent-proposals/accept', body)).body;
};
async function identified(userAgent: string): Promise<string | undefined> {
  const { body } = await app.post('/agent-identifications', { request_headers: { 'user-agent': userAgent } });
  return body.agent_token;
}
const version = async (): Promise<string> => (await app.api('GET', '/agents?limit=1')).body.catalog_version;

it('proposes the agents of a feed and adds those that are accepted', async () => {
  serve(record('Zyxbot'), record('Zyxfetch'), record('GPTBot'), record('Greedy', { user_agent_patterns: ['Mozilla'] }));
  const before = await version();
  const feed = await add();
  expect(feed).toMatchObject({
    state: 'current',
    format: 'agent-traffic',
    fault: null,
    counts: { proposed: 2, known: 1, refused: 1, accepted: 0, dismissed: 0, gone: 0 },
  });
  expect(Date.parse(feed.next_refresh_at!)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  expect(await version()).toBe(before);
  expect(await agents()).toMatchObject([
    { token: 'Zyxbot', agent_id: agentId('Zyxbot'), feed_name: 'Zyx list', is_change: false, record: record('Zyxbot') },
    { token: 'Zyxfetch' },
  ]);
  expect(await agents('known')).toMatchObject([{ token: 'GPTBot', reason: 'The catalog has GPTBot already.' }]);
  expect(await agents('refused')).toMatchObject([
    { token: 'Greedy', reason: expect.stringContaining("person's browser") },
  ]);
  expect(await identified('Zyxbot/2.0')).toBeUndefined();

  const asked = Date.now();
  expect(await accept(feed, 'Zyxbot')).toEqual({ decided: 1, refused: [] });
  expect(await identified('Zyxbot/2.0')).toBe('Zyxbot');
  expect(await identified('Zyxfetch/2.0')).toBeUndefined();
  const { body } = await app.api('GET', '/agents/zyxbot');
  expect(body).toMatchObject({
    origin: 'feed',
    is_edited: false,
    feed: { id: feed.id, name: 'Zyx list', url, gone_at: null },
  });
  expect(Date.parse(body.feed.accepted_at)).toBeGreaterThanOrEqual(asked);
  const seen = (await app.api('GET', '/seen-agents')).body.agents;
  expect(seen.find((agent: Json) => agent.agent_token === 'Zyxbot')).toMatchObject({
    origin: 'feed',
    feed_name: 'Zyx list',
    is_gone: false,
  });
  expect((await app.api('GET', '/agents?origin=feed')).body.agents).toHaveLength(1);
  expect((await app.api('GET', '/agents/export')).body).toEqual([]);

  expect((await app.api('POST', '/agent-proposals/dismiss', { feed_id: feed.id })).body.decided).toBe(1);
  await refresh(feed);
  expect([await tokens(), await tokens('dismissed')]).toEqual([[], ['Zyxfetch']]);
});

it('sends conditional requests on schedule and unconditional ones on demand', async () => {
  serve(record('Zyxbot'));
  const feed = await add();
  await app.database.dataSource.query(`UPDATE agent_feeds SET next_try_at = now()`);
  await app.nest.get(FeedsService).readDue();
  await refresh(feed);
  expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
    undefined,
    `"${served.body.length}"`,
    undefined,
  ]);
  expect(await tokens()).toEqual(['Zyxbot']);
});

it('proposes changes of accepted agents, and marks agents that are gone', async () => {
  serve(record('Zyxbot'), record('Zyxfetch'));
  const feed = await add();
  await accept(feed);
  serve(record('Zyxbot', { operator: 'Zyx' }));
  expect((await refresh(feed)).counts).toMatchObject({ proposed: 1, accepted: 1, gone: 1 });
  expect(await agents()).toMatchObject([{ token: 'Zyxbot', is_change: true, record: { operator: 'Zyx' } }]);
  expect((await app.api('GET', '/agents/Zyxbot')).body.operator).toBeNull();
  expect((await app.api('GET', '/agents/Zyxfetch')).body.feed.gone_at).not.toBeNull();
  expect(await identified('Zyxfetch/2.0')).toBe('Zyxfetch');
  await accept(feed);
  expect((await app.api('GET', '/agents/Zyxbot')).body.operator).toBe('Zyx');

  serve(record('Zyxbot', { operator: 'Zyx' }), record('Zyxfetch'));
  expect((await refresh(feed)).counts).toMatchObject({ proposed: 0, accepted: 2, gone: 0 });
  expect((await app.api('GET', '/agents/Zyxfetch')).body.feed.gone_at).toBeNull();
  // An invalid change leaves the agent unchanged and is reported.
  serve(record('Zyxbot', { user_agent_patterns: ['Mozilla'] }), record('Zyxfetch'));
  expect((await refresh(feed)).counts).toMatchObject({ proposed: 0, accepted: 2 });
  expect((await app.api('GET', '/agents/Zyxbot')).body.user_agent_patterns).toEqual(['Zyxbot']);
  expect(await agents('accepted')).toMatchObject([{ reason: expect.stringContaining('browser') }, { reason: null }]);
});

it('accepts all valid agents of a feed if configured', async () => {
  serve(record('Zyxbot'), record('Greedy', { user_agent_patterns: ['Mozilla'] }));
  const feed = await add({ accepts_all: true });
  await until(async () => (await identified('Zyxbot/2.0')) === 'Zyxbot', { what: 'it is accepted' });
  expect(await identified('Mozilla/5.0')).toBeUndefined();
  serve(record('Zyxbot'), record('Zyxfetch'));
  await refresh(feed);
  await until(async () => (await identified('Zyxfetch/2.0')) === 'Zyxfetch', { what: 'the new one is accepted' });
  // Agents removed from the catalog must not return.
  expect((await app.api('DELETE', '/agents/Zyxfetch')).status).toBe(204);
  await refresh(feed);
  await refresh(feed);
  expect(await identified('Zyxfetch/2.0')).toBeUndefined();
  expect(await tokens('dismissed')).toEqual(['Zyxfetch']);
});

it('prefers custom agents and edits over the agents of feeds', async () => {
  serve(record('Zyxbot'), record('Zyxfetch'));
  const feed = await add();
  await app.api('POST', '/agents', record('Zyxbot', { operator: 'Mine' }));
  expect(await accept(feed)).toEqual({
    decided: 1,
    refused: [{ token: 'Zyxbot', reason: 'The catalog has Zyxbot already.' }],
  });
  expect((await app.api('GET', '/agents/Zyxbot')).body).toMatchObject({ origin: 'own', operator: 'Mine' });
  await app.api('DELETE', '/agents/Zyxbot');
  await app.api('PUT', '/agents/Zyxfetch', record('Zyxfetch', { operator: 'Edited' }));
  expect((await app.api('GET', '/agents/Zyxfetch')).body).toMatchObject({ origin: 'feed', is_edited: true });
  serve(record('Zyxfetch', { operator: 'Changed' }));
  await refresh(feed);
  expect((await app.api('GET', '/agents/Zyxfetch')).body.operator).toBe('Edited');
  expect((await app.api('DELETE', '/agents/Zyxfetch')).status).toBe(204);
  expect((await app.api('GET', '/agents/Zyxfetch')).body).toMatchObject({ operator: null, is_edited: false });
});

it('stops proposing agents that were accepted from another feed', async () => {
  serve(record('Zyxbot'));
  const feed = await add();
  await add({ name: 'Zyx list, too' });
  expect(await tokens()).toEqual(['Zyxbot', 'Zyxbot']);
  await accept(feed);
  expect([await tokens(), await agents('known')]).toMatchObject([
    [],
    [{ token: 'Zyxbot', feed_name: 'Zyx list, too', reason: 'The catalog has it already, from another feed.' }],
  ]);
});

it('rejects duplicate names and more than 100 feeds', async () => {
  const refusal = async (name: string): Promise<unknown> => {
    const { status, body } = await app.api('POST', '/agent-feeds', { name, document: '[]' });
    return [status, body.detail];
  };
  serve(record('Zyxbot'));
  await add();
  expect(await refusal('ZYX list')).toEqual([
    409,
    'A feed named ZYX list already exists. Choose another name, or change that feed.',
  ]);
  await app.database.dataSource.query(
    `INSERT INTO agent_feeds (name, document, accepts_all, requested_at)
     SELECT 'Many ' || n, '[]', false, NULL FROM generate_series(2, 100) n`,
  );
  expect(await refusal('Another')).toEqual([409, 'An instance can have 100 feeds. Remove one first.']);
  await app.database.dataSource.query(`DELETE FROM agent_feeds WHERE name LIKE 'Many %'`);
});

it('reads feeds from documents, and retains their agents when the feed is deleted', async () => {
  const document = JSON.stringify([{ pattern: 'Zyx(Bot|Spider)', instances: ['ZyxBot/1.0'], tags: ['seo'] }]);
  const feed = await add({ url: undefined, document });
  expect(feed).toMatchObject({ url: null, format: 'crawler-user-agents', next_refresh_at: null });
  await accept(feed);
  const next = JSON.stringify({ 'Zyx-AI': { operator: 'Zyx', respect: 'Yes', function: 'AI Agents' } });
  expect((await app.api('PATCH', `/agent-feeds/${feed.id}`, { document: next, name: 'Other' })).status).toBe(200);
  expect(await read(feed.id)).toMatchObject({
    name: 'Other',
    format: 'ai.robots.txt',
    counts: { proposed: 1, gone: 1 },
  });
  expect((await app.api('DELETE', `/agent-feeds/${feed.id}`)).status).toBe(204);
  expect((await app.api('GET', '/agents/ZyxBot')).body.feed).toMatchObject({ id: null, name: 'Zyx list' });
  expect((await app.api('DELETE', '/agents/ZyxBot')).status).toBe(204);
});

it("accepts only documents signed with the feed's key, and none older than the last one", async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const sign = (token: string, time: number): string =>
    JSON.stringify(signAgents(JSON.stringify([record(token)]), privateKey, time));
  const [earlier, now] = [Date.now() - 86_400_000, Date.now()];
  served = { body: sign('Zyxbot', now) };
  const feed = await add({ public_key: publicKey });
  expect(Date.parse(feed.signed_at!)).toBe(Math.floor(now / 1_000) * 1_000);
  expect(await tokens()).toEqual(['Zyxbot']);
  serve(record('Zyxfetch'));
  expect(await refresh(feed)).toMatchObject({ state: 'failed', fault: expect.stringContaining('It is not signed') });
  served = { body: sign('Zyxfetch', earlier) };
  expect((await refresh(feed)).fault).toContain('It was signed at');
  expect(await tokens()).toEqual(['Zyxbot']);
});

it('reports an unexpected error while reading a feed, and recovers', async () => {
  serve(record('Zyxbot'));
  const unexpected = jest.spyOn(app.nest.get(FeedsRepository), 'acceptedFrom');
  unexpected.mockRejectedValueOnce(new RangeError('Maximum call stack size exceeded'));
  const feed = await add();
  unexpected.mockRestore();
  expect(feed).toMatchObject({
    state: 'failed',
    fault: expect.stringContaining('The feed could not be read: Maximum call stack size exceeded. The log'),
  });
  expect(await refresh(feed)).toMatchObject({ state: 'current', fault: null, counts: { proposed: 1 } });
});

describe('hostile feeds', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => record(`Zyx${index}`));
  it.each<[string, () => typeof served, string]>([
    ['10 MB', () => ({ body: `[${' '.repeat(10_000_000)}]` }), 'larger than 5000000 bytes'],
    ['100,000 agents', () => ({ body: JSON.stringify(many) }), 'larger than'],
    [
      '100,000 small agents',
      () => ({ body: JSON.stringify(many.map(({ token }) => ({ pattern: token }))) }),
      'It has 100,000 agents, more than 10,000.',
    ],
    ['deep nesting', () => ({ body: `[{"token":"a","sources":${'['.repeat(50_000)}` }), 'nested more than 20 levels'],
    ['another encoding', () => ({ body: Buffer.from('\ufeff[{"token":"Zyxbot"}]', 'utf16le') }), 'It is not UTF-8.'],
    ['compression', () => ({ body: 'x', headers: { 'content-encoding': 'gzip' } }), 'encoded: gzip'],
    ['a page', () => ({ body: '<!doctype html>' }), 'It is not JSON. Check that it is the file itself'],
    [
      'a redirect to a private address',
      () => ({ body: '', status: 302, headers: { location: 'http://169.254.169.254/' } }),
      'redirects are not followed. Enter the address that it redirects to.',
    ],
    ['a fault of the server', () => ({ body: '', status: 500 }), 'status 500'],
  ])('rejects the entire feed: %s', async (_what, answer, reason) => {
    served = answer();
    const before = await version();
    const feed = await add();
    expect(feed).toMatchObject({ state: 'failed', fault: expect.stringContaining(reason) });
    expect(feed.counts).toMatchObject({ proposed: 0, refused: 0 });
    expect(await version()).toBe(before);
    // A rejected document leaves nothing behind, so a valid one is read normally.
    serve(record('Zyxbot'));
    expect(await refresh(feed)).toMatchObject({ state: 'current', fault: null, counts: { proposed: 1 } });
  });

  it('rejects invalid agents individually', async () => {
    const patterns = ['.*', '(a+)+$', 'Zyx\0', 'x'.repeat(501), '[a-z]{1,1000}[a-z]{1,1000}zyx', 'Chrome', 'bot'];
    serve(
      ...patterns.map((pattern, index) => record(`Evil ${index}`, { user_agent_patterns: [pattern] })),
      record('Zyxbot'),
    );
    const feed = await add({ accepts_all: true });
    await until(async () => (await identified('Zyxbot/1.0')) === 'Zyxbot', { what: 'the good one is accepted' });
    expect(feed.counts.refused).toBe(patterns.length);
    expect((await agents('refused')).every(({ reason }) => reason !== null)).toBe(true);
  });

  it('does not fetch feeds from private addresses', async () => {
    const outside = await App.start({ sources: NO_SOURCES });
    for (const [index, address] of ['https://10.0.0.1/x.json', 'https://localhost/x.json', `${url}`].entries()) {
      const { body } = await outside.api('POST', '/agent-feeds', { name: `Feed ${index}`, url: address });
      await until(
        async () => {
          const { feeds: all } = (await outside.api('GET', '/agent-feeds')).body;
          return all
            .find((feed: AgentFeed) => feed.id === body.id)
            .fault?.includes('Enter an https address on port 443');
        },
        { what: `${address} is refused` },
      );
    }
    const wrong = await outside.api('POST', '/agent-feeds', { name: 'x', url: 'http://lists.example/' });
    expect([wrong.status, wrong.body.errors]).toMatchObject([422, [{ pointer: '/url' }]]);
    await outside.dispose();
  });
});

it('counts the visits of unknown visitors that proposals would match', async () => {
  serve(record('Zyxbot'), record('Zyxfetch'));
  const feed = await add();
  const visit = (userAgent: string) => ({
    request_path: '/',
    request_method: 'GET',
    request_headers: { 'User-Agent': userAgent },
  });
  const visits = ['Zyxbot/1.0', 'Mozilla/5.0 zyxbot', 'Somebody'].map(visit);
  const posted = await app.post('/visits', visits, { authorization: `Bearer ${app.accessToken}` });
  expect(posted.status).toBe(204);
  await until(
    async () =>
      (await app.database.dataSource.query(`SELECT id FROM unknown_visits WHERE project_id IS NOT NULL`)).length === 3,
    { what: 'the visits are stored' },
  );
  const { body } = await app.api('GET', '/agent-proposals/visits');
  expect(body).toMatchObject({
    read: 3,
    is_estimate: false,
    proposals: [{ feed_id: feed.id, agent_id: agentId('Zyxbot'), visits: 2 }],
  });
});

// Must run last, because it replaces the catalog.
it('replaces agents of feeds with those of a release that match them', async () => {
  serve(record('Zyxbot'), record('Zyxfetch'), record('Zyxother'));
  const feed = await add();
  await accept(feed);
  const release = [
    ...bundledCatalog().agents.slice(0, 5),
    record('zyxBOT'),
    record('Other', { user_agent_patterns: ['Zyxfetch'] }),
  ];
  await app.nest.get(CatalogRepository).seed('next', release);
  const rows: Json[] = await app.database.dataSource.query(
    `SELECT coalesce(own, bundled, feed) ->> 'token' AS token, bundled IS NULL AS is_from_feed FROM agents
     WHERE coalesce(own, bundled, feed) ->> 'token' ~* 'zyx|other' ORDER BY 1`,
  );
  expect(rows).toEqual([
    { token: 'Other', is_from_feed: false },
    { token: 'Zyxother', is_from_feed: true },
    { token: 'zyxBOT', is_from_feed: false },
  ]);
});
