import { readKeySet } from '#libs/agents';
import { provenKeys } from '../kit/directory-proof.js';
import { App, type Json } from '../kit/app.js';
import { NO_SOURCES } from '../kit/identifier.js';

const DIRECTORY = '/.well-known/http-message-signatures-directory';

describe.each([
  ['http://127.0.0.1:3000', 'https://test-agent.agent-traffic.invalid'],
  ['https://traffic.example', 'https://traffic.example'],
])('the test agent of %s', (publicUrl, signatureAgent) => {
  let app: App;
  beforeAll(async () => {
    // Nothing can be fetched here. The keys come with the catalog.
    app = await App.start({ publicUrl });
  });
  afterAll(() => app.dispose());

  const reported = (url: string, visit: Json): object => {
    const { host, pathname } = new URL(url);
    return { request_path: pathname, request_headers: { host, 'x-forwarded-for': '203.0.113.5', ...visit.headers } };
  };

  it('signs requests that pass verification for their host only', async () => {
    const url = 'https://shop.example:8443/basket/?page=2';
    const { status, body: visit } = await app.api('POST', '/test-visits', { url });
    expect([status, visit]).toMatchObject([
      200,
      { method: 'GET', url, agent_token: 'Agent Traffic Test Agent', signature_agent: signatureAgent },
    ]);
    const { body } = await app.post('/agent-verifications', reported(url, visit));
    expect(body).toMatchObject({
      result: 'verified',
      agent_token: 'Agent Traffic Test Agent',
      agent_type_name: 'Developer Helper',
    });
    const elsewhere = reported('https://other.example/basket/', visit);
    expect((await app.post('/agent-verifications', elsewhere)).body).toMatchObject({ result: 'verification_failed' });
    const visits = { ...reported(url, visit), request_method: 'GET' };
    expect((await app.post('/visits', visits)).status).toBe(204);
    const { body: projects } = await app.api('GET', '/projects');
    const timeline = await app.api('GET', `/projects/${projects.projects[0].id}/visits?limit=1`);
    expect(timeline.body.visits[0].identification).toMatchObject({
      result: 'verified',
      method: 'http_message_signature',
      evidence: { steps: [{ outcome: 'verified', key_id: visit.key_id, signature_agent: signatureAgent }] },
    });
  });

  it('fails verification for a host the project does not list', async () => {
    const { body } = await app.api('GET', '/projects');
    const project = `/projects/${body.projects[0].id}`;
    await app.api('PATCH', project, { host_names: ['shop.example'] });
    const visit = (await app.api('POST', '/test-visits', { url: 'https://evil.example/' })).body;
    const explained = async (url: string, one: Json) => {
      const request = { project_id: body.projects[0].id, ...reported(url, one) };
      return (await app.api('POST', '/identifications', request)).body.identification;
    };
    expect(await explained('https://evil.example/', visit)).toMatchObject({
      result: 'verification_failed',
      reason: 'authority_not_expected',
    });
    const own = (await app.api('POST', '/test-visits', { url: 'https://shop.example/' })).body;
    expect(await explained('https://shop.example/', own)).toMatchObject({ result: 'verified' });
    await app.api('PATCH', project, { host_names: [] });
  });

  it('publishes its keys with proof of possession', async () => {
    const { host: authority } = new URL(publicUrl);
    const answer = await app.nest.inject({ url: DIRECTORY, headers: { host: authority.toUpperCase() } });
    expect(answer.headers['content-type']).toBe('application/http-message-signatures-directory+json');
    const { key_id: keyId } = (await app.api('POST', '/test-visits', { url: 'https://shop.example/' })).body;
    const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
    const keys = readKeySet(answer.body);
    const fetched = { body: answer.body, headers, keys, authority, at: Date.now() };
    expect([...provenKeys(fetched)]).toEqual([keyId]);
    expect([...provenKeys({ ...fetched, authority: 'other.example' })]).toEqual([]);
  });

  it.each(['other.example', 'traffic.example:8443', 'traffic.example.other.example', ''])(
    'serves its keys without a signature for the host "%s"',
    async (host) => {
      const answer = await app.nest.inject({ url: DIRECTORY, headers: { host } });
      expect(answer.statusCode).toBe(200);
      expect(answer.json().keys).toHaveLength(1);
      expect(answer.headers).not.toHaveProperty('signature');
      expect(answer.headers).not.toHaveProperty('signature-input');
    },
  );

  it.each(['ftp://shop.example/', 'not an address', '/relative'])('refuses to sign a request to %s', async (url) => {
    expect((await app.api('POST', '/test-visits', { url })).status).toBe(422);
  });
});

it('reuses its key, and does not store it as PEM', async () => {
  const app = await App.start({ sources: NO_SOURCES });
  const key = async () => (await app.api('POST', '/test-visits', { url: 'https://a.example' })).body.key_id;
  const first = await key();
  await app.api('GET', '/agents?limit=1');
  expect(await key()).toBe(first);
  const rows = await app.database.dataSource.query('SELECT id, public_key, private_key FROM test_agent_keys');
  expect(rows).toHaveLength(1);
  expect(rows[0].id).toBe(first);
  expect(Object.keys(rows[0].public_key).toSorted()).toEqual(['crv', 'kty', 'x']);
  expect(rows[0].private_key.toString('latin1')).not.toContain('PRIVATE KEY');
  await app.dispose();
});
