import { jest } from '@jest/globals';
import { AgentsApi } from '#libs/catalog';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';

let app: App;
beforeAll(async () => {
  app = await App.start();
});
afterAll(() => app.dispose());

const get = (path: string, headers: Record<string, string> = {}) =>
  app.send('GET', `/api${path}`, undefined, { authorization: `Bearer ${app.apiKey}`, ...headers });

it.each(['/agents?limit=5', '/catalog', '/agents/export?origin=all', '/agents/GPTBot', '/assistants'])(
  'returns 304 for %s until the catalog changes',
  async (path) => {
    const first = await get(path);
    const { etag } = first.headers as { etag: string };
    expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}"$/)]);
    expect(first.headers['cache-control']).toBe('private, no-cache');
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const cached = await get(path, { 'if-none-match': tag });
      expect([cached.status, cached.text, cached.headers['etag']]).toEqual([304, '', etag]);
    }
    expect(await get(path, { 'if-none-match': '"other"' })).toMatchObject({ status: 200, text: first.text });
  },
);

it('builds the agent list once for concurrent requests and again after a catalog change', async () => {
  const list = jest.spyOn(app.nest.get(AgentsApi, { strict: false }), 'list');
  const path = '/agents?limit=7&search=bot';
  const responses = await Promise.all(Array.from({ length: 20 }, () => get(path)));
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(list).toHaveBeenCalledTimes(1);
  const { etag } = responses[0]!.headers as { etag: string };
  const agent = {
    token: '0-Testbot',
    type: 'Fetcher',
    operator: null,
    url: null,
    user_agent_patterns: ['0-Testbot'],
    robots_token: null,
    verification: {},
  };
  expect(await app.api('POST', '/agents', agent)).toMatchObject({ status: 201 });
  const changed = await get(path, { 'if-none-match': etag });
  expect([changed.status, changed.body.agents[0].token]).toEqual([200, '0-Testbot']);
  list.mockRestore();
});

it('requires a credential even if the ETag matches', async () => {
  const { etag } = (await get('/catalog')).headers as { etag: string };
  expect((await app.send('GET', '/api/catalog', undefined, { 'if-none-match': etag })).status).toBe(401);
});
