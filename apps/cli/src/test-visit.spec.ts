import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestVisit } from '#libs/contracts';
import { describeTestVisit, sendTestVisit } from './test-visit.js';

let server: Server;
let url: string;
let received: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    received.push({ url: request.url, headers: request.headers });
    response.writeHead(302, { location: '/elsewhere\u009b' }).write('body that goes on');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b=1`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const visit = (): TestVisit => ({
  method: 'GET',
  url,
  headers: { 'user-agent': 'TestAgent/1', 'signature-input': 'sig=()', signature: 'sig=:AA==:' },
  signature_agent: 'https://signer.example',
  key_id: 'abc\u001b',
  agent_token: 'TestAgent',
});

it('sends the signed request unchanged and only once, and follows no redirects', async () => {
  // The response body never ends.
  const answer = await sendTestVisit(visit(), 3_000);
  expect(answer).toEqual({ status: 302, location: '/elsewhere\u009b', took: expect.any(Number) });
  expect(received).toHaveLength(1);
  expect(received[0]!.url).toBe('/a?b=1');
  expect(received[0]!.headers).toEqual({ ...visit().headers, host: new URL(url).host, connection: 'keep-alive' });
});

it('describes the response and the next step', () => {
  const text = describeTestVisit(visit(), { status: 302, location: '/elsewhere', took: 7 });
  expect(text).toContain('Signed as TestAgent with key abc\\x1b from https://signer.example\n');
  expect(text).toContain(`GET ${url} → 302 in 7 ms\nThe site redirects to /elsewhere.`);
  expect(text).toContain('agent-traffic visits tail --agent "TestAgent"');
  expect(describeTestVisit(visit(), { status: 403, location: null, took: 7 })).toContain('blocks bots');
  expect(describeTestVisit(visit(), { status: 502, location: null, took: 7 })).toContain('with an error');
});

it('fails if the site does not respond', async () => {
  await expect(sendTestVisit({ ...visit(), url: 'http://127.0.0.1:9/' })).rejects.toMatchObject({
    message: expect.stringContaining("Can't reach the site at http://127.0.0.1:9/"),
    hint: expect.stringContaining('firewall'),
  });
});
