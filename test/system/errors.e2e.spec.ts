import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Client, problemOf, visit } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { systemUnderTest } from './target.js';

const LIMIT = 5 * 1024 * 1024;
const UUID = /^[0-9a-f-]{36}$/;

let client: Client;

beforeAll(async () => {
  client = await systemUnderTest('Errors');
});

async function expectProblem(response: Response, expected: object): Promise<void> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = await problemOf(response);
  expect(problem.status).toBe(response.status);
  expect(problem.instance).toBe(response.headers.get('x-request-id'));
  expect(problem).toEqual({ instance: expect.stringMatching(UUID), ...expected });
}

describe('problem documents', () => {
  it('returns 400 with the position of a JSON syntax error', async () => {
    await expectProblem(await client.post('/visits', '[{"request_path": }]'), {
      type: '/docs/problems#malformed-json',
      title: 'The body is not JSON',
      status: 400,
      detail: expect.stringContaining('Unexpected token'),
    });
  });

  it.each([
    ['no token', null, 'Send the header'],
    ['an unknown one', 'agt_unknown', 'incomplete or mistyped'],
    ['another unknown one', 'something-else-entirely', 'not known'],
    ['an API key', 'agk_key', 'personal API key'],
  ])('returns 401 for %s', async (_, token, detail) => {
    const response = await client.post('/visits', [visit('/never')], { token });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    await expectProblem(response, {
      type: '/docs/problems#unauthorized',
      title: 'The credential is not accepted',
      status: 401,
      detail: expect.stringContaining(detail),
    });
  });

  it('returns 404 for an unknown path, without requiring a credential', async () => {
    await expectProblem(await client.post('/visit', [], { token: null }), {
      type: '/docs/problems#not-found',
      title: 'There is nothing here',
      status: 404,
      detail: 'No resource has this address.',
    });
  });

  it('returns 405 with Allow, without requiring a credential', async () => {
    const response = await fetch(`${client.target.url}/visits`);
    expect(response.headers.get('allow')).toBe('POST');
    await expectProblem(response, {
      type: '/docs/problems#method-not-allowed',
      title: 'The method is not allowed here',
      status: 405,
      detail: 'This address answers POST only.',
    });
  });

  it.each([
    ['another media type', { 'content-type': 'text/plain' }, 'Content-Type: application/json'],
    ['none', { 'content-type': '' }, 'Content-Type: application/json'],
    ['an unknown encoding', { 'content-encoding': 'compress' }, 'gzip, br and zstd'],
  ])('returns 415 for %s', async (_, headers, detail) => {
    await expectProblem(await client.post('/visits', Buffer.from('[]'), { headers }), {
      type: '/docs/problems#unsupported-media-type',
      title: 'The media type or encoding is not supported',
      status: 415,
      detail: expect.stringContaining(detail),
    });
  });

  it('accepts media type parameters', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await client.post('/visits', '[]', { headers })).status).toBe(204);
  });

  it('returns 400 for a body that does not match its encoding', async () => {
    const response = await client.post('/visits', '[]', { headers: { 'content-encoding': 'gzip' } });
    await expectProblem(response, {
      type: '/docs/problems#malformed-request',
      title: 'The request is malformed',
      status: 400,
      detail: 'The body is not valid gzip.',
    });
  });

  it('returns 422 with all invalid fields, and records nothing', async () => {
    await expectProblem(await client.post('/visits', [{ request_path: 1 }, 'x']), {
      type: '/docs/problems#invalid-body',
      title: 'The body does not fit',
      status: 422,
      detail: 'None of the 2 visits is valid; nothing was recorded.',
      errors: [
        { pointer: '/0/request_method', detail: 'is required' },
        { pointer: '/0/request_headers', detail: 'is required' },
        { pointer: '/0/request_path', detail: 'must be string' },
        { pointer: '/1', detail: 'must be object' },
      ],
    });
    const single = await problemOf(await client.post('/visits', { request_path: '/', request_method: 'GET' }));
    expect(single.errors).toEqual([{ pointer: '/request_headers', detail: 'is required' }]);
  });

  it('limits the errors of a 422 to 100', async () => {
    const { errors } = await problemOf(await client.post('/visits', Array(5_000).fill(7)));
    expect(errors).toHaveLength(100);
  });

  it.each([
    ['text', '"x"', 'must be an object or an array'],
    ['null', 'null', 'must be an object or an array'],
    ['5,001 visits', JSON.stringify(Array(5_001).fill(1)), 'must have 5000 items or fewer'],
  ])('returns 422 for %s', async (_, body, detail) => {
    const response = await client.post('/visits', body);
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors).toEqual([{ pointer: '', detail }]);
  });

  it('returns 422 for a visit that is nested too deeply or too large', async () => {
    const deep = `{"request_path":"/","request_method":"GET","request_headers":{},"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect((await problemOf(await client.post('/visits', `[${deep}]`))).errors).toEqual([
      { pointer: '/0', detail: 'must not be nested more than 64 deep' },
    ]);
    const large = visit('/large', { note: 'x'.repeat(512 * 1024) });
    expect((await problemOf(await client.post('/visits', [large]))).errors).toEqual([
      { pointer: '/0', detail: 'must not be larger than 524288 bytes' },
    ]);
  });
});

describe('the body limit', () => {
  const bodyOf = (bytes: number): string => `[${' '.repeat(bytes - 2)}]`;

  it('accepts a body at the limit and rejects one byte more', async () => {
    expect((await client.post('/visits', bodyOf(LIMIT))).status).toBe(204);
    await expectProblem(await client.post('/visits', bodyOf(LIMIT + 1)), {
      type: '/docs/problems#too-large',
      title: 'The body is too large',
      status: 413,
      detail: expect.any(String),
    });
  });

  it('applies to chunked bodies', async () => {
    const send = async (bytes: number): Promise<number> => {
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from(bodyOf(bytes)));
          controller.close();
        },
      });
      const response = await fetch(`${client.target.url}/visits`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${client.target.accessToken}` },
        body: stream,
        duplex: 'half',
      } as RequestInit);
      return response.status;
    };
    expect(await send(LIMIT)).toBe(204);
    expect(await send(LIMIT + 1)).toBe(413);
  });

  it('applies to decoded bodies, including decompression bombs', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect((await client.post('/visits', gzipSync(bodyOf(LIMIT)), { headers })).status).toBe(204);
    expect((await client.post('/visits', gzipSync(bodyOf(LIMIT + 1)), { headers })).status).toBe(413);
    expect((await client.post('/visits', gzipSync(Buffer.alloc(1024 * 1024 * 1024)), { headers })).status).toBe(413);
  });
});

