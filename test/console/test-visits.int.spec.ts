import type { IncomingMessage, RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { nodeSnippet } from '../../apps/web/src/pages/get-started/snippets.js';
import { App, type Json } from '../kit/app.js';
import { HttpsServer, createCertificates } from '../kit/https.js';
import { freePort, until } from '../kit/instance.js';
import { disposeSites, startSilentSite, Site } from '../kit/site.js';

let app: App;
/** Base URL of the instance. */
let address: string;

let lookups: string[] = [];
let resolve = (): string[] => ['127.0.0.1'];

beforeAll(async () => {
  app = await App.start({
    testVisits: {
      allowPrivateAddresses: true,
      lookup: async (name) => {
        lookups.push(name);
        if (name === 'nowhere.test')
          throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
        return resolve().map((address) => ({ address, family: 4 }));
      },
    },
  });
  await app.nest.listen(0, '127.0.0.1');
  address = await app.nest.getUrl();
});
beforeEach(() => {
  lookups = [];
  resolve = () => ['127.0.0.1'];
});
afterAll(async () => {
  await disposeSites();
  await app.dispose();
});

/** Starts a slow test before the others, so that its timeout passes while they run. */
function startEarly(flow: () => Promise<void>): () => Promise<void> {
  let flowing: Promise<void>;
  beforeAll(() => {
    flowing = flow();
    flowing.catch(() => undefined);
  });
  return () => flowing;
}

/** Starts a site with the unmodified integration snippet. @returns the site's URL */
async function startSite(token: string, add?: (server: FastifyInstance) => void): Promise<string> {
  const integrated = await Site.start(add);
  await integrated.installIntegration(nodeSnippet({ address, token }));
  return integrated.url;
}

/** Creates a project. Every test needs a separate one, because test visits are rate-limited per project. */
async function createProject(siteAddress: string | null): Promise<{ id: string; token: string; tokenId: string }> {
  const { id } = (await app.api('POST', '/projects', { name: 'Site', site_address: siteAddress })).body;
  const { token, id: tokenId } = (await app.api('POST', `/projects/${id}/tokens`, { name: 'shop-eu' })).body;
  return { id, token, tokenId };
}

async function send(id: string, body: object = {}): Promise<string> {
  const { status, body: started } = await app.api('POST', `/projects/${id}/test-visits`, body);
  expect([status, started.project_id]).toEqual([202, id]);
  return started.id;
}

/** Waits until the test visit finishes. @returns the test visit */
async function waitForOutcome(id: string, testVisitId: string, of = app): Promise<Json> {
  return until(
    async () => {
      const { body } = await of.api('GET', `/projects/${id}/test-visits/${testVisitId}`);
      return body.stage === 'finished' && body;
    },
    { condition: 'the test visit has finished' },
  );
}

const sendTestVisitTo = async (siteAddress: string | null): Promise<Json> => {
  const { id } = await createProject(siteAddress);
  return waitForOutcome(id, await send(id));
};

it('verifies a test visit reported by a Fastify site with the integration snippet', async () => {
  const before = Date.now();
  const { id, token, tokenId } = await createProject(null);
  await app.api('PATCH', `/projects/${id}`, { site_address: await startSite(token) });
  const result = await waitForOutcome(id, await send(id));
  expect(result).toMatchObject({
    outcome: 'arrived',
    next_steps: [],
    answer: { status: 200, milliseconds: expect.any(Number) },
    report: { result: 'verified' },
    refused_request: null,
  });
  expect(result.message).toMatch(/^The visit arrived .+ after it was sent, and was identified and verified\.$/);
  const { body } = await app.api('GET', `/projects/${id}/visits/${result.report.visit_id}`);
  expect(body.visit.request_path).toMatch(/^\/\?agent-traffic-test=\w+-0$/);
  expect(body.identification).toMatchObject({ agent_token: 'Agent Traffic Test Agent', result: 'verified' });
  const used = await until(
    async () => {
      const { tokens } = (await app.api('GET', `/projects/${id}/tokens`)).body;
      return tokens.find((one: Json) => one.id === tokenId).last_used_at;
    },
    { condition: 'the token has been used' },
  );
  expect(Date.parse(used)).toBeGreaterThanOrEqual(before);
});

it("explains why a visit isn't verified", async () => {
  const { id, token } = await createProject(null);
  const reportWith = async (headers: (all: object) => object) =>
    startSilentSite((request, response) => {
      const visit = { request_path: request.url, request_method: 'GET', request_headers: headers(request.headers) };
      void app.post('/visits', visit, { authorization: `Bearer ${token}` });
      response.end();
    });
  await app.api('PATCH', `/projects/${id}`, { site_address: await reportWith(() => ({ 'user-agent': 'hidden' })) });
  expect(await waitForOutcome(id, await send(id))).toMatchObject({
    outcome: 'arrived',
    report: { result: 'unknown_agent' },
    message: expect.stringContaining(
      'is missing the request headers signature-agent, signature-input, signature, host',
    ),
    next_steps: [expect.anything(), expect.stringContaining('The report has no client address')],
  });
  const whole = await reportWith((all) => all);
  await app.api('PATCH', `/projects/${id}`, { site_address: whole, host_names: ['shop.example'] });
  expect(await waitForOutcome(id, await send(id))).toMatchObject({
    outcome: 'arrived',
    report: { reason: 'authority_not_expected' },
    message: expect.stringContaining(`${new URL(whole).host} is not one of the project's host names`),
  });
});

it('explains why the site is unreachable', async () => {
  expect(await sendTestVisitTo(null)).toMatchObject({
    outcome: 'no_site_address',
    next_steps: ["Enter the site address in the project's settings."],
  });
  expect(await sendTestVisitTo('https://nowhere.test/')).toMatchObject({
    outcome: 'name_not_resolved',
    message: expect.stringContaining('nowhere.test could not be resolved'),
  });
  expect(await sendTestVisitTo(`http://127.0.0.1:${await freePort()}`)).toMatchObject({
    outcome: 'connection_refused',
    message: expect.stringMatching(/^The connection failed because nothing is listening at 127/),
  });
  const plain = await startSilentSite((_, response) => response.end());
  expect(await sendTestVisitTo(plain.replace('http:', 'https:'))).toMatchObject({ outcome: 'tls_failed' });
  const certificates = await createCertificates(['DNS:shop.test']);
  const secure = await HttpsServer.start(certificates, (_, response) => response.end());
  expect(await sendTestVisitTo(`https://shop.test:${secure.port}`)).toMatchObject({
    outcome: 'tls_failed',
    message: expect.stringMatching(/^The TLS connection to shop\.test:\d+ failed/),
  });
  await secure.dispose();
  const away = await startSilentSite((_, response) =>
    response.writeHead(302, { location: 'https://www.shop.test/' }).end(),
  );
  expect(await sendTestVisitTo(away)).toMatchObject({
    outcome: 'redirected_away',
    message: expect.stringMatching(/redirects to another host \(https:\/\/www\.shop\.test\/\)\.$/),
  });
  const round = await startSilentSite((_, response) => response.writeHead(302, { location: '/again?and=again' }).end());
  expect(await sendTestVisitTo(round)).toMatchObject({ outcome: 'too_many_redirects' });
});

it('rate-limits test visits per project', async () => {
  const { id } = await createProject(null);
  const responses = [];
  for (let index = 0; index < 8; index += 1) responses.push(await app.api('POST', `/projects/${id}/test-visits`, {}));
  expect(responses.slice(0, 5).map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
  expect(responses[7]!.status).toBe(429);
  expect(responses[7]!.headers['retry-after']).toEqual(expect.any(String));
});

describe('with only public addresses allowed', () => {
  let strict: App;
  let lookupCount = 0;
  beforeAll(async () => {
    strict = await App.start({
      testVisits: {
        allowPrivateAddresses: false,
        // A second lookup would return the loopback address.
        lookup: async () => [{ address: lookupCount++ === 0 ? '192.0.2.1' : '127.0.0.1', family: 4 }],
      },
    });
  });
  afterAll(() => strict.dispose());
  beforeEach(() => {
    lookupCount = 0;
  });

  const sendStrictTestVisit = async (siteAddress: string): Promise<Json> => {
    const { id } = (await strict.api('POST', '/projects', { name: 'Site', site_address: siteAddress })).body;
    const { body } = await strict.api('POST', `/projects/${id}/test-visits`, {});
    return waitForOutcome(id, body.id, strict);
  };

  it.each(['http://127.0.0.1:9', 'http://[::1]/', 'http://localhost', 'http://router.local', 'https://shop.example'])(
    'rejects %s and names the setting that allows it',
    async (siteAddress) => {
      const result = await sendStrictTestVisit(siteAddress);
      expect(result).toMatchObject({ outcome: 'address_refused', answer: null });
      expect(result.next_steps.join()).toContain('TEST_VISIT_ALLOW_PRIVATE=true');
    },
  );

  it("doesn't reveal internal addresses", async () => {
    const { message } = await sendStrictTestVisit('https://shop.example');
    expect(message).toBe('The request was not sent because shop.example has no public address.');
  });
});

it('resolves a host name only once to prevent DNS rebinding', async () => {
  let hits = 0;
  const inside = await startSilentSite((_, response) => {
    hits += 1;
    response.writeHead(302, { location: `/${hits}` }).end();
  });
  const { port } = new URL(inside);
  let lookupCount = 0;
  resolve = () => [lookupCount++ === 0 ? '127.0.0.1' : '127.0.0.2'];
  expect(await sendTestVisitTo(`http://rebinding.test:${port}`)).toMatchObject({ outcome: 'too_many_redirects' });
  expect([lookups, hits]).toEqual([['rebinding.test'], 6]);
});

it(
  'receives a test visit from another page when redirects drop the query string',
  startEarly(async () => {
    const { id, token } = await createProject(null);
    const siteAddress = await startSite(token, (server) => {
      server.get('/old', async (_, reply) => reply.redirect('/new'));
      server.get('/new', async (request, reply) => {
        // Strip the query string by redirecting to the bare path.
        if (request.url.includes('?')) return reply.redirect('/new');
        return 'here';
      });
    });
    await app.api('PATCH', `/projects/${id}`, { site_address: siteAddress });
    const result = await waitForOutcome(id, await send(id, { path: '/old' }));
    expect(result).toMatchObject({ outcome: 'arrived', url: `${siteAddress}/new`, report: { result: 'verified' } });
    const { body } = await app.api('GET', `/projects/${id}/visits/${result.report.visit_id}`);
    expect(body.visit.request_path).toBe('/new');
    for (const path of ['//evil.test/', '/\\evil.test/', 'https://evil.test/', 'relative']) {
      expect((await app.api('POST', `/projects/${id}/test-visits`, { path })).status).toBe(422);
    }
  }),
);

it('receives a test visit even if the site reports redirected requests out of order', async () => {
  const { id, token } = await createProject(null);
  const visitOf = ({ url, headers }: IncomingMessage): object => ({
    request_path: url,
    request_method: 'GET',
    request_headers: headers,
  });
  let first: object;
  const siteAddress = await startSilentSite((request, response) => {
    const report = async (): Promise<void> => {
      for (const visit of [visitOf(request), first])
        await app.post('/visits', visit, { authorization: `Bearer ${token}` });
      response.end();
    };
    if (request.url!.startsWith('/new')) return void report();
    first = visitOf(request);
    response.writeHead(302, { location: '/new' }).end();
  });
  await app.api('PATCH', `/projects/${id}`, { site_address: siteAddress });
  const result = await waitForOutcome(id, await send(id));
  const { body } = await app.api('GET', `/projects/${id}/visits/${result.report.visit_id}`);
  expect(body.visit.request_path).toMatch(/^\/new\?agent-traffic-test=\w+-1$/);
});

it(
  'explains that the token is revoked',
  startEarly(async () => {
    const { id, token, tokenId } = await createProject(null);
    await app.api('DELETE', `/projects/${id}/tokens/${tokenId}`);
    await app.api('PATCH', `/projects/${id}`, { site_address: await startSite(token) });
    expect(await waitForOutcome(id, await send(id))).toMatchObject({
      outcome: 'report_refused',
      answer: { status: 200 },
      refused_request: { status: 401, token_name: 'shop-eu', path: '/visits', pointer: null },
      message: 'The site sent a report with the revoked token “shop-eu” (401).',
    });
    const { body } = await app.api('GET', `/projects/${id}/refused-requests`);
    expect(body.refused_requests).toMatchObject([
      { status: 401, code: 'unauthorized', token_name: 'shop-eu', method: 'POST', client_address: '127.0.0.1' },
    ]);
    expect(JSON.stringify(body)).not.toContain(token);
  }),
);

it(
  "names the invalid field in the site's report",
  startEarly(async () => {
    const { id, token } = await createProject(null);
    const siteAddress = await startSilentSite((request, response) => {
      const visit = { request_path: request.url, request_method: 'GET', request_headers: 'none' };
      void app.post('/visits', visit, { authorization: `Bearer ${token}` });
      response.end();
    });
    await app.api('PATCH', `/projects/${id}`, { site_address: siteAddress });
    const result = await waitForOutcome(id, await send(id));
    expect(result).toMatchObject({
      outcome: 'report_refused',
      refused_request: { status: 422, code: 'invalid-body', pointer: '/request_headers', token_name: 'shop-eu' },
    });
    expect(result.message).toMatch(/^The site sent a report, but it was rejected with 422 at \/request_headers: /);
  }),
);

it(
  "explains that the site didn't report the visit within 15 s",
  startEarly(async () => {
    const sites: [RequestListener, number, RegExp][] = [
      [(_, response) => response.end('ok'), 200, /integration is installed/],
      [(_, response) => response.writeHead(403).end(), 403, /responded with 403\. A firewall or bot protection/],
      [(_, response) => response.writeHead(500).end(), 500, /responded with 500/],
    ];
    await Promise.all(
      sites.map(async ([listener, status, hint]) => {
        const result = await sendTestVisitTo(await startSilentSite(listener));
        expect(result).toMatchObject({
          outcome: 'not_reported',
          answer: { status },
          message: `The site responded with ${status}, but did not report the visit within 15 s.`,
        });
        expect(result.next_steps.join('\n')).toMatch(hint);
      }),
    );
  }),
);

it(
  'times out a test visit after 10 s and rejects a concurrent one',
  startEarly(async () => {
    const { id } = await createProject(await startSilentSite(() => undefined));
    const testVisitId = await send(id);
    const second = await app.api('POST', `/projects/${id}/test-visits`, {});
    expect([second.status, second.body.detail]).toEqual([409, expect.stringContaining('in progress')]);
    expect((await app.api('GET', `/projects/${id}/test-visits/${testVisitId}`)).body).toMatchObject({
      stage: 'requesting',
      outcome: null,
      message: null,
    });
    expect(await waitForOutcome(id, testVisitId)).toMatchObject({
      outcome: 'timed_out',
      message: expect.stringContaining('did not respond within 10 s'),
    });
  }),
);

// This test runs after the other ones, because reports with unknown tokens are only matched to test visits by address.
it('explains that the token is unknown or belongs to another project', async () => {
  const { id } = await createProject(null);
  await app.api('PATCH', `/projects/${id}`, { site_address: await startSite('agt_nobody') });
  expect(await waitForOutcome(id, await send(id))).toMatchObject({
    outcome: 'report_refused',
    refused_request: { status: 401, token_name: null },
    message: 'The site sent a report with an unknown token (401).',
  });
  const unknown = (await app.api('GET', '/refused-requests')).body.refused_requests;
  expect(unknown[0]).toMatchObject({ status: 401, client_address: '127.0.0.1', token_name: null });

  await app.api('PATCH', `/projects/${id}`, { site_address: await startSite(app.accessToken) });
  expect(await waitForOutcome(id, await send(id))).toMatchObject({
    outcome: 'reported_elsewhere',
    message: expect.stringContaining('but to the project “'),
  });
});

describe('rejected requests', () => {
  const waitForRejectedRequests = (id: string, count: number): Promise<Json[]> =>
    until(
      async () => {
        const { refused_requests: list } = (await app.api('GET', `/projects/${id}/refused-requests`)).body;
        return list.length >= count && list;
      },
      { condition: `${count} rejected requests are listed` },
    );

  it('lists up to ten rejected requests with their status and invalid field but without their body', async () => {
    const { id, token } = await createProject(null);
    expect((await app.api('GET', `/projects/${id}/refused-requests`)).body).toEqual({ refused_requests: [] });
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': '198.51.100.7' };
    const raw = (payload: string, extra: object = {}) =>
      app.nest.inject({
        method: 'POST',
        url: '/visits',
        payload,
        headers: { 'content-type': 'application/json', ...headers, ...extra },
      });
    await raw('{"secret-of-mine": tru');
    await raw('x', { 'content-type': 'text/plain' });
    await app.post('/agent-verifications', { request_path: '/', request_headers: 7 }, headers);
    await app.post('/visits', [{ request_path: '/secret-of-mine' }], headers);
    const list = await waitForRejectedRequests(id, 4);
    expect(list).toMatchObject([
      { path: '/visits', status: 422, code: 'invalid-body', pointer: expect.stringMatching(/^\/0\//) },
      { path: '/agent-verifications', status: 422, pointer: '/request_headers' },
      { path: '/visits', status: 415, code: 'unsupported-media-type', pointer: null },
      { path: '/visits', status: 400, code: 'malformed-json', pointer: null, detail: "The body isn't valid JSON." },
    ]);
    for (const one of list) {
      expect(one).toMatchObject({ times: 1, method: 'POST', token_name: 'shop-eu', client_address: '198.51.100.7' });
    }
    expect(JSON.stringify(list)).not.toContain('secret-of-mine');

    for (let index = 0; index < 30; index += 1) {
      await app.post('/visits', [], { ...headers, 'x-forwarded-for': `198.51.100.${index}` });
      await app.post('/visits', 7, { ...headers, 'x-forwarded-for': `198.51.100.${index}` });
    }
    const last = await until(
      async () => {
        const now = await waitForRejectedRequests(id, 10);
        return now[0].client_address === '198.51.100.29' && now;
      },
      { condition: 'the last request is listed' },
    );
    expect(last).toHaveLength(10);
  });

  it('groups identical rejected requests and limits their number', async () => {
    const { id, token } = await createProject(null);
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => [
        app.post('/visits', 7, { authorization: `Bearer ${token}` }),
        app.post('/visits', 7, { authorization: `Bearer agt_guess${index}`, 'x-forwarded-for': `203.0.113.${index}` }),
      ]).flat(),
    );
    const counted = () =>
      waitForRejectedRequests(id, 1).then((list) => list.reduce((sum, { times }) => sum + times, 0));
    await until(async () => (await counted()) === 200, { condition: 'all requests are counted' });
    expect((await waitForRejectedRequests(id, 1)).length).toBeLessThan(10);
    const [{ count }] = await app.database.dataSource.query(
      `SELECT count(*)::integer AS count FROM refused_requests WHERE project_id IS NULL`,
    );
    expect(count).toBeLessThanOrEqual(100);
  });
});

it('records a sample visit that is marked as such', async () => {
  const { id } = await createProject('https://www.shop.example/');
  const { status, body } = await app.api('POST', `/projects/${id}/sample-visits`, {});
  expect(status).toBe(202);
  const visit = await until(
    async () => {
      const found = await app.api('GET', `/projects/${id}/visits/${body.visit_id}`);
      return found.status === 200 && found.body;
    },
    { condition: 'the sample visit is stored' },
  );
  expect(visit).toMatchObject({
    visit: {
      request_path: '/sample-visit',
      request_headers: { host: 'www.shop.example', 'x-agent-traffic-sample': 'yes' },
    },
    client_address: '192.0.2.1',
    identification: { result: 'verified', agent_token: 'Agent Traffic Test Agent' },
  });
});
