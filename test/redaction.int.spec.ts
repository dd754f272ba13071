import { CREDENTIAL_PREFIXES, generateCredential } from '#libs/database';
import { App, type Json } from './kit/app.js';
import { until } from './kit/instance.js';

const SECRET = 'do-not-tell-4242';
const HEADER_NAMES =
  'x-id-token X-Refresh-Token session-token x-client-secret private-token x-vault-token x-forwarded-authorization ' +
  'x-gitlab-token x-shopify-access-token X_API_KEY';
const HEADERS = Object.fromEntries(HEADER_NAMES.split(' ').map((name) => [name, SECRET]));
const NESTED_SECRETS = {
  acp_response_body: { a: [{ client_secret: SECRET }], note: `Bearer ${SECRET}` },
  raw: ['cookie', SECRET, { name: 'x-id-token', value: SECRET }],
  anything: `https://me:${SECRET}@a.example/`,
};

let app: App;
let project: string;
beforeAll(async () => {
  app = await App.start();
  project = `/projects/${(await app.api('GET', '/projects')).body.projects[0].id}`;
});
afterAll(() => app.dispose());

const visit = (path: string, headers: object, more: object = {}): object => ({
  request_path: path,
  request_method: 'GET',
  request_headers: { host: 'shop.example', 'x-forwarded-for': '203.0.113.5', ...headers },
  ...more,
});
const getNewestVisit = async (): Promise<Json> => (await app.api('GET', `${project}/visits?limit=1`)).body.visits[0];

it('redacts credentials in visits and dead letters', async () => {
  const path = `/reset?token=${SECRET}&page=2`;
  const headers = { ...HEADERS, referer: `https://a.example/?sig=${SECRET}`, location: `/#access_token=${SECRET}` };
  const rejectedVisit = {
    ...NESTED_SECRETS,
    request_path: path,
    request_headers: [['cookie', SECRET]],
    password: SECRET,
  };
  expect((await app.post('/visits', [visit(path, headers, NESTED_SECRETS), rejectedVisit])).status).toBe(204);
  const stored = await getNewestVisit();
  expect(stored.visit).toMatchObject({
    request_path: '/reset?token=[redacted]&page=2',
    request_headers: {
      host: 'shop.example',
      'x-vault-token': '[redacted]',
      referer: 'https://a.example/?sig=[redacted]',
    },
  });
  expect(JSON.stringify(stored)).not.toContain(SECRET);
  const { dead_letters: letters } = (await app.api('GET', '/dead-letters?limit=10')).body;
  expect(letters).toHaveLength(1);
  const letter = (await app.api('GET', `/dead-letters/${letters[0].id}`)).body;
  const storedValue = Buffer.from(letter.value_base64, 'base64').toString();
  expect(JSON.parse(storedValue)).toMatchObject({ request_headers: '[redacted]', password: '[redacted]' });
  expect(JSON.stringify(letter) + storedValue).not.toContain(SECRET);
});

it('redacts Agent Traffic credentials in paths, even if they are percent-encoded', async () => {
  for (const prefix of CREDENTIAL_PREFIXES) {
    const credential = generateCredential(prefix);
    for (const path of [`/reset/${credential}`, `/reset/${credential.replace('_', '%5F')}/x`]) {
      expect((await app.post('/visits', visit(path, {}))).status).toBe(204);
      expect(JSON.stringify(await getNewestVisit())).not.toContain(credential.slice(prefix.length));
    }
  }
});

it('redacts credentials without causing signature verification to fail', async () => {
  const url = `https://shop.example/basket?token=${SECRET}`;
  const signedVisit = (await app.api('POST', '/test-visits', { url })).body;
  const input = String(signedVisit.headers['signature-input']);
  expect((await app.post('/visits', visit('/basket?token=abc', signedVisit.headers))).status).toBe(204);
  const { identification } = await getNewestVisit();
  expect(identification.result).toBe('verified');
  // A signature that covers the query can't be verified after redaction.
  const nested = '/basket?next=%2Fcb%3Ftoken%3Dabc';
  const queryCoveringHeaders = {
    ...signedVisit.headers,
    'signature-input': input.replace('("@authority"', '("@authority" "@query"'),
  };
  expect(queryCoveringHeaders['signature-input']).not.toBe(input);
  expect((await app.post('/visits', visit('/basket?token=abc', queryCoveringHeaders))).status).toBe(204);
  expect((await getNewestVisit()).identification).toMatchObject({ result: 'not_verifiable', reason: 'query_unknown' });
  expect((await app.post('/visits', visit(nested, queryCoveringHeaders))).status).toBe(204);
  expect((await getNewestVisit()).identification).toMatchObject({ result: 'not_verifiable', reason: 'query_unknown' });
  expect((await app.post('/visits', visit('/basket?page=2', queryCoveringHeaders))).status).toBe(204);
  expect((await getNewestVisit()).identification).toMatchObject({ result: 'verification_failed' });
});

it("applies the project's redaction settings", async () => {
  const settings = { redacted_headers: ['X-Member'], unredacted_headers: ['x-cache-token', 'Cookie'] };
  expect((await app.api('PATCH', project, settings)).body).toMatchObject(settings);
  const headers = { 'x-member': 'one', 'X-Cache-Token': 'kept', cookie: SECRET };
  const stored = async (): Promise<Json> => {
    expect((await app.post('/visits', visit('/settings', headers))).status).toBe(204);
    return (await getNewestVisit()).visit.request_headers;
  };
  const storedHeaders = await until(
    async () => {
      const now = await stored();
      return now['x-member'] !== 'one' && now;
    },
    { condition: 'the settings take effect' },
  );
  expect(storedHeaders).toMatchObject({ 'x-member': '[redacted]', 'X-Cache-Token': 'kept', cookie: '[redacted]' });
  const rejectedVisit = visit('/settings', { [`?x-member=${SECRET}`]: { odd: true } });
  expect((await app.post('/visits', rejectedVisit)).status).toBe(422);
  const listRejectedRequests = async (): Promise<string> =>
    JSON.stringify((await app.api('GET', `${project}/refused-requests`)).body.refused_requests);
  const rejectedRequests = await until(
    async () => {
      const now = await listRejectedRequests();
      return now.includes('x-member') && now;
    },
    { condition: 'the rejected visit is listed' },
  );
  expect(rejectedRequests).toContain('?x-member=[redacted]');
  expect(rejectedRequests).not.toContain(SECRET);
});
