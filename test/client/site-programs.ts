import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Base URL of the built package's entry points. */
const PACKAGE_URL = pathToFileURL(join(import.meta.dirname, '../../libs/client/dist/client/src/')).href;

const HTML = "'<!doctype html><title>Page</title>'";
const CHECKOUT = "{ id: 'cs_1', status: 'incomplete', currency: 'EUR', totals: [{ type: 'total', amount: 1250 }] }";
/** JavaScript code that returns MCP responses as server-sent events, like streaming servers do. */
const MCP = `const answerTo = ({ id, params }) => 'event: message\\ndata: ' + JSON.stringify({ jsonrpc: '2.0', id,
  result: { isError: params.name === 'broken', content: [{ type: 'text', text: params.name }] } }) + '\\n\\n';\n`;
const LOG_PORT = "(port) => console.log('port', port)";

interface SiteProgram {
  imports: string[];
  /** Lines of code that a site owner adds to report visits. */
  client: string;
  before: string;
  after: string;
}

/**
 * Test site for each framework. All sites have the same content: pages, `/mcp`, a checkout, and `/slow`, which logs the
 * request and never responds. They contain no shutdown handling.
 */
export const SITES: Record<'http' | 'express' | 'fastify' | 'nestjs' | 'hono', SiteProgram> = {
  http: {
    imports: [
      `import { createServer } from 'node:http';`,
      `import { json } from 'node:stream/consumers';`,
      `import { withAgentTraffic } from '${PACKAGE_URL}node.js';`,
    ],
    before: `const listener = async (request, response) => {
  if (request.url.startsWith('/page')) response.writeHead(200, { 'Content-Type': 'text/html' }).end(${HTML});
  else if (request.url === '/slow') console.log('slow');
  else if (request.url === '/mcp') {
    const body = await json(request);
    response.writeHead(200, ['content-type', 'text/event-stream']);
    response.write(answerTo(body).slice(0, 20));
    response.end(answerTo(body).slice(20));
  } else response.setHeader('content-type', 'application/json').end(JSON.stringify(${CHECKOUT}));
};`,
    client: `const server = createServer(withAgentTraffic(listener));`,
    after: `server.listen(0, '127.0.0.1', () => (${LOG_PORT})(server.address().port));`,
  },
  express: {
    imports: [
      `import express from '${import.meta.resolve('express')}';`,
      `import { agentTraffic } from '${PACKAGE_URL}express.js';`,
    ],
    before: 'const app = express();',
    client: 'app.use(agentTraffic());',
    after: `const pages = express.Router();
pages.get('/*path', (request, response) => response.type('html').send(${HTML}));
app.use('/page', pages);
app.get('/slow', () => console.log('slow'));
app.post('/mcp', express.json(), (request, response) => response.type('text/event-stream').send(answerTo(request.body)));
app.get('/checkout_sessions/:id', (request, response) => response.json(${CHECKOUT}));
const server = app.listen(0, '127.0.0.1', () => (${LOG_PORT})(server.address().port));`,
  },
  fastify: {
    imports: [
      `import fastify from '${import.meta.resolve('fastify')}';`,
      `import { agentTraffic } from '${PACKAGE_URL}fastify.js';`,
    ],
    before: 'const app = fastify();',
    client: 'app.register(agentTraffic());',
    after: `app.get('/page/*', (request, reply) => reply.type('text/html').send(${HTML}));
app.get('/slow', () => { console.log('slow'); return new Promise(() => undefined); });
app.post('/mcp', (request, reply) => reply.type('text/event-stream').send(answerTo(request.body)));
app.get('/checkout_sessions/:id', () => (${CHECKOUT}));
await app.listen({ port: 0, host: '127.0.0.1' });
(${LOG_PORT})(app.server.address().port);`,
  },
  nestjs: {
    imports: [
      `import '${import.meta.resolve('reflect-metadata')}';`,
      `import { NestFactory } from '${import.meta.resolve('@nestjs/core')}';`,
      `import { FastifyAdapter } from '${import.meta.resolve('@nestjs/platform-fastify')}';`,
      `import { agentTraffic } from '${PACKAGE_URL}nestjs.js';`,
    ],
    before: `class Site {}
const app = await NestFactory.create({ module: Site }, new FastifyAdapter(), { logger: false });`,
    client: 'app.use(agentTraffic());',
    after: `const routes = app.getHttpAdapter().getInstance();
routes.get('/page/*', (request, reply) => reply.type('text/html').send(${HTML}));
routes.get('/slow', () => { console.log('slow'); return new Promise(() => undefined); });
routes.post('/mcp', (request, reply) => reply.type('text/event-stream').send(answerTo(request.body)));
routes.get('/checkout_sessions/:id', () => (${CHECKOUT}));
await app.listen(0, '127.0.0.1');
(${LOG_PORT})(app.getHttpServer().address().port);`,
  },
  hono: {
    imports: [
      `import { Hono } from '${import.meta.resolve('hono')}';`,
      `import { serve } from '${import.meta.resolve('@hono/node-server')}';`,
      `import { agentTraffic } from '${PACKAGE_URL}hono.node.js';`,
    ],
    before: 'const app = new Hono();',
    client: 'app.use(agentTraffic());',
    after: `app.get('/page/*', (context) => context.html(${HTML}));
app.get('/slow', () => { console.log('slow'); return new Promise(() => undefined); });
app.post('/mcp', async (context) => context.body(answerTo(await context.req.json()), 200, { 'content-type': 'text/event-stream' }));
app.get('/checkout_sessions/:id', (context) => context.json(${CHECKOUT}));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => (${LOG_PORT})(port));`,
  },
};
export type Framework = keyof typeof SITES;
export const FRAMEWORKS = Object.keys(SITES) as Framework[];

/**
 * Returns the source of a module that serves the site.
 *
 * @param reportsVisits If true, the source includes the lines that report visits.
 */
export function createSiteProgram(framework: Framework, reportsVisits = true): string {
  const { imports, before, client, after } = SITES[framework];
  const plain = framework === 'http' ? 'const server = createServer(listener);' : '';
  return [...imports, MCP, before, reportsVisits ? client : plain, after].join('\n');
}
