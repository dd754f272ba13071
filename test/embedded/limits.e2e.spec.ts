import { Client, CREDENTIALS, CREDENTIALS_ENV, readProblem, visit } from '../kit/client.js';
import { Instance, until } from '../kit/instance.js';

let instance: Instance;
let client: Client;

beforeAll(async () => {
  instance = await Instance.start({
    env: { ...CREDENTIALS_ENV, RATE_LIMIT_VISITS_PER_SECOND: '10', RATE_LIMIT_BURST: '30', LOG_LEVEL: 'trace' },
  });
  client = new Client({ url: instance.url, ...CREDENTIALS });
});
afterAll(() => instance.dispose());

it("rate-limits a project's visits and tells the client how long to wait", async () => {
  const batch = (count: number) => Array.from({ length: count }, (_, index) => visit(`/${index}`));
  const first = await client.post('/visits', batch(20));
  expect(first.status).toBe(204);
  expect(first.headers.get('ratelimit-policy')).toBe('"visits";q=30;w=3');
  expect(first.headers.get('ratelimit')).toMatch(/^"visits";r=1\d;t=\d+$/);
  // A request is admitted as long as some quota is left, even if it needs more than that.
  expect((await client.post('/visits', batch(20))).status).toBe(204);
  const rejected = await client.post('/visits', batch(1));
  expect(rejected.status).toBe(429);
  const wait = Number(rejected.headers.get('retry-after'));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(await readProblem(rejected)).toEqual({
    type: '/docs/problems#too-many-requests',
    title: 'Rate limit exceeded',
    status: 429,
    detail: `The project may post 10 visits a second. Try again in ${wait} s.`,
    instance: rejected.headers.get('x-request-id'),
  });
  // The rate limit is checked before the media type and the body.
  expect((await client.post('/visits', 'x', { headers: { 'content-type': 'text/plain' } })).status).toBe(429);
  await until(async () => (await client.post('/visits', batch(1))).status === 204, {
    condition: 'visits are accepted again',
  });
});

it('logs request, project, and trace IDs, but never credentials', async () => {
  // A new project starts with its full quota.
  const { id: projectId } = await client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Logged' } });
  const { token } = await client.api<{ token: string }>(`/projects/${projectId}/tokens`, { method: 'POST', body: {} });
  const secret = 'a-cookie-of-somebody';
  await client.post('/visits', visit('/', { request_headers: { cookie: secret } }), {
    token,
    headers: { 'x-request-id': 'request-of-the-test', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
  });
  await client.post('/visits', '{', { token, headers: { cookie: secret } });
  await client.post('/visits', [], { token: 'a-token-that-is-wrong' });
  const line = await until(() => instance.output.split('\n').find((text) => /request-of-the-test.*POST/.test(text)), {
    condition: 'the request is logged',
  });
  expect(JSON.parse(line)).toMatchObject({
    request_id: 'request-of-the-test',
    project_id: projectId,
    trace_id: 'a'.repeat(32),
    status: 204,
    msg: 'POST /visits',
  });
  await instance.stop();
  // Exclude the banner from the first start, which contains the token.
  const log = instance.output.split('\n').filter((text) => text.startsWith('{'));
  expect(log.length).toBeGreaterThan(5);
  for (const word of [CREDENTIALS.accessToken, CREDENTIALS.apiKey, token, secret, 'a-token-that-is-wrong']) {
    expect(log.filter((text) => text.includes(word))).toEqual([]);
  }
});
