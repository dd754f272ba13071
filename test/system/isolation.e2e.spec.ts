import { Client, readProblem, visit } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { createTestClient } from './target.js';

interface ProjectWithClient {
  id: string;
  token: string;
  client: Client;
}

let admin: Client;

beforeAll(async () => {
  admin = await createTestClient('Isolation');
});

/** Creates a project with a token, and an API key that is limited to the project. */
async function createProject(name: string): Promise<ProjectWithClient> {
  const { id } = await admin.api<{ id: string }>('/projects', { method: 'POST', body: { name } });
  const { token } = await admin.api<{ token: string }>(`/projects/${id}/tokens`, { method: 'POST', body: {} });
  const { key } = await admin.api<{ key: string }>('/api-keys', { method: 'POST', body: { project_ids: [id] } });
  return { id, token, client: new Client({ ...admin.target, projectId: id, accessToken: token, apiKey: key }) };
}

it('isolates projects from each other', async () => {
  const [ours, theirs] = [await createProject('Ours'), await createProject('Theirs')];
  expect((await ours.client.post('/visits', [visit('/ours'), { request_path: 1 }])).status).toBe(204);
  expect((await theirs.client.post('/visits', visit('/theirs'))).status).toBe(204);
  for (const { client, id } of [ours, theirs]) {
    await until(async () => (await client.visits({}, id)).length === 1, { condition: 'the visit is stored' });
  }
  expect((await ours.client.visits({}, ours.id)).map((item) => item.visit.request_path)).toEqual(['/ours']);
  expect((await theirs.client.visits({}, theirs.id)).map((item) => item.visit.request_path)).toEqual(['/theirs']);

  const { projects } = await ours.client.api<{ projects: { id: string }[] }>('/projects');
  expect(projects.map(({ id }) => id)).toEqual([ours.id]);
  const { tokens } = await theirs.client.api<{ tokens: { id: string }[] }>(`/projects/${theirs.id}/tokens`);
  const { dead_letters: letters } = await ours.client.api<{ dead_letters: { id: string }[] }>('/dead-letters');
  expect(letters).toHaveLength(1);
  expect(await theirs.client.api('/dead-letters')).toMatchObject({ dead_letters: [] });

  const foreignRequests: [string, string, object?][] = [
    ['GET', `/projects/${theirs.id}`],
    ['PATCH', `/projects/${theirs.id}`, { name: 'taken over' }],
    ['GET', `/projects/${theirs.id}/visits`],
    ['GET', `/projects/${theirs.id}/visits/stream`],
    ['GET', `/projects/${theirs.id}/tokens`],
    ['POST', `/projects/${theirs.id}/tokens`, {}],
    ['GET', `/projects/${theirs.id}/tokens/${tokens[0]!.id}`],
    ['DELETE', `/projects/${theirs.id}/tokens/${tokens[0]!.id}`],
    ['GET', `/projects/${ours.id}/tokens/${tokens[0]!.id}`],
    ['DELETE', `/projects/${ours.id}/tokens/${tokens[0]!.id}`],
  ];
  for (const [method, path, body] of foreignRequests) {
    const response = await ours.client.apiResponse(path, { method, body });
    expect([method, path, response.status]).toEqual([method, path, 404]);
  }
  expect((await theirs.client.apiResponse(`/dead-letters/${letters[0]!.id}`)).status).toBe(404);
  for (const [method, path, body] of [
    ['POST', '/projects', { name: 'x' }],
    ['GET', '/api-keys'],
    ['POST', '/api-keys', {}],
  ] as [string, string, object?][]) {
    expect((await ours.client.apiResponse(path, { method, body })).status).toBe(403);
  }
  // An access token can't read visits, and an API key can't record them.
  expect((await ours.client.apiResponse(`/projects/${ours.id}/visits`, { key: ours.token })).status).toBe(401);
  const writeResponse = await ours.client.post('/visits', visit('/never'), { token: ours.client.target.apiKey });
  expect([writeResponse.status, (await readProblem(writeResponse)).type]).toEqual([401, '/docs/problems#unauthorized']);
});

it('rejects a revoked token', async () => {
  const { id, token, client } = await createProject('Revoked');
  expect((await client.post('/visits', visit('/before'))).status).toBe(204);
  const { tokens } = await client.api<{ tokens: { id: string }[] }>(`/projects/${id}/tokens`);
  await client.api(`/projects/${id}/tokens/${tokens[0]!.id}`, { method: 'DELETE' });
  const response = await until(
    async () => {
      const answer = await client.post('/visits', [], { token });
      return answer.status === 401 && answer;
    },
    { condition: 'the token is rejected' },
  );
  expect((await readProblem(response)).detail).toContain('revoked');
});
