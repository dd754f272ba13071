import { CREDENTIAL_PREFIXES, newCredential } from '#libs/database';
import { App, type Json } from './kit/app.js';
import { until } from './kit/instance.js';

const SECRET = 'do-not-tell-4242';
const NAMES =
  'x-id-token X-Refresh-Token session-token x-client-secret private-token x-vault-token x-forwarded-authorization ' +
  'x-gitlab-token x-shopify-access-token X_API_KEY';
const HEADERS = Object.fromEntries(NAMES.split(' ').map((name) => [name, SECRET]));
const NESTED = {
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
const newest = async (): Promise<Json> => (await app.api('GET', `${project}/visits?limit=1`)).body.visits[0];

it('redacts credentials in visits and dead letters', async () => {
  const path = `/reset?token=${SECRET}&page=2`;
  const headers = { ...HEADERS, referer: `https://a.example/?sig=${SECRET}`, location: `/#access_token=${SECRET}` };
  const refused = { ...NESTED, request_path: path, request_headers: [['cookie', SECRET]], password: SECRET };
  expect((await app.post('/visits', [visit(path, headers, NESTED), refused])).status).toBe(204);
  const stored = await newest();
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
  const kept = Buffer.from(letter.value_base64, 'base64').toString();
  expect(JSON.parse(kept)).toMatchObject({ request_headers: '[redacted]', password: '[redacted]' });
  expect(JSON.stringify(letter) + kept).not.toContain(SECRET);
});

it('redacts Agent Traffic credentials in paths, also when encoded', async () => {
  for (const prefix of CREDENTIAL_PREFIXES) {
    const credential = newCredential(prefix);
    for (const path of [`/reset/${credential}`, `/reset/${credential.replace('_', '%5F')}/x`]) {
      expect((await app.post('/visits', visit(path, {}))).status).toBe(204);
      expect(JSON.stringify(await newest())).not.toContain(credential.slice(prefix.length));
    }
  }
});

it('does not fail a signature because the request was redacted', async () => {
  const url = `https://shop.example/basket?token=${SECRET}`;
  const signed = (await app.api('POST', '/test-visits', { url })).body;
  const input = String(signed.headers['signature-input']);
  expect((await app.post('/visits', visit('/basket?token=abc', signed.headers))).status).toBe(204);
  const { identification } = await newest();
  expect(identification.result).toBe('verified');
  // A signature that covers the query can't be verified after redaction.
  const nested = '/basket?next=%2Fcb%3Ftoken%3Dabc';
  const covering = { ...signed.headers, 'signature-input': input.replace('("@authority"', '("@authority" "@query"') };
  expect(covering['signature-input']).not.toBe(input);
  expect((await app.post('/visits', visit('/basket?token=abc', covering))).status).toBe(204);
  expect((await newest()).identification).toMatchObject({ result: 'not_verifiable', reason: 'query_unknown' });
  expect((await app.post('/visits', visit(nested, covering))).status).toBe(204);
  expect((await newest()).identification).toMatchObject({ result: 'not_verifiable', reason: 'query_unknown' });
  expect((await app.post('/visits', visit('/basket?page=2', covering))).status).toBe(204);
  expect((await newest()).identification).toMatchObject({ result: 'verification_failed' });
});

it('follows the redaction settings of the project', async () => {
  const settings = { redacted_headers: ['X-Member'], unredacted_headers: ['x-cache-token', 'Cookie'] };
  expect((await app.api('PATCH', project, settings)).body).toMatchObject(settings);
  const headers = { 'x-member': 'one', 'X-Cache-Token': 'kept', cookie: SECRET };
  const stored = async (): Promise<Json> => {
    expect((await app.post('/visits', visit('/settings', headers))).status).toBe(204);
    return (await newest()).visit.request_headers;
  };
  const found = await until(
    async () => {
      const now = await stored();
      return now['x-member'] !== 'one' && now;
    },
    { what: 'the settings hold' },
  );
  expect(found).toMatchObject({ 'x-member': '[redacted]', 'X-Cache-Token': 'kept', cookie: '[redacted]' });
  const refused = visit('/settings', { [`?x-member=${SECRET}`]: { odd: true } });
  expect((await app.post('/visits', refused)).status).toBe(422);
  const pointers = async (): Promise<string> =>
    JSON.stringify((await app.api('GET', `${project}/refused-requests`)).body.refused_requests);
  const listed = await until(
    async () => {
      const now = await pointers();
      return now.includes('x-member') && now;
    },
    { what: 'the refused visit is listed' },
  );
  expect(listed).toContain('?x-member=[redacted]');
  expect(listed).not.toContain(SECRET);
});
