import { AGENT_TYPES } from '#libs/contracts';
import { App, type TestResponse } from '../kit/app.js';

const PATHS = ['/robots-txts', '/user-agent-token-lists'];
const SCRAPERS = { agent_types: ['Scraper'] };

let app: App;
beforeAll(async () => {
  app = await App.start();
});
afterAll(() => app?.dispose());

const requestRobotsTxt = (body: object): Promise<TestResponse> => app.post('/robots-txts', body);
const requestTokens = async (body: object): Promise<string[]> => (await app.post('/user-agent-token-lists', body)).body;

it('returns robots.txt as plain text with LF line endings', async () => {
  const { status, headers, text } = await requestRobotsTxt({ agent_types: AGENT_TYPES });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^(?:User-agent: [^\s][^\r\n]*\nDisallow: \/\n\n)*User-agent: [^\s][^\r\n]*\nDisallow: \/\n$/);
  const tokens = [...text.matchAll(/^User-agent: (.*)$/gm)].map(([, token]) => token!.toLowerCase());
  expect(new Set(tokens).size).toBe(tokens.length);
  expect(tokens).toEqual(tokens.toSorted());
  expect(tokens).toContain('gptbot');
  const empty = await requestRobotsTxt({ agent_types: [] });
  expect([empty.status, empty.text, empty.headers['content-type']]).toEqual([200, '', 'text/plain; charset=utf-8']);
});

it('returns user agent tokens as a JSON array', async () => {
  const { headers, body, text } = await app.post('/user-agent-token-lists', { agent_types: ['AI Data Scraper'] });
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(body).toEqual(expect.arrayContaining(['CCBot', 'ClaudeBot', 'GPTBot']));
  expect(text).toBe(JSON.stringify(body));
  expect(await requestTokens({ agent_types: [] })).toEqual([]);
});

it('treats null fields as absent and ignores unknown fields', async () => {
  const plain = (await requestRobotsTxt(SCRAPERS)).text;
  const nullFields = { excluded_agent_tokens: null, excluded_operator_names: null, disallow: null, format: null };
  expect((await requestRobotsTxt({ ...SCRAPERS, ...nullFields, node_package_version: '1.2.3' })).text).toBe(plain);
});

it('accepts 10,000 exclusions of each kind', async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `name ${index}\r\nDisallow: /`);
  const [first, ...others] = await requestTokens(SCRAPERS);
  const remainingTokens = await requestTokens({
    ...SCRAPERS,
    excluded_agent_tokens: [...names.slice(1), first!.toUpperCase()],
    excluded_operator_names: names,
  });
  expect(remainingTokens).toEqual(others);
});

const getErrors = ({ status, body }: TestResponse): string[] => [
  String(status),
  ...body.errors.map(({ pointer, detail }: { pointer: string; detail: string }) => `${pointer} ${detail}`),
];

it.each(PATHS)('%s reports each invalid field with its pointer', async (path) => {
  const post = async (body: unknown): Promise<string[]> => getErrors(await app.post(path, body));
  const unknown = await post({ agent_types: ['Scraper', 'scraper', 7] });
  expect(unknown).toEqual([
    '422',
    `/agent_types/1 must be one of: ${[...AGENT_TYPES, 'Headless Agent'].join(', ')}`,
    '/agent_types/2 must be string',
    expect.stringMatching(/^\/agent_types\/2 must be one of: /),
  ]);
  expect(await post({})).toEqual(['422', '/agent_types is required']);
  expect(await post({ agent_types: null })).toEqual(['422', '/agent_types must be array']);
  expect(await post([])).toEqual(['422', ' must be object']);
  expect(await post('x')).toEqual(['422', ' must be object']);
  expect(await post({ agent_types: 'Scraper' })).toEqual(['422', '/agent_types must be array']);
  expect(await post({ ...SCRAPERS, excluded_agent_tokens: 'x', excluded_operator_names: [1, null] })).toEqual([
    '422',
    '/excluded_agent_tokens must be array',
    '/excluded_operator_names/0 must be string',
    '/excluded_operator_names/1 must be string',
  ]);
  expect(await post({ ...SCRAPERS, excluded_agent_tokens: Array(10_001).fill('x') })).toEqual([
    '422',
    '/excluded_agent_tokens must have 10000 items or fewer',
  ]);
  expect(await post({ ...SCRAPERS, format: 'yaml' })).toEqual([
    '422',
    expect.stringMatching(/^\/format must be one of: /),
  ]);
});

it.each(['/a\nUser-agent: *', '/a\rb', '/a\0', '/a\x7f', '/a\x85b', '/a\u2028b', '/a\u2029b', '/\ud800', '  '])(
  'rejects the path %j',
  async (disallow) => {
    expect(getErrors(await requestRobotsTxt({ ...SCRAPERS, disallow }))).toEqual([
      '422',
      '/disallow must be a path on one line, such as /private/ or /*.pdf$, or empty',
    ]);
  },
);

it('rejects a path that is a URL, too long or not a string', async () => {
  expect((await requestRobotsTxt({ ...SCRAPERS, disallow: 'https://example.com/private' })).status).toBe(422);
  expect((await requestRobotsTxt({ ...SCRAPERS, disallow: `/${'a'.repeat(2_048)}` })).status).toBe(422);
  expect((await requestRobotsTxt({ ...SCRAPERS, disallow: 7 })).status).toBe(422);
});

it.each(PATHS)('%s requires an access token and allows only POST', async (path) => {
  expect((await app.post(path, SCRAPERS, { authorization: 'Bearer agt_nobody' })).status).toBe(401);
  const { status, headers } = await app.send('GET', path, undefined, {});
  expect([status, headers['allow']]).toEqual([405, 'POST']);
});

it('reflects catalog changes', async () => {
  const bot = {
    token: 'Shop "Bot" $1',
    type: 'Scraper',
    operator: 'Shop',
    url: null,
    user_agent_patterns: ['ShopBot'],
    robots_token: 'ShopBot',
    verification: {},
  };
  expect((await requestRobotsTxt(SCRAPERS)).text).not.toContain('ShopBot');
  expect((await app.api('POST', '/agents', bot)).status).toBe(201);
  expect((await requestRobotsTxt(SCRAPERS)).text).toContain('User-agent: ShopBot\nDisallow: /\n');
  expect(await requestTokens(SCRAPERS)).toContain('Shop "Bot" $1');
  expect((await app.api('DELETE', `/agents/${encodeURIComponent(bot.token)}`)).status).toBe(204);
  expect((await requestRobotsTxt(SCRAPERS)).text).not.toContain('ShopBot');
});
