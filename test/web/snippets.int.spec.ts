import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { curlSnippet, logSnippet, nodeSnippet, TOKEN_PLACE } from '../../apps/web/src/pages/get-started/snippets.js';
import { until } from '../kit/instance.js';

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

it('the lines for Node.js report each visit of a server', async () => {
  const reports: { url: string | undefined; authorization: string | undefined; body: Record<string, unknown> }[] = [];
  const address = await serve(async (request, response) => {
    const body = (await json(request)) as Record<string, unknown>;
    reports.push({ url: request.url, authorization: request.headers.authorization, body });
    response.writeHead(204).end();
  });
  const folder = await mkdtemp(join(tmpdir(), 'snippet-'));
  await writeFile(join(folder, 'agent-traffic.mjs'), nodeSnippet({ address, token: 'agt_example' }));
  const { reportVisit } = (await import(join(folder, 'agent-traffic.mjs'))) as { reportVisit: RequestListener };
  const site = await serve((request, response) => {
    reportVisit(request, response);
    response.writeHead(418).end('short and stout');
  });
  expect((await fetch(`${site}/tea?cups=2`, { headers: { 'user-agent': 'GPTBot/1.2' } })).status).toBe(418);
  await until(() => reports.length > 0, { what: 'the visit is reported' });
  expect(reports).toMatchObject([
    {
      url: '/visits',
      authorization: 'Bearer agt_example',
      body: {
        request_path: '/tea?cups=2',
        request_method: 'GET',
        request_headers: { 'user-agent': 'GPTBot/1.2' },
        client_address: expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$/),
        response_status_code: 418,
      },
    },
  ]);
  await rm(folder, { recursive: true });
});

it('without a token the lines take it from the environment', () => {
  const access = { address: 'https://traffic.example', token: TOKEN_PLACE };
  expect(nodeSnippet(access)).toContain('const TOKEN = env.AGENT_TRAFFIC_TOKEN;');
  expect(curlSnippet(access)).toContain('"Authorization: Bearer $AGENT_TRAFFIC_TOKEN"');
  expect(logSnippet(access)).not.toContain('export AGENT_TRAFFIC_TOKEN');
});
