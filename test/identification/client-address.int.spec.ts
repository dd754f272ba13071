import { App, type Json } from '../kit/app.js';
import { GOOGLEBOT } from '../kit/client.js';
import { FORGED_ADDRESS } from '../kit/forged-addresses.js';
import { until } from '../kit/instance.js';

/** An address in Google's published ranges. Being in these ranges is what verifies Googlebot, so attackers spoof it. */
const GOOGLE_ADDRESS = FORGED_ADDRESS;
/** Result for all other addresses. The bundled ranges are too old to refute a claim. */
const INCONCLUSIVE_RESULT = 'not_verifiable';
const OTHER_ADDRESS = '198.51.100.9';
const MALFORMED_ADDRESSES = [
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

const createRequest = (client_address: unknown, headers: object = {}) => ({
  request_headers: { 'user-agent': GOOGLEBOT, ...headers },
  ...(client_address !== undefined && { client_address }),
});

/** Returns the result. Fails unless single identification, batch identification and verification agree. */
async function getResult(requestBody: object): Promise<string> {
  const [singleResult, [batchResult], verified] = await Promise.all([
    app.post('/agent-identifications', requestBody).then(({ body }) => body.result as string),
    app.post('/agent-identifications', [requestBody]).then(({ body }) => [body[0].result as string]),
    app.post('/agent-verifications', { request_path: '/', ...requestBody }).then(({ body }) => body.result as string),
  ]);
  expect([batchResult, verified]).toEqual([singleResult, singleResult]);
  return singleResult;
}

const explain = async (requestBody: object): Promise<Json> =>
  (await app.api('POST', '/identifications', { project_id: projectId, ...requestBody })).body;

it('verifies clients by client_address if there is no proxy', async () => {
  expect(await getResult(createRequest(undefined))).toBe('not_verifiable');
  expect(await getResult(createRequest(GOOGLE_ADDRESS))).toBe('verified');
  expect(await getResult(createRequest(`::ffff:${GOOGLE_ADDRESS}`))).toBe('verified');
  expect(await getResult(createRequest(OTHER_ADDRESS))).toBe(INCONCLUSIVE_RESULT);
});

it('trusts forwarding headers only if client_address is a proxy', async () => {
  const forgedHeaders = { 'x-forwarded-for': GOOGLE_ADDRESS };
  expect(await getResult(createRequest(OTHER_ADDRESS, forgedHeaders))).toBe(INCONCLUSIVE_RESULT);
  expect(await getResult(createRequest(GOOGLE_ADDRESS, { 'x-forwarded-for': OTHER_ADDRESS }))).toBe('verified');
  expect(await getResult(createRequest('10.0.0.1', { 'x-forwarded-for': `${OTHER_ADDRESS}, ${GOOGLE_ADDRESS}` }))).toBe(
    'verified',
  );
  expect(await getResult(createRequest('10.0.0.1', { 'x-forwarded-for': `${GOOGLE_ADDRESS}, ${OTHER_ADDRESS}` }))).toBe(
    INCONCLUSIVE_RESULT,
  );
});

it('treats a null client_address as absent and rejects a malformed one', async () => {
  const headers = { 'x-forwarded-for': GOOGLE_ADDRESS };
  expect(await getResult(createRequest(null, headers))).toBe('verified');
  for (const value of MALFORMED_ADDRESSES) {
    for (const [path, body, pointer] of [
      ['/agent-identifications', createRequest(value, headers), '/client_address'],
      ['/agent-identifications', [createRequest(null), createRequest(value, headers)], '/1/client_address'],
      ['/agent-verifications', { request_path: '/', ...createRequest(value, headers) }, '/client_address'],
      ['/visits', { request_path: '/', request_method: 'GET', ...createRequest(value, headers) }, '/client_address'],
    ] as const) {
      const { status, body: problem } = await app.post(path, body);
      expect([value, path, status, problem.errors?.[0]?.pointer]).toEqual([value, path, 422, pointer]);
    }
  }
});

it('stores client_address with the visit and returns it in the visit list', async () => {
  const visit = (path: string, more: object) => ({ request_path: path, request_method: 'GET', ...more });
  const postedVisits = [
    visit('/direct', createRequest(GOOGLE_ADDRESS)),
    visit('/forged', createRequest(OTHER_ADDRESS, { 'x-forwarded-for': GOOGLE_ADDRESS })),
    visit('/without', createRequest(undefined, { 'x-forwarded-for': GOOGLE_ADDRESS })),
  ];
  expect((await app.post('/visits', postedVisits)).status).toBe(204);
  const visits: Json[] = await until(
    async () => {
      const { body } = await app.api('GET', `/projects/${projectId}/visits`);
      return body.visits.length === 3 && body.visits;
    },
    { condition: 'the visits are stored' },
  );
  const summaries = visits.map(({ visit: { request_path }, client_address, identification: { result, evidence } }) => [
    request_path,
    client_address,
    result,
    evidence.client_address_reason,
  ]);
  expect(summaries.toSorted()).toEqual([
    ['/direct', GOOGLE_ADDRESS, 'verified', 'connection_peer'],
    ['/forged', OTHER_ADDRESS, INCONCLUSIVE_RESULT, 'connection_peer'],
    ['/without', GOOGLE_ADDRESS, 'verified', 'forwarded_list'],
  ]);
});

it('uses client_address if the project trusts no proxies', async () => {
  await app.api('PATCH', `/projects/${projectId}`, { trusted_proxies: { mode: 'none' } });
  const headers = { 'x-forwarded-for': GOOGLE_ADDRESS };
  await until(async () => (await getResult(createRequest(undefined, headers))) === INCONCLUSIVE_RESULT, {
    condition: 'the setting takes effect',
  });
  expect(await getResult(createRequest(GOOGLE_ADDRESS))).toBe('verified');
  expect(await explain(createRequest(GOOGLE_ADDRESS))).toMatchObject({
    client_address: GOOGLE_ADDRESS,
    identification: { evidence: { client_address_source: null, client_address_reason: 'connection_peer' } },
  });
});
