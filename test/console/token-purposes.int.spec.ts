import { PUBLIC_INTERFACE, TOKEN_PURPOSES, type TokenPurpose } from '#libs/contracts';
import { App } from '../kit/app.js';

const AGENT = { request_headers: { 'user-agent': 'GPTBot/1.2' }, request_method: 'GET', request_path: '/' };
const BODIES: Record<string, unknown> = {
  recordVisits: AGENT,
  identifyAgents: [{ ...AGENT, id: 'a' }],
  verifyAgent: AGENT,
  generateRobotsTxt: { agent_types: ['AI Data Scraper'], disallow: '/' },
  listUserAgentTokens: { agent_types: ['AI Data Scraper'] },
  receiveDrain: [],
};

let app: App;
let project: string;
const tokens = new Map<TokenPurpose | 'all', string>();

beforeAll(async () => {
  app = await App.start();
  project = `/projects/${(await app.api('POST', '/projects', { name: 'Purposes' })).body.id}`;
  for (const purpose of TOKEN_PURPOSES) {
    const { body } = await app.api('POST', `${project}/tokens`, { name: purpose, purposes: [purpose] });
    expect(body.purposes).toEqual([purpose]);
    tokens.set(purpose, body.token);
  }
  tokens.set('all', (await app.api('POST', `${project}/tokens`, { name: 'all' })).body.token);
});
afterAll(() => app?.dispose());

const operations = PUBLIC_INTERFACE.operations.filter(({ access }) => access === 'token');

it('declares a purpose for each operation that requires a token', () => {
  expect(operations.length).toBeGreaterThan(6);
  expect(new Set(operations.map(({ purpose }) => purpose))).toEqual(new Set(TOKEN_PURPOSES));
});

it.each(operations.map((operation) => [operation.id, operation] as const))(
  'accepts only tokens with the required purpose in %s',
  async (id, { method, path, purpose }) => {
    for (const [tokenPurpose, token] of tokens) {
      const headers = {
        authorization: `Bearer ${token}`,
        'user-agent': 'GPTBot/1.2',
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-uri': '/',
      };
      const url = path.replace('{source}', 'json');
      const { status, body } = await app.send(method.toUpperCase() as 'POST', url, BODIES[id], headers);
      if (tokenPurpose === 'all' || tokenPurpose === purpose)
        expect([id, tokenPurpose, status < 300]).toEqual([id, tokenPurpose, true]);
      else {
        expect([id, tokenPurpose, status, body.detail]).toEqual([
          id,
          tokenPurpose,
          // Proxies would pass a 403 on to all visitors.
          purpose === 'forward' ? 401 : 403,
          `This request requires an access token with the purpose "${purpose}" (got "${tokenPurpose}"). Create one in the project's settings.`,
        ]);
      }
    }
  },
);

it('lists purposes, and rejects unknown, duplicate, and missing ones', async () => {
  const { tokens: listed } = (await app.api('GET', `${project}/tokens`)).body;
  expect(listed.at(-1)).toMatchObject({ name: 'all', purposes: TOKEN_PURPOSES });
  for (const purposes of [[], ['admin'], ['ask', 'ask'], 'ask']) {
    expect((await app.api('POST', `${project}/tokens`, { purposes })).status).toBe(422);
  }
});

it('grants all purposes to the initial token', async () => {
  const { purposes } = (
    await app.api('GET', `/projects/${(await app.api('GET', '/projects')).body.projects[0].id}/tokens`)
  ).body.tokens[0];
  expect(purposes).toEqual(TOKEN_PURPOSES);
});
