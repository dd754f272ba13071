import { App, type Json } from '../kit/app.js';
import { BROWSER } from '../kit/client.js';
import { NO_SOURCES } from '../kit/identifier.js';
import { until } from '../kit/instance.js';

/** An address in a range published by Google. */
const OF_GOOGLE = '66.249.66.1';
const ORIGIN = { agent_token: 'Googlebot', operator_name: 'Google', range: expect.stringContaining('66.249.66.') };

let app: App;
let project: string;
beforeAll(async () => {
  app = await App.start({ sources: NO_SOURCES });
  const { body } = await app.api('GET', '/projects');
  project = `/projects/${body.projects[0].id}`;
});
afterAll(() => app.dispose());

const request = (address: string) => ({
  request_method: 'GET',
  request_path: '/',
  request_headers: { 'user-agent': BROWSER, 'x-forwarded-for': address },
});

async function recorded(address: string): Promise<Json> {
  expect((await app.post('/visits', request(address))).status).toBe(204);
  const { body } = await app.api('GET', `${project}/visits?limit=1`);
  return body.visits[0];
}

it("shows the published range of a browser's address to the owner only", async () => {
  const { identification } = await recorded(OF_GOOGLE);
  expect(identification).toMatchObject({ result: 'unknown_agent', agent_id: null, method: null, reason: null });
  expect(identification.evidence).toMatchObject({ address_origin: ORIGIN, steps: [] });
  const { request_headers } = request(OF_GOOGLE);
  const explained = await app.api('POST', '/identifications', { request_headers });
  expect(explained.body.identification.evidence.address_origin).toMatchObject(ORIGIN);
  expect((await app.post('/agent-identifications', { request_headers })).body).toEqual({ result: 'unknown_agent' });
  expect((await recorded('198.51.100.7')).identification.evidence).not.toHaveProperty('address_origin');
});

it('omits the range for visitors whose address is not stored', async () => {
  expect((await app.api('PATCH', project, { unknown_visitors: 'reduced' })).status).toBe(200);
  const reduced = async () => [await recorded(OF_GOOGLE)].find(({ kept_as }) => kept_as === 'reduced');
  const { client_address, identification } = await until(reduced, { what: 'the setting is in use' });
  expect(client_address).toBeNull();
  expect(identification.evidence).not.toHaveProperty('address_origin');
});
