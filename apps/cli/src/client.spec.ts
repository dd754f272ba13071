import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { InstanceClient } from './client.js';

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

function problem(status: number, fields: object, headers = {}): void {
  answer = (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
    response.end(JSON.stringify({ status, ...fields }));
  };
}

it('sends parameters, the body and the API key', async () => {
  answer = async ({ method, url, headers }, response) => {
    response.end(JSON.stringify([method, url, headers.authorization, headers['content-type']]));
  };
  const client = new InstanceClient(url, 'agk_a');
  const query = { operator: ['a', 'b&'], cursor: undefined, limit: 5 };
  expect(await client.get('/api/agents', { params: { query } })).toEqual([
    'GET',
    '/api/agents?operator=a&operator=b%26&limit=5',
    'Bearer agk_a',
    null,
  ]);
  const path = { feedId: 'a/b' };
  expect(await client.post('/api/agent-feeds/{feedId}/refresh', { params: { path } })).toEqual([
    'POST',
    '/api/agent-feeds/a%2Fb/refresh',
    'Bearer agk_a',
    null,
  ]);
  answer = async (request, response) => {
    response.end(JSON.stringify([request.method, request.headers['content-type'], await json(request)]));
  };
  expect(await client.patch('/api/agent-feeds/{feedId}', { params: { path }, body: { accepts_all: true } })).toEqual([
    'PATCH',
    'application/json',
    { accepts_all: true },
  ]);
});

it('sends the given credential when it requests raw bytes, and rejects other media types', async () => {
  answer = ({ headers }, response) => {
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.end(`${headers.authorization} ${headers.accept}`);
  };
  const ask = (mediaType: string) =>
    new InstanceClient(url, 'agk_a').postForBytes(
      '/robots-txts',
      { credential: 'agt_b', mediaType },
      { body: { agent_types: [] } },
    );
  expect((await ask('text/plain')).toString()).toBe('Bearer agt_b text/plain');
  await expect(ask('application/json')).rejects.toThrow("isn't an Agent Traffic instance");
});

it('includes invalid body fields in the error message', async () => {
  problem(422, { detail: 'The body does not fit.', errors: [{ pointer: '/name', detail: 'is required\u001b[2J' }] });
  await expect(new InstanceClient(url, 'agk_a').post('/api/projects', { body: { name: '' } })).rejects.toMatchObject({
    status: 422,
    message: 'The body does not fit.\n  /name is required\\x1b[2J',
  });
});

it('states each problem and each piece of advice only once', async () => {
  const client = new InstanceClient(url, 'agk_a');
  problem(422, {
    detail: 'status must be an integer.',
    errors: [{ pointer: '/status', detail: 'must be an integer' }],
  });
  await expect(client.get('/api/projects')).rejects.toMatchObject({ message: 'status must be an integer.' });
  problem(403, { detail: 'This operation requires an API key for all projects.' });
  await expect(client.get('/api/projects')).rejects.toMatchObject({ hint: undefined });
  problem(403, { detail: 'Only project owners can do this.' });
  await expect(client.get('/api/projects')).rejects.toMatchObject({ hint: expect.stringContaining('API key') });
});

it('names the missing or rejected credential', async () => {
  problem(401, { title: 'Unauthorized' });
  const client = new InstanceClient(url, 'agk_a');
  await expect(client.get('/api/projects')).rejects.toMatchObject({
    hint: expect.stringContaining('AGENT_TRAFFIC_API_KEY'),
  });
  await expect(client.send('/visits')).rejects.toMatchObject({ hint: expect.stringContaining('AGENT_TRAFFIC_TOKEN') });
  await expect(new InstanceClient(url).get('/api/projects')).rejects.toMatchObject({
    message: 'No API key found.',
    hint: expect.stringContaining('DATA_DIR'),
  });
});

it('exposes the Retry-After delay in milliseconds', async () => {
  problem(429, { title: 'Too many requests' }, { 'retry-after': '7' });
  await expect(new InstanceClient(url, 'k').get('/api/projects')).rejects.toMatchObject({
    status: 429,
    retryAfter: 7_000,
  });
});

it('distinguishes a server that is not an instance from an unreachable instance', async () => {
  answer = (_request, response) => void response.end('<html>');
  await expect(new InstanceClient(url, 'k').get('/api/projects')).rejects.toThrow("isn't an Agent Traffic instance");
  await expect(new InstanceClient('http://127.0.0.1:9', 'k').get('/api/projects')).rejects.toMatchObject({
    message: expect.stringContaining('reach the Agent Traffic instance at http://127.0.0.1:9'),
    hint: expect.stringContaining('npm start'),
  });
});

it('streams a response before it is complete', async () => {
  let end = (): void => undefined;
  answer = (_request, response) => {
    response.write('one');
    end = () => void response.end('two');
  };
  let text = '';
  for await (const part of await new InstanceClient(url, 'k').stream('/api/audit-entries/export', { accept: '*/*' })) {
    text += new TextDecoder().decode(part);
    if (text === 'one') end();
  }
  expect(text).toBe('onetwo');
});

it("ends a stream with an error if the instance stalls, but doesn't count the time during which the reader is slow", async () => {
  let end = (): void => undefined;
  answer = (_request, response) => {
    response.write(Buffer.alloc(2_000_000));
    end = () => void response.end('end');
  };
  const client = new InstanceClient(url, 'k', 500);
  const read = async (onFirstChunk: () => Promise<void>): Promise<void> => {
    let bytes = 0;
    for await (const chunk of await client.stream('/api/audit-entries/export', { accept: '*/*' })) {
      if (bytes === 0) await onFirstChunk();
      bytes += chunk.byteLength;
      if (bytes === 2_000_000) end();
    }
    expect(bytes).toBe(2_000_003);
  };
  await read(() => sleep(2_000));
  answer = (_request, response) => void response.write('one');
  await expect(read(async () => undefined)).rejects.toThrow('the instance sent no data for 0.5 s');
});
