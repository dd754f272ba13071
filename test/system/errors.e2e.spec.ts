import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Client, readProblem, visit } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { createTestClient } from './target.js';

const MAX_BODY_BYTES = 5 * 1024 * 1024;
const UUID_PATTERN = /^[0-9a-f-]{36}$/;

let client: Client;

beforeAll(async () => {
  client = await createTestClient('Errors');
});

async function expectProblem(response: Response, expected: object): Promise<void> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = await readProblem(response);
  expect(problem.status).toBe(response.status);
  expect(problem.instance).toBe(response.headers.get('x-request-id'));
  expect(problem).toEqual({ instance: expect.stringMatching(UUID_PATTERN), ...expected });
}

describe('problem documents', () => {
  it('returns 400 with the position of a JSON syntax error', async () => {
    await expectProblem(await client.post('/visits', '[{"request_path": }]'), {
      type: '/docs/problems#malformed-json',
      title: 'Invalid JSON',
      status: 400,
      detail: expect.stringContaining('Unexpected token'),
    });
  });

  it.each([
    ['no token', null, 'Send the header'],
    ['an unknown token', 'agt_unknown', 'incomplete or mistyped'],
    ['an unknown token without a prefix', 'something-else-entirely', 'not known'],
    ['an API key', 'agk_key', 'personal API key'],
  ])('returns 401 for %s', async (_, token, detail) => {
    const response = await client.post('/visits', [visit('/never')], { token });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    await expectProblem(response, {
      type: '/docs/problems#unauthorized',
      title: 'Authentication failed',
      status: 401,
      detail: expect.stringContaining(detail),
    });
  });

  it('returns 404 for an unknown path, without requiring a credential', async () => {
    await expectProblem(await client.post('/visit', [], { token: null }), {
      type: '/docs/problems#not-found',
      title: 'Resource not found',
      status: 404,
      detail: 'No resource exists at this address.',
    });
  });

  it('returns 405 with Allow, without requiring a credential', async () => {
    const response = await fetch(`${client.target.url}/visits`);
    expect(response.headers.get('allow')).toBe('POST');
    await expectProblem(response, {
      type: '/docs/problems#method-not-allowed',
      title: 'Method not allowed',
      status: 405,
      detail: 'This address only supports POST.',
    });
  });

  it.each([
    ['another media type', { 'content-type': 'text/plain' }, 'Content-Type: application/json'],
    ['no media type', { 'content-type': '' }, 'Content-Type: application/json'],
    ['an unknown encoding', { 'content-encoding': 'compress' }, 'gzip, br or zstd'],
  ])('returns 415 for %s', async (_, headers, detail) => {
    await expectProblem(await client.post('/visits', Buffer.from('[]'), { headers }), {
      type: '/docs/problems#unsupported-media-type',
      title: 'Unsupported media type or encoding',
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
      detail: "The body isn't valid gzip.",
    });
  });

  it('returns 422 with all invalid fields and records no visits', async () => {
    await expectProblem(await client.post('/visits', [{ request_path: 1 }, 'x']), {
      type: '/docs/problems#invalid-body',
      title: 'Invalid request',
      status: 422,
      detail: 'None of the 2 visits is valid; nothing was recorded.',
      errors: [
        { pointer: '/0/request_method', detail: 'is required' },
        { pointer: '/0/request_headers', detail: 'is required' },
        { pointer: '/0/request_path', detail: 'must be string' },
        { pointer: '/1', detail: 'must be object' },
      ],
    });
    const single = await readProblem(await client.post('/visits', { request_path: '/', request_method: 'GET' }));
    expect(single.errors).toEqual([{ pointer: '/request_headers', detail: 'is required' }]);
  });

  it('returns at most 100 errors with a 422', async () => {
    const { errors } = await readProblem(await client.post('/visits', Array(5_000).fill(7)));
    expect(errors).toHaveLength(100);
  });

  it.each([
    ['text', '"x"', 'must be an object or an array'],
    ['null', 'null', 'must be an object or an array'],
    ['5,001 visits', JSON.stringify(Array(5_001).fill(1)), 'must have 5000 items or fewer'],
  ])('returns 422 for %s', async (_, body, detail) => {
    const response = await client.post('/visits', body);
    expect(response.status).toBe(422);
    expect((await readProblem(response)).errors).toEqual([{ pointer: '', detail }]);
  });

  it('returns 422 for a visit that is nested too deeply or too large', async () => {
    const deep = `{"request_path":"/","request_method":"GET","request_headers":{},"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect((await readProblem(await client.post('/visits', `[${deep}]`))).errors).toEqual([
      { pointer: '/0', detail: 'must not be nested more than 64 deep' },
    ]);
    const large = visit('/large', { note: 'x'.repeat(512 * 1024) });
    expect((await readProblem(await client.post('/visits', [large]))).errors).toEqual([
      { pointer: '/0', detail: 'must not be larger than 524288 bytes' },
    ]);
  });
});

describe('the body limit', () => {
  const createBody = (bytes: number): string => `[${' '.repeat(bytes - 2)}]`;

  it('accepts a body at the size limit and rejects one byte more', async () => {
    expect((await client.post('/visits', createBody(MAX_BODY_BYTES))).status).toBe(204);
    await expectProblem(await client.post('/visits', createBody(MAX_BODY_BYTES + 1)), {
      type: '/docs/problems#too-large',
      title: 'The body is too large',
      status: 413,
      detail: expect.any(String),
    });
  });

  it('applies the body size limit to chunked bodies', async () => {
    const send = async (bytes: number): Promise<number> => {
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from(createBody(bytes)));
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
    expect(await send(MAX_BODY_BYTES)).toBe(204);
    expect(await send(MAX_BODY_BYTES + 1)).toBe(413);
  });

  it('applies the size limit to decoded bodies, including decompression bombs', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect((await client.post('/visits', gzipSync(createBody(MAX_BODY_BYTES)), { headers })).status).toBe(204);
    expect((await client.post('/visits', gzipSync(createBody(MAX_BODY_BYTES + 1)), { headers })).status).toBe(413);
    expect((await client.post('/visits', gzipSync(Buffer.alloc(1024 * 1024 * 1024)), { headers })).status).toBe(413);
  });
});

it("reuses the client's request ID only if it is well-formed", async () => {
  const sendRequestId = async (id: string) =>
    (await client.post('/visits', '[]', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
  expect(await sendRequestId('order-42')).toBe('order-42');
  expect(await sendRequestId('<script>')).toMatch(UUID_PATTERN);
});

it('serves other clients while 200 clients send slowly', async () => {
  const { hostname, port } = new URL(client.target.url);
  const sockets: Socket[] = Array.from({ length: 200 }, (_, index) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    // Half of the clients stall while sending the headers, the other half while sending the body.
    socket.write(
      index % 2 === 0
        ? 'POST /visits HTTP/1.1\r\nHost: x\r\nX-Slow: '
        : `POST /visits HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${client.target.accessToken}\r\nContent-Length: 1000\r\n\r\n[`,
    );
    return socket;
  });
  const dribble = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('x')), 200);
  try {
    await until(() => sockets.every((socket) => !socket.connecting), { condition: 'all slow clients are connected' });
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