it('adopts only a well-formed request ID', async () => {
  const answered = async (id: string) =>
    (await client.post('/visits', '[]', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
  expect(await answered('order-42')).toBe('order-42');
  expect(await answered('<script>')).toMatch(UUID);
});

it('serves other clients while 200 clients send slowly', async () => {
  const { hostname, port } = new URL(client.target.url);
  const sockets: Socket[] = Array.from({ length: 200 }, (_, index) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    // Half of them stall in the headers, half in the body.
    socket.write(
      index % 2 === 0
        ? 'POST /visits HTTP/1.1\r\nHost: x\r\nX-Slow: '
        : `POST /visits HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${client.target.accessToken}\r\nContent-Length: 1000\r\n\r\n[`,
    );
    return socket;
  });
  const dribble = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('x')), 200);
  try {
    await until(() => sockets.every((socket) => !socket.connecting), { what: 'all are connected' });
    for (let count = 0; count < 20; count += 1) {
      expect((await client.post('/visits', visit(`/served/${count}`))).status).toBe(204);
    }
    // The slow clients are still connected.
    expect(sockets.filter((socket) => socket.readyState === 'open').length).toBeGreaterThan(100);
  } finally {
    clearInterval(dribble);
    for (const socket of sockets) socket.destroy();
  }
});
