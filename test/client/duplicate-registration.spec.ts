import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { AgentTraffic } from '../../libs/client/src/client.js';
import { withAgentTraffic as wrapWorker } from '../../libs/client/src/cloudflare.js';
import { agentTraffic as expressMiddleware } from '../../libs/client/src/express.js';
import { agentTraffic as fastifyPlugin } from '../../libs/client/src/fastify.js';
import { agentTraffic as honoMiddleware } from '../../libs/client/src/hono.js';
import { agentTraffic as nextProxy, withAgentTraffic as wrapRoute } from '../../libs/client/src/next.js';
import { withAgentTraffic } from '../../libs/client/src/node.js';
import type { Visit } from '../../libs/client/src/types.js';

/** Subset of Express used here. Express ships without types. */
interface ExpressApp {
  (request: IncomingMessage, response: ServerResponse): void;
  use(...handlers: unknown[]): void;
  get(path: string, handler: (request: unknown, response: { send(body: string): void }) => void): void;
}
const express = createRequire(import.meta.url)('express') as { (): ExpressApp; Router(): ExpressApp };

/** Reported visits, as client name and path. */
let reported: string[];
let cleanUp: (() => unknown)[];

/** Creates a client that adds visits to `reported` instead of sending them. The token selects the project. */
function createClient(name: string, token = 'agt_1', url = 'https://traffic.example'): AgentTraffic {
  const client = new AgentTraffic({ url, token });
  client.record = (visit) => void reported.push(`${name} ${(visit as Visit).request_path}`);
  return client;
}

beforeEach(() => {
  reported = [];
  cleanUp = [];
});
afterEach(async () => {
  for (const end of cleanUp) await end();
});

async function visit(server: Server, ...paths: string[]): Promise<void> {
  cleanUp.push(() => server.close());
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  for (const path of paths)
    await (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })).text();
}

it('reports a request once for Express middleware in an app, a router, and the wrapping server', async () => {
  const app = express();
  const router = express.Router();
  app.use(expressMiddleware({ client: createClient('first') }));
  app.use(expressMiddleware({ client: createClient('second') }));
  router.use(expressMiddleware({ client: createClient('router') }));
  router.get('/page', (_, response) => response.send('page'));
  app.use('/api', router);
  await visit(createServer(app), '/api/page', '/nowhere');
  await visit(createServer(withAgentTraffic(app, { client: createClient('server') })), '/api/page');
  expect(reported).toEqual(['first /api/page', 'first /nowhere', 'server /api/page']);
});

it('reports a request once for a Fastify plugin in a parent and its child', async () => {
  const app = fastify();
  await app.register(fastifyPlugin({ client: createClient('parent') }));
  await app.register(async (child) => {
    await child.register(fastifyPlugin({ client: createClient('child') }));
    child.get('/page', () => 'page');
  });
  cleanUp.push(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  await visit(app.server, '/page');
  expect(reported).toEqual(['parent /page']);
});

it('reports a request once for Hono middleware on overlapping paths and in a wrapped worker', async () => {
  const app = new Hono();
  app.use('*', honoMiddleware({ client: createClient('all') }));
  app.use('/api/*', honoMiddleware({ client: createClient('api') }));
  const inner = new Hono().use(honoMiddleware({ client: createClient('inner') }));
  inner.get('/page', (context) => context.text('page'));
  app.route('/api', inner);
  expect(await (await app.request('/api/page')).text()).toBe('page');
  const worker = wrapWorker({ fetch: (request) => app.fetch(request) }, { client: createClient('worker') });
  await worker.fetch(new Request('https://site.example/api/page'), {}, { waitUntil: () => undefined });
  expect(reported).toEqual(['all /api/page', 'worker /api/page']);
});

it('reports a request once for nested Next.js wrappers and repeated proxies', async () => {
  const route = wrapRoute(
    wrapRoute(() => new Response('page'), { client: createClient('inner') }),
    {
      client: createClient('outer'),
    },
  );
  await route(new Request('https://site.example/page'), {});
  const request = new Request('https://site.example/proxied');
  const event = { waitUntil: () => undefined };
  await nextProxy({ client: createClient('first') })(request, event);
  await nextProxy({ client: createClient('second') })(request, event);
  expect(reported).toEqual(['outer /page', 'first /proxied']);
});

it('reports a request once for a Next.js proxy and a wrapped route handler, which get different request objects', async () => {
  let passed = new Headers();
  const NextResponse = {
    next({ request }: { request: { headers: Headers } }): Response {
      passed = request.headers;
      return new Response();
    },
  };
  const event = { waitUntil: () => undefined };
  const proxy = nextProxy({ client: createClient('proxy'), NextResponse });
  const route = wrapRoute(() => new Response('page'), { client: createClient('route') });
  const other = wrapRoute(() => new Response('page'), { client: createClient('other', 'agt_2') });
  const url = 'https://site.example/page';

  await proxy(new Request(url, { headers: { 'user-agent': 'GPTBot/1.2' } }), event);
  expect(passed.get('user-agent')).toBe('GPTBot/1.2');
  await route(new Request(url, { headers: passed }), {});
  expect(reported).toEqual(['proxy /page']);
  await other(new Request(url, { headers: passed }), {});
  await route(new Request(url, { headers: { 'x-agent-traffic-reported': 'forged' } }), {});
  expect(reported).toEqual(['proxy /page', 'other /page', 'route /page']);
});

it('reports each request on a connection once per project and instance', async () => {
  const app = express();
  app.use(expressMiddleware({ client: createClient('one') }));
  app.use(expressMiddleware({ client: createClient('other', 'agt_2') }));
  app.use(expressMiddleware({ client: createClient('elsewhere', 'agt_1', 'https://other.example') }));
  app.get('/page', (_, response) => response.send('page'));
  await visit(createServer(app), '/page', '/page');
  expect(reported.toSorted()).toEqual([
    'elsewhere /page',
    'elsewhere /page',
    'one /page',
    'one /page',
    'other /page',
    'other /page',
  ]);
});

it('reports a request with the second client if the first ignores it', async () => {
  const app = express();
  const ignoring = new AgentTraffic({ url: 'https://traffic.example', token: 'agt_1', ignore: () => true });
  app.use(expressMiddleware({ client: ignoring }));
  app.use(expressMiddleware({ client: createClient('second') }));
  app.get('/page', (_, response) => response.send('page'));
  await visit(createServer(app), '/page');
  expect(reported).toEqual(['second /page']);
});
