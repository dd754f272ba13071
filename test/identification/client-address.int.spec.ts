import { App, type Json } from '../kit/app.js';
import { GOOGLEBOT } from '../kit/client.js';
import { FORGED_ADDRESS } from '../kit/forged-addresses.js';
import { until } from '../kit/instance.js';

/** An address in Google's published ranges. It verifies Google's crawler, so others forge it. */
const GOOGLE = FORGED_ADDRESS;
/** Result for other addresses: the bundled ranges are too old to disprove a claim. */
const UNPROVEN = 'not_verifiable';
const STRANGER = '198.51.100.9';
const MALFORMED = [
  '',
  'x',
  '1.2.3',
  '203.0.113.7:443',
  '203.0.113.0/24',
  '[2001:db8::1]',
  'a'.repeat(100_000),
  7,
  true,
  {},
];

let app: App;
let projectId: string;
beforeAll(async () => {
  app = await App.start();
  [{ id: projectId }] = (await app.api('GET', '/projects')).body.projects;
});
afterAll(() => app.dispose());

const request = (client_address: unknown, headers: object = {}) => ({
  request_headers: { 'user-agent': GOOGLEBOT, ...headers },
  ...(client_address !== undefined && { client_address }),
});

/** Returns the result, which must be the same for all three ways to ask. */
async function resultOf(asked: object): Promise<string> {
  const [one, [many], verified] = await Promise.all([
    app.post('/agent-identifications', asked).then(({ body }) => body.result as string),
    app.post('/agent-identifications', [asked]).then(({ body }) => [body[0].result as string]),
    app.post('/agent-verifications', { request_path: '/', ...asked }).then(({ body }) => body.result as string),
  ]);
  expect([many, verified]).toEqual([one, one]);
  return one;
}

const explain = async (asked: object): Promise<Json> =>
  (await app.api('POST', '/identifications', { project_id: projectId, ...asked })).body;

it('verifies clients of a site that is reached directly, without any header', async () => {
  expect(await resultOf(request(undefined))).toBe('not_verifiable');
  expect(await resultOf(request(GOOGLE))).toBe('verified');
  expect(await resultOf(request(`::ffff:${GOOGLE}`))).toBe('verified');
  expect(await resultOf(request(STRANGER))).toBe(UNPROVEN);
});

it('ignores headers from a peer that is not a proxy, and reads those from a proxy', async () => {
  const forged = { 'x-forwarded-for': GOOGLE };
  expect(await resultOf(request(STRANGER, forged))).toBe(UNPROVEN);
  expect(await resultOf(request(GOOGLE, { 'x-forwarded-for': STRANGER }))).toBe('verified');
  expect(await resultOf(request('10.0.0.1', { 'x-forwarded-for': `${STRANGER}, ${GOOGLE}` }))).toBe('verified');
  expect(await resultOf(request('10.0.0.1', { 'x-forwarded-for': `${GOOGLE}, ${STRANGER}` }))).toBe(UNPROVEN);
});

it('treats null as absent and rejects malformed addresses', async () => {
  const headers = { 'x-forwarded-for': GOOGLE };
  expect(await resultOf(request(null, headers))).toBe('verified');
  for (const value of MALFORMED) {
    for (const [path, body, pointer] of [
      ['/agent-identifications', request(value, headers), '/client_address'],
      ['/agent-identifications', [request(null), request(value, headers)], '/1/client_address'],
      ['/agent-verifications', { request_path: '/', ...request(value, headers) }, '/client_address'],
      ['/visits', { request_path: '/', request_method: 'GET', ...request(value, headers) }, '/client_address'],
    ] as const) {
      const { status, body: problem } = await app.post(path, body);
      expect([value, path, status, problem.errors?.[0]?.pointer]).toEqual([value, path, 422, pointer]);
    }
  }
});

it('records the address with the visit and lists it', async () => {
  const visit = (path: string, more: object) => ({ request_path: path, request_method: 'GET', ...more });
  const posted = [
    visit('/direct', request(GOOGLE)),
    visit('/forged', request(STRANGER, { 'x-forwarded-for': GOOGLE })),
    visit('/without', request(undefined, { 'x-forwarded-for': GOOGLE })),
  ];
  expect((await app.post('/visits', posted)).status).toBe(204);
  const visits: Json[] = await until(
    async () => {
      const { body } = await app.api('GET', `/projects/${projectId}/visits`);
      return body.visits.length === 3 && body.visits;
    },
    { what: 'the visits are stored' },
  );
  const seen = visits.map(({ visit: { request_path }, client_address, identification: { result, evidence } }) => [
    request_path,
    client_address,
    result,
    evidence.client_address_reason,
  ]);
  expect(seen.toSorted()).toEqual([
    ['/direct', GOOGLE, 'verified', 'connection_peer'],
    ['/forged', STRANGER, UNPROVEN, 'connection_peer'],
    ['/without', GOOGLE, 'verified', 'forwarded_list'],
  ]);
});

it('uses client_address if the project trusts no header', async () => {
  await app.api('PATCH', `/projects/${projectId}`, { trusted_proxies: { mode: 'none' } });
  const headers = { 'x-forwarded-for': GOOGLE };
  await until(async () => (await resultOf(request(undefined, headers))) === UNPROVEN, {
    what: 'the setting is in use',
  });
  expect(await resultOf(request(GOOGLE))).toBe('verified');
  expect(await explain(request(GOOGLE))).toMatchObject({
    client_address: GOOGLE,
    identification: { evidence: { client_address_source: null, client_address_reason: 'connection_peer' } },
  });
});
