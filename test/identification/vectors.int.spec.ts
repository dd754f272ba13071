import type { EvidenceSources } from '#libs/agents';
import { App } from '../kit/app.js';
import { createDirectories, VECTOR_DIRECTORIES, VECTORS, type Vector } from '../kit/vectors.js';

/** Vector under test. The apps use its clock and key directories. */
let currentVector: Vector;
const apps = new Map<boolean, App>();

async function startApp(allowTestKeys: boolean): Promise<App> {
  const dnsOff = { fault: 'dns_off' } as const;
  const sources: EvidenceSources = {
    directories: { find: (url, keyId) => createDirectories(currentVector.directories).find(url, keyId) },
    dns: { hostNames: () => dnsOff, addresses: () => dnsOff },
  };
  const app = await App.start({ allowTestKeys, sources, clock: () => currentVector.now * 1_000 });
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
  currentVector = VECTORS[0]!;
  for (const allowTestKeys of [true, false]) apps.set(allowTestKeys, await startApp(allowTestKeys));
});
afterAll(() => Promise.all([...apps.values()].map((app) => app.dispose())));

it.each(VECTORS.map((vector) => [vector.id, vector.title, vector] as const))('%s: %s', async (_id, _title, vector) => {
  currentVector = vector;
  const app = apps.get(!vector.policy.reject_test_keys)!;
  const response = await app.post(`/${vector.endpoint}`, vector.body);
  expect(response.status).toBe(200);
  expect(response.body.result).toBe(vector.expected.result);

  const { request_path, request_headers } = vector.body;
  const explanation = await app.api('POST', '/identifications', {
    request_headers,
    ...(request_path !== undefined && { request_path }),
  });
  const { identification } = explanation.body;
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
