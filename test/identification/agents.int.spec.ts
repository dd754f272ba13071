import { gzipSync } from 'node:zlib';
import { App, type Json } from '../kit/app.js';
import { UNAVAILABLE_SOURCES } from '../kit/identifier.js';

let app: App;
beforeAll(async () => {
  app = await App.start({ sources: UNAVAILABLE_SOURCES });
});
afterAll(() => app.dispose());

const createRecord = (token: string, extra: object = {}) => ({
  token,
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: [token],
  sample_user_agents: [`${token}/1.0`],
  robots_token: token,
  verification: {},
  ...extra,
});

async function identify(userAgent: string, address = '198.51.100.7'): Promise<Json> {
  const request_headers = { 'user-agent': userAgent, 'x-forwarded-for': address };
  return (await app.post('/agent-identifications', { request_headers })).body;
}

describe('custom agents', () => {
  it('uses added and changed agents for identification, and ignores deleted ones', async () => {
    const added = await app.api('POST', '/agents', createRecord('Zyxbot'));
    expect([added.status, added.body]).toMatchObject([201, { token: 'Zyxbot', origin: 'own', is_edited: false }]);
    expect(await identify('Zyxbot/2.0')).toMatchObject({ result: 'not_verifiable', agent_id: added.body.id });
    const change = createRecord('Zyxbot', { verification: { ip_ranges: ['198.51.100.0/24'] }, operator: 'Zyx' });
    expect((await app.api('PUT', '/agents/zyxBOT', change)).body).toMatchObject({ operator: 'Zyx' });
    expect(await identify('Zyxbot/2.0')).toMatchObject({ result: 'verified', operator_name: 'Zyx' });
    // Manually entered ranges are always considered current, so other addresses fail verification.
    expect(await identify('Zyxbot/2.0', '203.0.113.1')).toMatchObject({ result: 'verification_failed' });
    expect((await app.api('DELETE', `/agents/${added.body.id}`)).status).toBe(204);
    expect(await identify('Zyxbot/2.0')).toEqual({ result: 'unknown_agent' });
    expect((await app.api('GET', '/agents/Zyxbot')).status).toBe(404);
  });

  it('filters agents by behavior', async () => {
    const added = await app.api('POST', '/agents', createRecord('Zybehaves', { behaviors: ['training', 'search'] }));
    expect(added.status).toBe(201);
    const listTokens = async (query: string): Promise<string[]> =>
      (await app.api('GET', `/agents?search=zybehaves&${query}`)).body.agents.map(({ token }: Json) => token);
    expect(await listTokens('behavior=training')).toEqual(['Zybehaves']);
    expect(await listTokens('behavior=monitoring&behavior=search')).toEqual(['Zybehaves']);
    expect(await listTokens('behavior=monitoring')).toEqual([]);
    expect((await app.api('GET', '/agents?behavior=eating')).status).toBe(422);
    expect((await app.api('DELETE', '/agents/Zybehaves')).status).toBe(204);
  });

  it('rejects invalid agents and points to each error', async () => {
    const getFaults = async (body: unknown): Promise<Json> => {
      const response = await app.api('POST', '/agents', body);
      return [response.status, (response.body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
    };
    expect(await getFaults(createRecord('GPTBot'))).toEqual([409, []]);
    expect(await getFaults(createRecord('Zy1bot', { type: 'Robot' }))).toEqual([422, ['/type']]);
    expect(await getFaults(createRecord('Zy1bot', { user_agent_patterns: ['(a+)+$'] }))).toEqual([
      422,
      expect.arrayContaining(['/user_agent_patterns/0']),
    ]);
    const { body } = await app.api(
      'POST',
      '/agents',
      createRecord('Zy1bot', { user_agent_patterns: ['Zy1bot', 'Zy1(?=bot)'] }),
    );
    expect(body.errors).toEqual([
      {
        pointer: '/user_agent_patterns/1',
        detail:
          'has a look-ahead "(?=" at position 4: write the text itself; if named agents must take precedence, set generic to true',
      },
    ]);
    expect(await getFaults(createRecord('Zy1bot', { verification: { ip_ranges: ['0.0.0.0/0'] } }))).toEqual([
      422,
      ['/verification/ip_ranges/0'],
    ]);
    expect(await getFaults(null)).toMatchObject([422, expect.anything()]);
    expect((await app.api('PUT', '/agents/GPTBot', createRecord('ClaudeBot'))).body.errors[0].pointer).toBe('/token');
  });
});

describe('bundled agents', () => {
  it('edits and restores bundled agents', async () => {
    const { id, origin, is_edited: _, changed_at: _at, ...bundled } = (await app.api('GET', '/agents/GPTBot')).body;
    expect(origin).toBe('bundled');
    const changed = { ...bundled, operator: 'Somebody else' };
    expect((await app.api('PUT', `/agents/${id}`, changed)).body).toMatchObject({ origin, is_edited: true });
    expect(await identify('GPTBot/1.2')).toMatchObject({ operator_name: 'Somebody else' });
    expect((await app.api('DELETE', '/agents/GPTBot')).status).toBe(204);
    expect(await identify('GPTBot/1.2')).toMatchObject({ operator_name: 'OpenAI' });
    expect((await app.api('DELETE', '/agents/GPTBot')).status).toBe(409);
    // An agent that is identical to its bundled version isn't considered edited.
    expect((await app.api('PUT', '/agents/GPTBot', bundled)).body.is_edited).toBe(false);
  });
});

describe('agent list', () => {
  it('paginates agents in token order and supports filters', async () => {
    const tokens: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await app.api('GET', `/agents?limit=900${cursor}`);
      tokens.push(...body.agents.map(({ token }: { token: string }) => token.toLowerCase()));
      expect(body.catalog_version).toMatch(/^[0-9a-f]{16}$/);
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(tokens).toEqual([...new Set(tokens)].toSorted());
    expect(tokens.length).toBeGreaterThanOrEqual(2_006);
    expect(tokens).toContain('agent traffic test agent');
    const findTokens = async (query: string): Promise<string[]> =>
      (await app.api('GET', `/agents?${query}`)).body.agents.map(({ token }: { token: string }) => token);
    expect(await findTokens('search=gptbot')).toEqual(['GPTBot']);
    expect(await findTokens('operator=OpenAI&type=AI%20Data%20Scraper')).toContain('GPTBot');
    expect(await findTokens('origin=own')).toEqual([]);
    expect((await app.api('GET', '/agents?limit=0&of=x')).status).toBe(422);
    expect((await app.api('GET', '/agents?cursor=!')).status).toBe(422);
  });

  it('exports all agents, and imports either all agents in a file or none', async () => {
    const customAgents = [createRecord('Xa-bot'), createRecord('Xb-bot')];
    const imported = await app.api('POST', '/agents/import', customAgents);
    expect([imported.status, imported.body]).toEqual([200, { added: 2, changed: 0, unchanged: 0 }]);
    expect((await app.api('GET', '/agents/export')).body).toEqual(customAgents);
    const updatedAgents = [createRecord('Xa-bot'), createRecord('Xb-bot', { operator: 'X' }), createRecord('Xc-bot')];
    expect((await app.api('POST', '/agents/import', updatedAgents)).body).toEqual({
      added: 1,
      changed: 1,
      unchanged: 1,
    });
    const invalidAgents = [createRecord('Xd-bot'), createRecord('Xe-bot', { type: 'None' })];
    const rejected = await app.api('POST', '/agents/import', invalidAgents);
    expect([rejected.status, rejected.body.errors[0].pointer]).toEqual([422, '/1/type']);
    expect((await app.api('GET', '/agents/Xd-bot')).status).toBe(404);
    const allAgents = (await app.api('GET', '/agents/export?origin=all')).body;
    expect(allAgents.length).toBeGreaterThanOrEqual(2_009);
    expect((await app.api('POST', '/agents/import', allAgents)).body).toMatchObject({ added: 0, changed: 0 });
    expect(gzipSync(JSON.stringify(allAgents)).length).toBeLessThan(1_000_000);
  });
});

it('denies catalog changes to API keys that are limited to projects', async () => {
  const { body: projects } = await app.api('GET', '/projects');
  const { body: limitedKey } = await app.api('POST', '/api-keys', { project_ids: [projects.projects[0].id] });
  const headers = { authorization: `Bearer ${limitedKey.key}` };
  const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<number> =>
    (await app.send(method, `/api${path}`, body, headers)).status;
  expect(await send('GET', '/agents/GPTBot')).toBe(200);
  expect(await send('POST', '/agents', createRecord('Mine'))).toBe(403);
  expect(await send('PUT', '/agents/GPTBot', createRecord('GPTBot'))).toBe(403);
  expect(await send('DELETE', '/agents/GPTBot')).toBe(403);
  expect(await send('POST', '/agents/import', [])).toBe(403);
  expect(await send('POST', '/test-visits', { url: 'https://x.example' })).toBe(403);
  const { body: otherProject } = await app.api('POST', '/projects', { name: 'Theirs' });
  const request = { project_id: otherProject.id, request_headers: {} };
  expect(await send('POST', '/identifications', request)).toBe(404);
  expect(await send('POST', '/identifications', { ...request, project_id: projects.projects[0].id })).toBe(200);
  expect((await app.send('GET', '/api/agents', undefined, {})).status).toBe(401);
});
