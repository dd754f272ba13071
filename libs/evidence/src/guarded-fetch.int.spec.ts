import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { HttpsServer, makeCertificates, type TestCertificates } from '../../../test/kit/https.js';
import { until } from '../../../test/kit/instance.js';
import { PUBLIC_EGRESS, type EgressPolicy } from './egress-policy.js';
import { guardedFetch, type FetchRequest } from './guarded-fetch.js';

const LOOPBACK = { address: '127.0.0.1', family: 4 };
/** Public but unassigned, so nothing responds. */
const NOWHERE = { address: '2c0f:ffff:ffff::1', family: 6 };

let certificates: TestCertificates;
let server: HttpsServer;
let here: EgressPolicy;

beforeAll(async () => {
  certificates = await makeCertificates(['DNS:agent.test', 'DNS:agent.example']);
  server = await HttpsServer.start(certificates, () => undefined);
  here = {
    allowPrivateAddresses: true,
    allowedPorts: 'any',
    ca: certificates.ca,
    lookup: async () => [LOOPBACK],
  };
});
beforeEach(() => {
  server.requests.length = 0;
  server.answer = (_, response) => response.end('{}');
});
afterAll(() => server.dispose());

const get = (request: Partial<FetchRequest> = {}, policy = here, host = 'agent.test') =>
  guardedFetch(`https://${host}:${server.port}/list?a=b`, { maxBytes: 1_000, timeoutMs: 2_000, ...request }, policy);
const answer = (status: number, headers: Record<string, string>, body: string | Buffer = '') => {
  server.answer = (_, response: ServerResponse) => response.writeHead(status, headers).end(body);
};

it('fetches over TLS without compression and sends only the expected headers', async () => {
  answer(200, { etag: '"1"', 'content-type': 'text/plain' }, 'body ä');
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
  const { ca: _, ...untrusting } = here;
  await expect(get({}, untrusting)).rejects.toMatchObject({ fault: 'unreachable' });
  await expect(get({}, here, 'other.test')).rejects.toMatchObject({ fault: 'unreachable' });
  expect(server.requests).toEqual([]);
});

describe('address checks', () => {
  it('refuses loopback, by address and by name', async () => {
    const request = { maxBytes: 1_000, timeoutMs: 2_000 };
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '127.0.0.1.', '2130706433']) {
      const url = `https://${host}:${server.port}/`;
      await expect(guardedFetch(url, request)).rejects.toMatchObject({ fault: 'address_refused' });
      const anyPort: EgressPolicy = { ...PUBLIC_EGRESS, allowedPorts: 'any' };
      await expect(guardedFetch(url, request, anyPort)).rejects.toMatchObject({ fault: 'address_refused' });
    }
    expect(server.requests).toEqual([]);
  });

  it('omits a refused URL from the error, because its path may be a secret', async () => {
    const refused = guardedFetch('http://hooks.agent.example/secret', { maxBytes: 1_000, timeoutMs: 2_000 });
    await expect(refused).rejects.toMatchObject({ fault: 'address_refused', message: 'it is not https' });
  });

  it.each([
    ['only to loopback', [LOOPBACK]],
    ['to a public address and to loopback', [NOWHERE, LOOPBACK]],
    ['to IPv4 in IPv6', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['nowhere', []],
  ])('refuses a public name that resolves %s', async (_, addresses) => {
    const policy: EgressPolicy = { ...here, allowPrivateAddresses: false, lookup: async () => addresses };
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
      const error = await get({}, { ...here, allowPrivateAddresses: false, lookup }, 'agent.example').catch(
        (e: unknown) => e,
      );
      expect(error).toMatchObject({ fault: 'address_refused', message: 'agent.example has no public address' });
    }
  });

  it('connects to the checked address even if the name resolves to another one later', async () => {
    const asked: string[] = [];
    const rebinding = async (hostName: string) => [asked.push(hostName) === 1 ? NOWHERE : LOOPBACK];
    const policy: EgressPolicy = { ...here, allowPrivateAddresses: false, lookup: rebinding };
    await expect(get({ timeoutMs: 300 }, policy, 'agent.example')).rejects.toMatchObject({
      fault: expect.stringMatching(/^(?:unreachable|timed_out)$/),
    });
    expect(asked).toEqual(['agent.example']);
    expect(server.requests).toEqual([]);
    await expect(get({}, policy, 'agent.example')).rejects.toMatchObject({ fault: 'address_refused' });
  });

  it('ignores proxies set in the environment', async () => {
    process.env['HTTPS_PROXY'] = process.env['https_proxy'] = 'http://127.0.0.1:1';
    try {
      expect((await get()).status).toBe(200);
    } finally {
      delete process.env['HTTPS_PROXY'];
      delete process.env['https_proxy'];
    }
  });

  it('reports a name that does not resolve', async () => {
    await expect(get({}, { ...here, lookup: async () => [] })).rejects.toMatchObject({ fault: 'unreachable' });
    const lookup = () => Promise.reject(new Error('queryA ENOTFOUND'));
    await expect(get({}, { ...here, lookup })).rejects.toMatchObject({
      fault: 'unreachable',
      message: 'queryA ENOTFOUND',
    });
  });
});

