import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HEADER_VALUES, TRAVERSAL_PATHS } from '../hostile/values.js';
import { App, type Json } from '../kit/app.js';
import { temporaryFolder, until } from '../kit/instance.js';

const DIRECTORY = '/.well-known/http-message-signatures-directory';

let app: App;

beforeAll(async () => {
  const webRoot = await temporaryFolder();
  await mkdir(join(webRoot, 'assets'));
  await writeFile(join(webRoot, 'index.html'), '');
  app = await App.start({ webRoot });
});
afterAll(() => app?.dispose());

describe('malformed values', () => {
  const PATHS = ['/', '/api/session', '/api/projects', '/docs', '/assets/x.js', DIRECTORY, '/visits', '/healthz'];
  let port: number;
  beforeAll(async () => {
    await app.nest.listen(0, '127.0.0.1');
    port = (app.nest.getHttpServer().address() as AddressInfo).port;
  });

  /** Sends the path and headers exactly as given. */
  const sendRaw = (path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const outgoingRequest = request(
        { port, host: '127.0.0.1', path, headers, setHost: !('host' in headers) },
        (response) => {
          response.resume();
          resolve(response.statusCode!);
        },
      );
      outgoingRequest.on('error', reject).end();
    });

  it.each(['host', 'origin', 'referer', 'cookie', 'authorization', 'x-forwarded-for', 'forwarded', 'x-forwarded-host'])(
    'prevents malformed values in the %s header from causing a server error',
    async (name) => {
      const failed: unknown[] = [];
      for (const path of PATHS) {
        for (const value of HEADER_VALUES) {
          const status = await sendRaw(path, { accept: 'text/html', [name]: value });
          if (status >= 500) failed.push([path, value, status]);
        }
      }
      expect(failed).toEqual([]);
    },
  );

  it.each(['accept', 'content-type', 'content-encoding', 'x-request-id', 'traceparent', 'range', 'if-none-match'])(
    'prevents malformed values in the %s header from causing a server error',
    async (name) => {
      for (const path of PATHS) {
        for (const value of HEADER_VALUES) {
          expect([path, value, (await sendRaw(path, { [name]: value })) < 500]).toEqual([path, value, true]);
        }
      }
    },
  );

  it.each(TRAVERSAL_PATHS)('returns a client error for /assets/%s', async (rest) => {
    expect(await sendRaw(`/assets/${rest}`, { accept: 'text/html' })).toBeGreaterThanOrEqual(400);
    expect(await sendRaw(`/assets/${rest}`, { accept: 'text/html' })).toBeLessThan(500);
  });
});

describe('created field of a visit', () => {
  const visit = (created: unknown) => ({ request_path: '/times', request_method: 'GET', request_headers: {}, created });

  it('accepts visits created in the years 0001 to 9999, and rejects only visits outside that range', async () => {
    const { id } = (await app.api('POST', '/projects', { name: 'Times' })).body;
    const { token } = (await app.api('POST', `/projects/${id}/tokens`, {})).body;
    const send = (visits: unknown) => app.post('/visits', visits, { authorization: `Bearer ${token}` });
    for (const created of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+05:00', '9999-12-31T23:59:59-05:00']) {
      const { status, body } = await send([visit(created)]);
      expect([status, body.errors]).toEqual([
        422,
        [{ pointer: '/0/created', detail: expect.stringContaining('of the years 0001 to 9999') }],
      ]);
    }
    expect(
      (await send([visit('0001-01-01'), visit('0000-01-01'), visit('9999-12-31'), visit(null)])).headers,
    ).toMatchObject({
      'x-visits-rejected': '1',
    });
    const stored = await until(
      async () => {
        const { visits } = (await app.api('GET', `/projects/${id}/visits?path=/times`)).body;
        return visits.length === 3 && (visits as Json[]);
      },
      { condition: 'three visits are stored' },
    );
    expect(stored.at(-1).occurred_at).toBe('0001-01-01T00:00:00.000Z');
    const { dead_letters: letters } = (await app.api('GET', `/dead-letters?project=${id}`)).body;
    expect(new Set((letters as Json[]).map(({ reason }) => reason))).toEqual(new Set(['invalid_visit']));
  });
});
