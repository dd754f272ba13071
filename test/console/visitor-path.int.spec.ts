import { App, type Json } from '../kit/app.js';
import { GOOGLEBOT } from '../kit/client.js';
import { FORGED_ADDRESS } from '../kit/forged-addresses.js';
import { until } from '../kit/instance.js';

/** An address in a range that Google publishes. Attackers forge it, because it verifies Googlebot. */
const GOOGLE = FORGED_ADDRESS;
const STRANGER = '198.51.100.9';
const CLOUDFLARE_EDGE = '172.71.147.183';
const FASTLY_EDGE = '151.101.1.1';
const CLOUDFLARE = { networks: ['Cloudflare'] };

let app: App;
let projectId: string;
beforeAll(async () => {
  app = await App.start();
  [{ id: projectId }] = (await app.api('GET', '/projects')).body.projects;
});
afterAll(() => app.dispose());

const visitorPath = async (): Promise<Json> => (await app.api('GET', `/projects/${projectId}/visitor-path`)).body;
const setTrustedProxies = (trusted_proxies: object): Promise<Json> =>
  app.api('PATCH', `/projects/${projectId}`, { trusted_proxies });

const request = (request_headers: object, client_address?: string) => ({
  request_headers: { 'user-agent': GOOGLEBOT, ...request_headers },
  ...(client_address !== undefined && { client_address }),
});
const identify = async (headers: object): Promise<string> =>
  (await app.post('/agent-identifications', headers)).body.result;

/** Headers of a request that passes through Cloudflare and then the site's own proxy. */
const throughCloudflare = { 'x-forwarded-for': `${GOOGLE}, ${CLOUDFLARE_EDGE}`, 'cf-connecting-ip': GOOGLE };

it('lists all networks and returns no proposal before the first visit', async () => {
  const path = await visitorPath();
  expect(path).toMatchObject({ is_stated: false, visits: 0, unconfirmed_visits: 0, proposal: null });
  expect(path.networks).toEqual(expect.arrayContaining(['Akamai', 'Cloudflare', 'Google Cloud Load Balancing']));
});

it('accepts unconfirmed headers and adds a note until the visitor path is set', async () => {
  expect(await identify(request(throughCloudflare))).toBe('verified');
  expect(await identify(request({ 'x-forwarded-for': GOOGLE }))).toBe('verified');
  expect(await identify(request({ 'x-forwarded-for': GOOGLE }, FASTLY_EDGE))).toBe('verified');
  const explain = async (headers: object): Promise<Json> =>
    (await app.api('POST', '/identifications', { project_id: projectId, ...headers })).body.identification.evidence;
  const note = { client_address_note: 'unconfirmed_header' };
  expect(await explain(request({ 'x-forwarded-for': GOOGLE }))).toMatchObject(note);
  expect(await explain(request({}, GOOGLE))).not.toHaveProperty('client_address_note');
  expect(await explain({ request_headers: { 'user-agent': 'x', 'x-forwarded-for': GOOGLE } })).not.toHaveProperty(
    'client_address_note',
  );
});

it('proposes the network seen in the first visits', async () => {
  const visit = { request_path: '/', request_method: 'GET', ...request(throughCloudflare) };
  expect(
    (
      await app.post(
        '/visits',
        Array.from({ length: 6 }, () => visit),
      )
    ).status,
  ).toBe(204);
  const path = await until(
    async () => {
      const found = await visitorPath();
      return found.visits === 6 && found;
    },
    { condition: 'the visits are stored' },
  );
  expect(path).toMatchObject({
    is_stated: false,
    unconfirmed_visits: 6,
    proposal: { trusted_proxies: CLOUDFLARE, visits: 6 },
  });
});

it('ignores headers from other sources after the proposal is accepted', async () => {
  const { proposal } = await visitorPath();
  expect((await setTrustedProxies(proposal.trusted_proxies)).status).toBe(200);
  await until(async () => (await identify(request({ 'x-forwarded-for': GOOGLE }, FASTLY_EDGE))) !== 'verified', {
    condition: 'the setting is in effect',
  });
  expect(await visitorPath()).toMatchObject({ is_stated: true, proposal: null });
  // Clients that only implement the five public operations don't send `client_address`.
  expect(await identify(request(throughCloudflare))).toBe('verified');
  expect(await identify(request({ 'cf-connecting-ip': GOOGLE }))).toBe('verified');
  expect(await identify(request({ 'x-forwarded-for': GOOGLE }, CLOUDFLARE_EDGE))).toBe('verified');
  const forged = [
    request({ 'x-forwarded-for': GOOGLE }, STRANGER),
    request(throughCloudflare, STRANGER),
    request({ 'x-forwarded-for': `${GOOGLE}, ${FASTLY_EDGE}` }),
    request({ 'x-forwarded-for': `${GOOGLE}, ${STRANGER}`, 'cf-connecting-ip': GOOGLE }, '10.0.0.2'),
    request({ 'fastly-client-ip': GOOGLE }),
    request({ 'true-client-ip': GOOGLE }),
    request({ 'incap-client-ip': GOOGLE }),
  ];
  for (const headers of forged) expect([headers, await identify(headers)]).toEqual([headers, 'not_verifiable']);
});

it("trusts only the site's own proxies when no network is set", async () => {
  expect((await setTrustedProxies({ networks: [] })).status).toBe(200);
  await until(async () => (await identify(request(throughCloudflare))) !== 'verified', {
    condition: 'the setting is in effect',
  });
  expect(await identify(request({ 'x-forwarded-for': GOOGLE }))).toBe('verified');
  expect(await identify(request({ 'cf-connecting-ip': GOOGLE }))).toBe('not_verifiable');
  // The stored visits still show that Cloudflare is in use.
  expect(await visitorPath()).toMatchObject({ is_stated: true, proposal: { trusted_proxies: CLOUDFLARE } });
});

it("includes the project's existing ranges in the proposal", async () => {
  await setTrustedProxies({ ranges: ['203.0.113.0/24'] });
  expect(await visitorPath()).toMatchObject({
    is_stated: false,
    proposal: { trusted_proxies: { ...CLOUDFLARE, ranges: ['203.0.113.0/24'] } },
  });
  for (const setting of [{ hops: 1 }, { header: 'x-real-ip' }, { mode: 'none' }]) {
    await setTrustedProxies(setting);
    expect(await visitorPath()).toMatchObject({ is_stated: true, proposal: null });
  }
});

it('rejects unknown networks', async () => {
  const { status, body } = await setTrustedProxies({ networks: ['cloudflare', 'Nobody'] });
  expect([status, body.errors.map(({ pointer }: Json) => pointer)]).toEqual([422, ['/trusted_proxies/networks/1']]);
});

it('records the change in the audit log', async () => {
  await setTrustedProxies({ networks: ['Imperva'] });
  const { body } = await app.api('GET', `/projects/${projectId}/audit-entries`);
  expect(body.entries[0].after).toMatchObject({ trusted_proxies: { networks: ['Imperva'] } });
});
