import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify, type FastifyInstance } from 'fastify';
import { isPage, registerWeb } from './web.routes.js';

const HTML = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';

describe('isPage', () => {
  it.each(['/', '/sign-in', '/projects/1/realtime?page=2', '/apish', '/visitors', '/docsis'])(
    'recognizes %s as a page request',
    (url) => {
      expect(isPage(url, HTML)).toBe(true);
    },
  );

  it.each(
    [
      '/api /api/unknown /api?x /docs /docs/unknown /assets/gone.js /.well-known/security.txt /healthz /readyz /metrics',
      '/visits /visits/1 /agent-identifications /agent-verifications /robots-txts /user-agent-token-lists',
    ].flatMap((line) => line.split(' ')),
  )("doesn't recognize %s as a page request", (url) => expect(isPage(url, HTML)).toBe(false));

  it.each([undefined, '*/*', 'application/json', 'text/htmlx'])(
    "doesn't recognize a page request if Accept is %s",
    (accept) => {
      expect(isPage('/', accept)).toBe(false);
    },
  );
});

describe('registerWeb', () => {
  let instance: FastifyInstance;
  let root: string;

  function createLimited(): FastifyInstance {
    const limitedInstance = fastify();
    limitedInstance.decorateRequest('clientAddress', {
      getter() {
        return String(this.headers['x-address']);
      },
    });
    registerWeb(limitedInstance, root, 'https://traffic.example', async (network) =>
      ['192.0.2.1', '2001:db8::/48'].includes(network) ? 3 : 0,
    );
    return limitedInstance;
  }

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'web-'));
    mkdirSync(join(root, 'assets'));
    writeFileSync(
      join(root, 'index.html'),
      '<meta property="csp-nonce" nonce="CSP_NONCE"><meta content="PUBLIC_URL"><link rel="icon" href="/assets/icon-1234.svg">',
    );
    writeFileSync(join(root, 'assets/main-1234.js'), 'plain');
    writeFileSync(join(root, 'assets/main-1234.js.br'), 'small');
    instance = fastify();
    instance.get('/api/projects', async () => ({}));
    registerWeb(instance, root, 'https://traffic.example/"&');
    await instance.ready();
  });
  afterAll(() => instance.close());

  it('serves the same page at every dashboard URL, with a strict CSP and a new nonce', async () => {
    const response = await instance.inject({ url: '/projects/1?result=verified', headers: { accept: HTML } });
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-cache');
    const policy = String(response.headers['content-security-policy']);
    expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w-]{22}'; /);
    expect(policy).not.toContain('unsafe');
    const nonce = /'nonce-([\w-]+)'/.exec(policy)![1]!;
    expect(response.payload).toContain(`nonce="${nonce}"`);
    expect(response.payload).toContain('<meta content="https://traffic.example/%22&amp;">');
    const next = await instance.inject({ url: '/', headers: { accept: HTML } });
    expect(next.payload).not.toContain(nonce);
  });

  it("limits a network's requests for files and pages", async () => {
    const limitedInstance = createLimited();
    const statuses = async (address: string) => {
      const paths = ['/assets/main-1234.js', '/', '/nowhere'];
      const responses = paths.map((url) =>
        limitedInstance.inject({ url, headers: { accept: HTML, 'x-address': address } }),
      );
      return (await Promise.all(responses)).map(({ statusCode }) => statusCode);
    };
    expect(await statuses('203.0.113.5')).toEqual([200, 200, 200]);
    for (const address of ['192.0.2.1', '2001:db8::1']) expect(await statuses(address)).toEqual([429, 429, 429]);
    await limitedInstance.close();
  });

  it('serves immutable assets, compressed if the client accepts it', async () => {
    const file = { url: '/assets/main-1234.js' };
    const plain = await instance.inject(file);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const small = await instance.inject({ ...file, headers: { 'accept-encoding': 'br' } });
    expect([plain.payload, small.payload]).toEqual(['plain', 'small']);
    expect((await instance.inject('/assets/../index.html')).statusCode).toBe(404);
  });

  it('redirects /favicon.ico to the icon', async () => {
    const { statusCode, headers } = await instance.inject('/favicon.ico');
    expect([statusCode, headers.location]).toEqual([302, '/assets/icon-1234.svg']);
  });

  it("doesn't serve the page for API routes, other methods or clients that don't accept HTML", async () => {
    const response = await instance.inject('/api/projects');
    expect([response.statusCode, response.headers['content-security-policy']]).toEqual([200, undefined]);
    expect((await instance.inject({ url: '/api/unknown', headers: { accept: HTML } })).statusCode).toBe(404);
    expect((await instance.inject({ url: '/nowhere' })).statusCode).toBe(404);
    expect((await instance.inject({ method: 'POST', url: '/', headers: { accept: HTML } })).statusCode).toBe(404);
  });

  it('throws if the web build is missing', () => {
    expect(() => registerWeb(instance, '/nowhere', 'https://traffic.example')).toThrow('npm run build');
  });
});
