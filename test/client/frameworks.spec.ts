import { createServer } from 'node:http';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { AgentTraffic } from '../../libs/client/src/client.js';
import { agentTraffic as fastifyPlugin } from '../../libs/client/src/fastify.js';
import { agentTraffic as honoMiddleware } from '../../libs/client/src/hono.js';
import { withAgentTraffic } from '../../libs/client/src/node.js';

const client = new AgentTraffic({ url: 'http://127.0.0.1:1', token: 'agt_1' });

it('has types that are compatible with the frameworks', async () => {
  const server = createServer(withAgentTraffic((_, response) => response.writeHead(204).end(), { client }));
  expect(server.listenerCount('request')).toBe(1);
  const app = fastify().register(fastifyPlugin({ client, block: { types: 'all', unless: 'verified' } }));
  await app.ready();
  expect(app.hasPlugin('agent-traffic')).toBe(true);
  const hono = new Hono<{ Bindings: { name: string } }>();
  hono.use(honoMiddleware({ client, clientAddress: (context) => context.req.raw.headers.get('x') ?? undefined }));
  hono.get('/style.css', (context) => context.text('a{}'));
  expect(await (await hono.request('/style.css')).text()).toBe('a{}');
});

it('reports Hono responses outside Node.js, including handler errors', async () => {
  const sent: { response_status_code: number }[] = [];
  const waited: Promise<unknown>[] = [];
  const reporting = new AgentTraffic({ url: 'http://127.0.0.1:1', token: 'agt_1' });
  reporting.record = (visit, waitUntil) => {
    sent.push(visit as { response_status_code: number });
    waitUntil?.(Promise.resolve());
  };
  const hono = new Hono();
  hono.use(honoMiddleware({ client: reporting }));
  hono.get('/teapot', (context) => context.text('short and stout', 418));
  hono.get('/broken', () => {
    throw new Error('site error');
  });
  hono.onError((_, context) => context.text('broken', 500));
  const context = { waitUntil: (promise: Promise<unknown>) => waited.push(promise), passThroughOnException() {} };
  expect(await (await hono.request('/teapot', {}, {}, context as never)).text()).toBe('short and stout');
  await hono.request('/broken', {}, {}, context as never);
  await hono.request('/nowhere', {}, {}, context as never);
  expect(sent.map(({ response_status_code: status }) => status)).toEqual([418, 500, 404]);
  expect(waited).toHaveLength(3);
});
