import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { HttpsServer, makeCertificates, type TestCertificates } from '../../../test/kit/https.js';
import { until } from '../../../test/kit/instance.js';
import { PUBLIC_EGRESS, type EgressPolicy } from './egress-policy.js';
import { guardedFetch, type FetchRequest } from './guarded-fetch.js';

const LOOPBACK = { address: '127.0.0.1', family: 4 };
/** Public, but given to nobody: nothing answers there. */
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

it('fetches over TLS, asking for nothing to be encoded, with its name and no more', async () => {
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

it('does not trust a certificate of an unknown authority, or for another name', async () => {
  const { ca: _, ...untrusting } = here;
  await expect(get({}, untrusting)).rejects.toMatchObject({ fault: 'unreachable' });
  await expect(get({}, here, 'other.test')).rejects.toMatchObject({ fault: 'unreachable' });
  expect(server.requests).toEqual([]);
});

describe('addresses', () => {
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

  it('does not repeat a URL that it refuses, whose path may be a secret', async () => {
    const refused = guardedFetch('http://hooks.agent.example/secret', { maxBytes: 1_000, timeoutMs: 2_000 });
    await expect(refused).rejects.toMatchObject({ fault: 'address_refused', message: 'it is not https' });
  });

  it.each([
    ['only to loopback', [LOOPBACK]],
    ['to a public address and to loopback', [NOWHERE, LOOPBACK]],
    ['to IPv4 in IPv6', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['nowhere', []],
  ])('refuses a public name that leads %s', async (_, addresses) => {
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

  it('connects to the address that was checked, whatever the name leads to then', async () => {
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

  it('asks no proxy of the environment', async () => {
    process.env['HTTPS_PROXY'] = process.env['https_proxy'] = 'http://127.0.0.1:1';
    try {
      expect((await get()).status).toBe(200);
    } finally {
      delete process.env['HTTPS_PROXY'];
      delete process.env['https_proxy'];
    }
  });

  it('says so when a name leads nowhere', async () => {
    await expect(get({}, { ...here, lookup: async () => [] })).rejects.toMatchObject({ fault: 'unreachable' });
    const lookup = () => Promise.reject(new Error('queryA ENOTFOUND'));
    await expect(get({}, { ...here, lookup })).rejects.toMatchObject({
      fault: 'unreachable',
      message: 'queryA ENOTFOUND',
    });
  });
});

describe('answers', () => {
  it.each([301, 302, 303, 307, 308])('does not follow a redirect with status %d', async (status) => {
    answer(status, { location: `https://agent.test:${server.port}/elsewhere` });
    await expect(get()).rejects.toMatchObject({ fault: 'redirected' });
    expect(server.requests).toHaveLength(1);
  });

  it('hands over a redirect where that is wanted, and does not follow it either', async () => {
    answer(301, { location: '/elsewhere' }, 'body');
    const fetched = await get({ isRedirectAllowed: true });
    expect(fetched).toMatchObject({ status: 301, headers: { location: '/elsewhere' }, body: Buffer.alloc(0) });
    expect(server.requests).toHaveLength(1);
  });

  it('leaves any other status to who asked, without its body', async () => {
    for (const status of [201, 304, 404, 500]) {
      answer(status, {}, status === 304 ? '' : 'body');
      expect(await get()).toMatchObject({ status, body: Buffer.alloc(0) });
    }
  });

  it('takes as many bytes as it may, and no more', async () => {
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

  it('cuts what is larger where that is wanted, and shows that it did', async () => {
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

  it('does not unpack what is packed', async () => {
    answer(200, { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(500_000)));
    await expect(get()).rejects.toMatchObject({ fault: 'encoded' });
  });
});

describe('the deadline', () => {
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
  it.each(slow)('ends %s', async (_, behave) => {
    server.answer = (__, response) => behave(response);
    await expect(get({ timeoutMs: 300 })).rejects.toMatchObject({ fault: 'timed_out' });
  });

  it.each(slow.slice(1))('leaves the status of %s that nobody wants', async (_, behave) => {
    server.answer = (__, response) => behave(response.writeHead(202));
    // Within two seconds, so that a slow machine has sent the status by then.
    expect(await get({ isBodyDiscarded: true })).toMatchObject({ status: 202, body: Buffer.alloc(0) });
  });

  it('counts the DNS', async () => {
    const lookup = () => new Promise<never>(() => undefined);
    await expect(get({ timeoutMs: 50 }, { ...here, lookup })).rejects.toMatchObject({ fault: 'timed_out' });
  });

  it('may come early', async () => {
    server.answer = () => undefined;
    const closing = new AbortController();
    const fetching = get({ signal: closing.signal });
    await until(() => server.requests.length > 0, { what: 'it is asked' });
    closing.abort();
    await expect(fetching).rejects.toMatchObject({ fault: 'unreachable' });
  });
});
