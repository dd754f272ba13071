import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { InstanceClient, queryString } from './client.js';

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

it('sends the API key, or the credential of the request', async () => {
  answer = (request, response) => void response.end(JSON.stringify([request.headers.authorization, request.url]));
  const client = new InstanceClient(url, 'agk_a');
  expect(await client.get('/api/x', { agent: ['a', 'b&'], cursor: undefined, limit: 5 })).toEqual([
    'Bearer agk_a',
    '/api/x?agent=a&agent=b%26&limit=5',
  ]);
  expect(await client.post('/y', {}, 'agt_b')).toEqual(['Bearer agt_b', '/y']);
  expect(queryString({})).toBe('');
  answer = async (request, response) => response.end(JSON.stringify([request.method, await json(request)]));
  expect(await client.put('/z', { a: 1 })).toEqual(['PUT', { a: 1 }]);
});

it('says where a body is at fault', async () => {
  problem(422, { detail: 'The body does not fit.', errors: [{ pointer: '/name', detail: 'is required\u001b[2J' }] });
  await expect(new InstanceClient(url, 'agk_a').post('/api/projects', {})).rejects.toMatchObject({
    status: 422,
    message: '422: The body does not fit.\n  /name is required\\x1b[2J',
  });
});

it('says which credential is to be set', async () => {
  problem(401, { title: 'Unauthorized' });
  const client = new InstanceClient(url, 'agk_a');
  await expect(client.get('/api/projects')).rejects.toMatchObject({
    hint: expect.stringContaining('AGENT_TRAFFIC_API_KEY'),
  });
  await expect(client.send('/visits')).rejects.toMatchObject({ hint: expect.stringContaining('AGENT_TRAFFIC_TOKEN') });
  await expect(new InstanceClient(url).get('/api/projects')).rejects.toMatchObject({
    message: 'No API key is known.',
    hint: expect.stringContaining('DATA_DIR'),
  });
});

it('hands on how long to wait', async () => {
  problem(429, { title: 'Too many requests' }, { 'retry-after': '7' });
  await expect(new InstanceClient(url, 'k').get('/api/x')).rejects.toMatchObject({ status: 429, retryAfter: 7_000 });
});

it('reports an address without an instance, and an instance that is not running', async () => {
  answer = (_request, response) => void response.end('<html>');
  await expect(new InstanceClient(url, 'k').get('/')).rejects.toThrow('is not an Agent Traffic instance');
  await expect(new InstanceClient('http://127.0.0.1:9', 'k').get('/')).rejects.toMatchObject({
    message: expect.stringContaining('No Agent Traffic instance answers at http://127.0.0.1:9'),
    hint: expect.stringContaining('npm start'),
  });
});

it('streams an answer that goes on', async () => {
  let end = (): void => undefined;
  answer = (_request, response) => {
    response.write('one');
    end = () => void response.end('two');
  };
  let text = '';
  for await (const part of await new InstanceClient(url, 'k').stream('/')) {
    text += new TextDecoder().decode(part);
    if (text === 'one') end();
  }
  expect(text).toBe('onetwo');
});
