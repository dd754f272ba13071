import { parseKeySet } from '#libs/agents';
import { getSigningKeyIds } from '../kit/directory-signatures.js';
import { App, type Json } from '../kit/app.js';
import { UNAVAILABLE_SOURCES } from '../kit/identifier.js';

const DIRECTORY = '/.well-known/http-message-signatures-directory';

describe.each([
  ['http://127.0.0.1:3000', 'https://test-agent.agent-traffic.invalid'],
  ['https://traffic.example', 'https://traffic.example'],
])('the test agent at %s', (publicUrl, signatureAgent) => {
  let app: App;
  beforeAll(async () => {
    // This app can't fetch anything, so the keys must come from the catalog.
    app = await App.start({ publicUrl });
  });
  afterAll(() => app.dispose());

  const toVerificationRequest = (url: string, visit: Json): object => {
    const { host, pathname } = new URL(url);
    return { request_path: pathname, request_headers: { host, 'x-forwarded-for': '203.0.113.5', ...visit.headers } };
  };

  it('signs requests by the test agent that pass verification only for their host', async () => {
    const url = 'https://shop.example:8443/basket/?page=2';
    const { status, body: visit } = await app.api('POST', '/test-visits', { url });
    expect([status, visit]).toMatchObject([
      200,
      { method: 'GET', url, agent_token: 'Agent Traffic Test Agent', signature_agent: signatureAgent },
    ]);
    const { body } = await app.post('/agent-verifications', toVerificationRequest(url, visit));
    expect(body).toMatchObject({
      result: 'verified',
      agent_token: 'Agent Traffic Test Agent',
      agent_type_name: 'Developer Helper',
    });
    const otherHostRequest = toVerificationRequest('https://other.example/basket/', visit);
    expect((await app.post('/agent-verifications', otherHostRequest)).body).toMatchObject({
      result: 'verification_failed',
    });
    const visits = { ...toVerificationRequest(url, visit), request_method: 'GET' };
    expect((await app.post('/visits', visits)).status).toBe(204);
    const { body: projects } = await app.api('GET', '/projects');
    const timeline = await app.api('GET', `/projects/${projects.projects[0].id}/visits?limit=1`);
    expect(timeline.body.visits[0].identification).toMatchObject({
      result: 'verified',
      method: 'http_message_signature',
      evidence: { steps: [{ outcome: 'verified', key_id: visit.key_id, signature_agent: signatureAgent }] },
    });
  });

  it("rejects the test agent's signature for a host that the project does not list", async () => {
    const { body } = await app.api('GET', '/projects');
    const project = `/projects/${body.projects[0].id}`;
    await app.api('PATCH', project, { host_names: ['shop.example'] });
    const visit = (await app.api('POST', '/test-visits', { url: 'https://evil.example/' })).body;
    const explain = async (url: string, testVisit: Json) => {
      const request = { project_id: body.projects[0].id, ...toVerificationRequest(url, testVisit) };
      return (await app.api('POST', '/identifications', request)).body.identification;
    };
    expect(await explain('https://evil.example/', visit)).toMatchObject({
      result: 'verification_failed',
      reason: 'authority_not_expected',
    });
    const shopVisit = (await app.api('POST', '/test-visits', { url: 'https://shop.example/' })).body;
    expect(await explain('https://shop.example/', shopVisit)).toMatchObject({ result: 'verified' });
    await app.api('PATCH', project, { host_names: [] });
  });

  it("publishes the test agent's keys with proof of possession", async () => {
    const { host: authority } = new URL(publicUrl);
    const response = await app.nest.inject({ url: DIRECTORY, headers: { host: authority.toUpperCase() } });
    expect(response.headers['content-type']).toBe('application/http-message-signatures-directory+json');
    const { key_id: keyId } = (await app.api('POST', '/test-visits', { url: 'https://shop.example/' })).body;
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    const keys = parseKeySet(response.body);
    const fetched = { body: response.body, headers, keys, authority, at: Date.now() };
    expect([...getSigningKeyIds(fetched)]).toEqual([keyId]);
    expect([...getSigningKeyIds({ ...fetched, authority: 'other.example' })]).toEqual([]);
  });

  it.each(['other.example', 'traffic.example:8443', 'traffic.example.other.example', ''])(
    'serves the test agent\'s keys without a signature for the host "%s"',
    async (host) => {
      const response = await app.nest.inject({ url: DIRECTORY, headers: { host } });
      expect(response.statusCode).toBe(200);
      expect(response.json().keys).toHaveLength(1);
      expect(response.headers).not.toHaveProperty('signature');
      expect(response.headers).not.toHaveProperty('signature-input');
    },
  );

  it.each(['ftp://shop.example/', 'not an address', '/relative'])('rejects the test agent URL %s', async (url) => {
    expect((await app.api('POST', '/test-visits', { url })).status).toBe(422);
  });
});

it("reuses the test agent's key and does not store it as plain PEM", async () => {
  const app = await App.start({ sources: UNAVAILABLE_SOURCES });
  const getKeyId = async () => (await app.api('POST', '/test-visits', { url: 'https://a.example' })).body.key_id;
  const firstKeyId = await getKeyId();
  await app.api('GET', '/agents?limit=1');
  expect(await getKeyId()).toBe(firstKeyId);
  const rows = await app.database.dataSource.query('SELECT id, public_key, private_key FROM test_agent_keys');
  expect(rows).toHaveLength(1);
  expect(rows[0].id).toBe(firstKeyId);
  expect(Object.keys(rows[0].public_key).toSorted()).toEqual(['crv', 'kty', 'x']);
  expect(rows[0].private_key.toString('latin1')).not.toContain('PRIVATE KEY');
  await app.dispose();
});