describe('responses', () => {
  it.each([301, 302, 303, 307, 308])('rejects a redirect with status %d without following it', async (status) => {
    answer(status, { location: `https://agent.test:${server.port}/elsewhere` });
    await expect(get()).rejects.toMatchObject({ fault: 'redirected' });
    expect(server.requests).toHaveLength(1);
  });

  it('returns a redirect without following it if redirects are allowed', async () => {
    answer(301, { location: '/elsewhere' }, 'body');
    const fetched = await get({ isRedirectAllowed: true });
    expect(fetched).toMatchObject({ status: 301, headers: { location: '/elsewhere' }, body: Buffer.alloc(0) });
    expect(server.requests).toHaveLength(1);
  });

  it('returns any other status without its body', async () => {
    for (const status of [201, 304, 404, 500]) {
      answer(status, {}, status === 304 ? '' : 'body');
      expect(await get()).toMatchObject({ status, body: Buffer.alloc(0) });
    }
  });

  it('accepts a body of maxBytes and rejects a larger one', async () => {
    answer(200, {}, 'x'.repeat(1_000));
    expect((await get()).body).toHaveLength(1_000);
    answer(200, {}, 'x'.repeat(1_001));
    await expect(get()).rejects.toMatchObject({ fault: 'too_large' });
    let isGone = false;
    server.answer = (_, response) => {
      response.on('close', () => (isGone = true));
      const more = (): void => void (isGone || response.write('x'.repeat(600), () => setImmediate(more)));
      more();
    };
    await expect(get()).rejects.toMatchObject({ fault: 'too_large' });
    await until(() => isGone, { what: 'the connection is cut' });
  });

  it('cuts a larger body one byte above maxBytes if cutting is allowed', async () => {
    answer(200, {}, 'x'.repeat(1_000));
    expect((await get({ isCutAllowed: true })).body).toHaveLength(1_000);
    answer(200, { 'content-length': '500000' }, 'x'.repeat(500_000));
    expect((await get({ isCutAllowed: true })).body).toHaveLength(1_001);
    let isGone = false;
    server.answer = (_, response) => {
      response.on('close', () => (isGone = true));
      const more = (): void => void (isGone || response.write('x'.repeat(600), () => setImmediate(more)));
      more();
    };
    expect((await get({ isCutAllowed: true })).body).toHaveLength(1_001);
    await until(() => isGone, { what: 'the connection is cut' });
  });

  it('rejects a compressed response', async () => {
    answer(200, { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(500_000)));
    await expect(get()).rejects.toMatchObject({ fault: 'encoded' });
  });
});

describe('deadline', () => {
  const slow: [string, (response: ServerResponse) => void][] = [
    ['no answer', () => undefined],
    ['headers without a body', (response) => response.flushHeaders()],
    [
      'a body that drips',
      (response) => {
        const dripping = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(dripping));
      },
    ],
  ];
  it.each(slow)('ends a fetch with %s', async (_, behave) => {
    server.answer = (__, response) => behave(response);
    await expect(get({ timeoutMs: 300 })).rejects.toMatchObject({ fault: 'timed_out' });
  });

  it.each(slow.slice(1))('returns the status of %s if the body is discarded', async (_, behave) => {
    server.answer = (__, response) => behave(response.writeHead(202));
    // The default timeout of 2 s gives a slow machine time to send the status.
    expect(await get({ isBodyDiscarded: true })).toMatchObject({ status: 202, body: Buffer.alloc(0) });
  });

  it('includes the DNS lookup', async () => {
    const lookup = () => new Promise<never>(() => undefined);
    await expect(get({ timeoutMs: 50 }, { ...here, lookup })).rejects.toMatchObject({ fault: 'timed_out' });
  });

  it('can be cut short by an abort signal', async () => {
    server.answer = () => undefined;
    const closing = new AbortController();
    const fetching = get({ signal: closing.signal });
    await until(() => server.requests.length > 0, { what: 'it is asked' });
    closing.abort();
    await expect(fetching).rejects.toMatchObject({ fault: 'unreachable' });
  });
});
