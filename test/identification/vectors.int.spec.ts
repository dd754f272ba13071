import type { EvidenceSources } from '#libs/agents';
import { App } from '../kit/app.js';
import { directoriesOf, VECTOR_DIRECTORIES, VECTORS, type Vector } from '../kit/vectors.js';

/** Vector under test. The apps use its clock and key directories. */
let current: Vector;
const apps = new Map<boolean, App>();

async function start(allowTestKeys: boolean): Promise<App> {
  const off = { fault: 'dns_off' } as const;
  const sources: EvidenceSources = {
    directories: { find: (url, keyId) => directoriesOf(current.directories).find(url, keyId) },
    dns: { hostNames: () => off, addresses: () => off },
  };
  const app = await App.start({ allowTestKeys, sources, clock: () => current.now * 1_000 });
  const agent = {
    token: 'ExampleBot',
    type: 'AI Agent',
    operator: 'Example',
    url: 'https://example.com/bot',
    user_agent_patterns: ['ExampleBot'],
    robots_token: null,
    verification: { signature_agents: VECTOR_DIRECTORIES },
  };
  expect((await app.api('POST', '/agents', agent)).status).toBe(201);
  return app;
}

beforeAll(async () => {
  current = VECTORS[0]!;
  for (const allowTestKeys of [true, false]) apps.set(allowTestKeys, await start(allowTestKeys));
});
afterAll(() => Promise.all([...apps.values()].map((app) => app.dispose())));

it.each(VECTORS.map((vector) => [vector.id, vector.title, vector] as const))('%s: %s', async (_id, _title, vector) => {
  current = vector;
  const app = apps.get(!vector.policy.reject_test_keys)!;
  const answer = await app.post(`/${vector.endpoint}`, vector.body);
  expect(answer.status).toBe(200);
  expect(answer.body.result).toBe(vector.expected.result);

  const { request_path, request_headers } = vector.body;
  const explained = await app.api('POST', '/identifications', {
    request_headers,
    ...(request_path !== undefined && { request_path }),
  });
  const { identification } = explained.body;
  expect(identification.result).toBe(vector.expected.result);
  if (vector.expected.wba === 'not_applicable') {
    expect(identification.evidence.steps.map((step: { method: string }) => step.method)).not.toContain(
      'http_message_signature',
    );
  } else {
    expect(identification.evidence.steps).toContainEqual(
      expect.objectContaining({ outcome: vector.expected.wba, reason: vector.expected.reason }),
    );
  }
});
