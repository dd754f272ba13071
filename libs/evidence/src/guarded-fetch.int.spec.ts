import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { HttpsServer, createCertificates, type TestCertificates } from '../../../test/kit/https.js';
import { until } from '../../../test/kit/instance.js';
import { PUBLIC_EGRESS, type EgressPolicy } from './egress-policy.js';
import { guardedFetch, type FetchRequest } from './guarded-fetch.js';

const LOOPBACK = { address: '127.0.0.1', family: 4 };
/** Public address that isn't assigned to anyone, so connections never succeed. */
const UNREACHABLE = { address: '2c0f:ffff:ffff::1', family: 6 };

let certificates: TestCertificates;
let server: HttpsServer;
let localPolicy: EgressPolicy;

beforeAll(async () => {
  certificates = await createCertificates(['DNS:agent.test', 'DNS:agent.example']);
  server = await HttpsServer.start(certificates, () => undefined);
  localPolicy = {
    allowPrivateAddresses: true,
    allowedPorts: 'any',
    ca: certificates.ca,
    lookup: async () => [LOOPBACK],
  };
});
beforeEach(() => {
  server.requests.length = 0;
  server.handler = (_, response) => response.end('{}');
});
afterAll(() => server.dispose());

const get = (request: Partial<FetchRequest> = {}, policy = localPolicy, host = 'agent.test') =>
  guardedFetch(`https://${host}:${server.port}/list?a=b`, { maxBytes: 1_000, timeoutMs: 30_000, ...request }, policy);
const respondWith = (status: number, headers: Record<string, string>, body: string | Buffer = '') => {
  server.handler = (_, response: ServerResponse) => response.writeHead(status, headers).end(body);
};

it('fetches over TLS without compression and sends only the expected headers', async () => {
  respondWith(200, { etag: '"1"', 'content-type': 'text/plain' }, 'body ä');
  const fetched = await get({ headers: { accept: 'text/plain', 'accept-encoding': 'br' } });
  expect(fetched).toMatchObject({ status: 200, headers: { etag: '"1"', 'content-type': 'text/plain' } });
  expect(fetched.body.toString()).toBe('body ä');
  expect(server.requests.map(({ method, url }) => [method, url])).toEqual([['GET', '/list?a=b']]);
  expect(server.requests[0]!.headers).toEqual({
    host: `agent.test:${server.port}`,
    connection: 'close',
    accept: 'text/plain',
    'accept-encoding': 'identity',
    'user-agent': expect.stringMatching(/^AgentTraffic\//),
  });
});

it('rejects a certificate from an unknown authority or for another name', async () => {
  const { ca: _, ...untrusting } = localPolicy;
  await expect(get({}, untrusting)).rejects.toMatchObject({ fault: 'unreachable' });
  await expect(get({}, localPolicy, 'other.test')).rejects.toMatchObject({ fault: 'unreachable' });
  expect(server.requests).toEqual([]);
});

describe('address checks', () => {
  it('rejects loopback addresses and names', async () => {
    const request = { maxBytes: 1_000, timeoutMs: 30_000 };
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '127.0.0.1.', '2130706433']) {
      const url = `https://${host}:${server.port}/`;
      await expect(guardedFetch(url, request)).rejects.toMatchObject({ fault: 'address_refused' });
      const anyPort: EgressPolicy = { ...PUBLIC_EGRESS, allowedPorts: 'any' };
      await expect(guardedFetch(url, request, anyPort)).rejects.toMatchObject({ fault: 'address_refused' });
    }
    expect(server.requests).toEqual([]);
  });

  it('omits a rejected URL from the error, because its path may be a secret', async () => {
    const rejectedFetch = guardedFetch('http://hooks.agent.example/secret', { maxBytes: 1_000, timeoutMs: 30_000 });
    await expect(rejectedFetch).rejects.toMatchObject({ fault: 'address_refused', message: 'it must use https' });
  });

  it.each([
    ['to loopback only', [LOOPBACK]],
    ['to a public address and loopback', [UNREACHABLE, LOOPBACK]],
    ['to an IPv4-mapped IPv6 address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['to no address', []],
  ])('rejects a public name that resolves %s', async (_, addresses) => {
    const policy: EgressPolicy = { ...localPolicy, allowPrivateAddresses: false, lookup: async () => addresses };
    await expect(get({}, policy, 'agent.example')).rejects.toMatchObject({
      fault: 'address_refused',
      message: 'agent.example has no public address',
    });
    expect(server.requests).toEqual([]);
  });

  it('does not reveal whether a name exists in a private network', async () => {
    const lookups = [
      async () => [LOOPBACK],
      async () => [],
      ...['ENOTFOUND', 'ENODATA'].map(
        (code) => () => Promise.reject(Object.assign(new Error(`queryA ${code}`), { code })),
      ),
    ];
    for (const lookup of lookups) {
      const error = await get({}, { ...localPolicy, allowPrivateAddresses: false, lookup }, 'agent.example').catch(
        (e: unknown) => e,
      );
      expect(error).toMatchObject({ fault: 'address_refused', message: 'agent.example has no public address' });
    }
  });

  it('connects to the checked address even if the name resolves to another one later', async () => {
    const lookedUpNames: string[] = [];
    const rebinding = async (hostName: string) => [lookedUpNames.push(hostName) === 1 ? UNREACHABLE : LOOPBACK];
    const policy: EgressPolicy = { ...localPolicy, allowPrivateAddresses: false, lookup: rebinding };
    await expect(get({ timeoutMs: 300 }, policy, 'agent.example')).rejects.toMatchObject({
      fault: expect.stringMatching(/^(?:unreachable|timed_out)$/),
    });
    expect(lookedUpNames).toEqual(['agent.example']);
    expect(server.requests).toEqual([]);
    await expect(get({}, policy, 'agent.example')).rejects.toMatchObject({ fault: 'address_refused' });
  });

  it('ignores proxy settings in the environment', async () => {
    process.env['HTTPS_PROXY'] = process.env['https_proxy'] = 'http://127.0.0.1:1';
    try {
      expect((await get()).status).toBe(200);
    } finally {
      delete process.env['HTTPS_PROXY'];
      delete process.env['https_proxy'];
    }
  });

  it('reports that a name does not resolve', async () => {
    await expect(get({}, { ...localPolicy, lookup: async () => [] })).rejects.toMatchObject({ fault: 'unreachable' });
    const lookup = () => Promise.reject(new Error('queryA ENOTFOUND'));
    await expect(get({}, { ...localPolicy, lookup })).rejects.toMatchObject({
      fault: 'unreachable',
      message: 'queryA ENOTFOUND',
    });
  });
});

