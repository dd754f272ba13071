import { App, type Json } from '../kit/app.js';
import { BROWSER } from '../kit/client.js';
import { UNAVAILABLE_SOURCES } from '../kit/identifier.js';
import { until } from '../kit/instance.js';

/** Address in a range that Google publishes. */
const GOOGLE_ADDRESS = '66.249.66.1';
const ORIGIN = { agent_token: 'Googlebot', operator_name: 'Google', range: expect.stringContaining('66.249.66.') };

let app: App;
let project: string;
beforeAll(async () => {
  app = await App.start({ sources: UNAVAILABLE_SOURCES });
  const { body } = await app.api('GET', '/projects');
  project = `/projects/${body.projects[0].id}`;
});
afterAll(() => app.dispose());

const createRequest = (address: string) => ({
  request_method: 'GET',
  request_path: '/',
  request_headers: { 'user-agent': BROWSER, 'x-forwarded-for': address },
});

async function recordVisit(address: string): Promise<Json> {
  expect((await app.post('/visits', createRequest(address))).status).toBe(204);
  const { body } = await app.api('GET', `${project}/visits?limit=1`);
  return body.visits[0];
}

it("reports the published range that contains a browser's address to the site owner only", async () => {
  const { identification } = await recordVisit(GOOGLE_ADDRESS);
  expect(identification).toMatchObject({ result: 'unknown_agent', agent_id: null, method: null, reason: null });
  expect(identification.evidence).toMatchObject({ address_origin: ORIGIN, steps: [] });
  const { request_headers } = createRequest(GOOGLE_ADDRESS);
  const explanation = await app.api('POST', '/identifications', { request_headers });
  expect(explanation.body.identification.evidence.address_origin).toMatchObject(ORIGIN);
  expect((await app.post('/agent-identifications', { request_headers })).body).toEqual({ result: 'unknown_agent' });
  expect((await recordVisit('198.51.100.7')).identification.evidence).not.toHaveProperty('address_origin');
});

it('omits the range if the visitor address is not stored', async () => {
  expect((await app.api('PATCH', project, { unknown_visitors: 'reduced' })).status).toBe(200);
  const findReducedVisit = async () => [await recordVisit(GOOGLE_ADDRESS)].find(({ kept_as }) => kept_as === 'reduced');
  const { client_address, identification } = await until(findReducedVisit, { condition: 'the setting takes effect' });
  expect(client_address).toBeNull();
  expect(identification.evidence).not.toHaveProperty('address_origin');
});
