import { App } from '../kit/app.js';
import { GOOGLEBOT } from '../kit/client.js';
import { FORGED_ADDRESS, FORGED_REQUESTS } from '../kit/forged-addresses.js';
import { UNAVAILABLE_SOURCES } from '../kit/identifier.js';

let app: App;
beforeAll(async () => {
  app = await App.start({ sources: UNAVAILABLE_SOURCES });
});
afterAll(() => app.dispose());

it('never verifies forged addresses, in identifications or in recorded visits', async () => {
  const items = FORGED_REQUESTS.map(({ name, headers }) => ({
    id: name,
    request_headers: { ...headers, 'User-Agent': GOOGLEBOT },
  }));
  expect(items.length).toBeGreaterThanOrEqual(20);
  const { body } = await app.post('/agent-identifications', items);
  expect(body.filter(({ result }: { result: string }) => result === 'verified')).toEqual([]);

  const visits = items.map(({ request_headers }) => ({ request_path: '/', request_method: 'GET', request_headers }));
  expect((await app.post('/visits', visits)).status).toBe(204);
  const { body: projects } = await app.api('GET', '/projects');
  const recorded = await app.api('GET', `/projects/${projects.projects[0].id}/visits?limit=1000`);
  expect(recorded.body.visits).toHaveLength(items.length);
  const verified = await app.api('GET', `/projects/${projects.projects[0].id}/visits?result=verified`);
  expect(verified.body.visits).toEqual([]);

  // Request that really came from this address, which verifies the agent.
  const genuineRequest = { request_headers: { 'user-agent': GOOGLEBOT, 'x-forwarded-for': FORGED_ADDRESS } };
  expect((await app.post('/agent-identifications', genuineRequest)).body.result).toBe('verified');
});