describe('responses', () => {
  it.each([301, 302, 303, 307, 308])('rejects a redirect with status %d without following it', async (status) => {
    respondWith(status, { location: `https://agent.test:${server.port}/elsewhere` });
    await expect(get()).rejects.toMatchObject({ fault: 'redirected' });
    expect(server.requests).toHaveLength(1);
  });

  it('returns a redirect without following it if redirects are allowed', async () => {
    respondWith(301, { location: '/elsewhere' }, 'body');
    const fetched = await get({ isRedirectAllowed: true });
    expect(fetched).toMatchObject({ status: 301, headers: { location: '/elsewhere' }, body: Buffer.alloc(0) });
    expect(server.requests).toHaveLength(1);
  });

  it('omits the bodies of responses with other statuses', async () => {
    for (const status of [201, 304, 404, 500]) {
      respondWith(status, {}, status === 304 ? '' : 'body');
      expect(await get()).toMatchObject({ status, body: Buffer.alloc(0) });
    }
  });

  it('accepts a body of exactly maxBytes and rejects a larger one', async () => {
    respondWith(200, {}, 'x'.repeat(1_000));
    expect((await get()).body).toHaveLength(1_000);
    respondWith(200, {}, 'x'.repeat(1_001));
    await expect(get()).rejects.toMatchObject({ fault: 'too_large' });
    let isClosed = false;
    server.handler = (_, response) => {
      response.on('close', () => (isClosed = true));
      const writeMore = (): void => void (isClosed || response.write('x'.repeat(600), () => setImmediate(writeMore)));
      writeMore();
    };
    await expect(get()).rejects.toMatchObject({ fault: 'too_large' });
    await until(() => isClosed, { condition: 'the connection is closed' });
  });

  it('truncates a larger body to maxBytes + 1 bytes if isCutAllowed is set', async () => {
    respondWith(200, {}, 'x'.repeat(1_000));
    expect((await get({ isCutAllowed: true })).body).toHaveLength(1_000);
    respondWith(200, { 'content-length': '500000' }, 'x'.repeat(500_000));
    expect((await get({ isCutAllowed: true })).body).toHaveLength(1_001);
    let isClosed = false;
    server.handler = (_, response) => {
      response.on('close', () => (isClosed = true));
      const writeMore = (): void => void (isClosed || response.write('x'.repeat(600), () => setImmediate(writeMore)));
      writeMore();
    };
    expect((await get({ isCutAllowed: true })).body).toHaveLength(1_001);
    await until(() => isClosed, { condition: 'the connection is closed' });
  });

  it('rejects a compressed response', async () => {
    respondWith(200, { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(500_000)));
    await expect(get()).rejects.toMatchObject({ fault: 'encoded' });
  });
});

describe('deadline', () => {
  const slowResponses: [string, (response: ServerResponse) => void][] = [
    ['no response', () => undefined],
    ['headers without a body', (response) => response.flushHeaders()],
    [
      'a slowly dripping body',
      (response) => {
        const dripping = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(dripping));
      },
    ],
  ];
  it.each(slowResponses)('aborts a fetch with %s', async (_, behave) => {
    server.handler = (__, response) => behave(response);
    await expect(get({ timeoutMs: 300 })).rejects.toMatchObject({ fault: 'timed_out' });
  });

  it.each(slowResponses.slice(1))('returns the status from %s if the body is discarded', async (_, behave) => {
    server.handler = (__, response) => behave(response.writeHead(202));
    // The fetch ends at the deadline, by which a slow machine must have sent the status.
    expect(await get({ isBodyDiscarded: true, timeoutMs: 3_000 })).toMatchObject({
      status: 202,
      body: Buffer.alloc(0),
    });
  });

  it('includes the DNS lookup in the deadline', async () => {
    const lookup = () => new Promise<never>(() => undefined);
    await expect(get({ timeoutMs: 50 }, { ...localPolicy, lookup })).rejects.toMatchObject({ fault: 'timed_out' });
  });

  it('ends a fetch early if the signal is aborted', async () => {
    server.handler = () => undefined;
    const abortController = new AbortController();
    const fetchPromise = get({ signal: abortController.signal });
    await until(() => server.requests.length > 0, { condition: 'the server receives the request' });
    abortController.abort();
    await expect(fetchPromise).rejects.toMatchObject({ fault: 'unreachable' });
  });
});
