import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  curlSnippet,
  logSnippet,
  NODE_FRAMEWORKS,
  nodeParts,
  nodeSnippet,
  phpParts,
  pythonParts,
  TOKEN_PLACEHOLDER,
  type NodeFramework,
} from '../../apps/web/src/pages/get-started/snippets.js';
import { until } from '../kit/instance.js';
import { ReportReceiver } from '../kit/report-receiver.js';

/** Code around each framework's snippet. Together they form a server that responds to every request with 418. */
const SERVER_CODE: Record<NodeFramework, [imports: string[], before: string, after: string]> = {
  http: [
    [`import { createServer } from 'node:http';`],
    'const server = createServer((request, response) => {',
    `response.writeHead(418).end('short and stout');
}).listen(0, '127.0.0.1', () => console.log(server.address().port));`,
  ],
  express: [
    [`import express from '${import.meta.resolve('express')}';`],
    'const app = express();',
    `app.use((request, response) => response.status(418).send('short and stout'));
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));`,
  ],
  fastify: [
    [`import fastify from '${import.meta.resolve('fastify')}';`],
    'const app = fastify();',
    `app.get('/*', (request, reply) => reply.code(418).send('short and stout'));
await app.listen({ port: 0, host: '127.0.0.1' });
console.log(app.server.address().port);`,
  ],
  nestjs: [
    [
      `import 'reflect-metadata';`.replace('reflect-metadata', import.meta.resolve('reflect-metadata')),
      `import { NestFactory } from '${import.meta.resolve('@nestjs/core')}';`,
      `import { FastifyAdapter } from '${import.meta.resolve('@nestjs/platform-fastify')}';`,
    ],
    `class Site {}
const app = await NestFactory.create({ module: Site }, new FastifyAdapter(), { logger: false });`,
    `app.getHttpAdapter().getInstance().get('/*', (request, reply) => reply.code(418).send('short and stout'));
await app.listen(0, '127.0.0.1');
console.log(app.getHttpServer().address().port);`,
  ],
  hono: [
    [
      `import { Hono } from '${import.meta.resolve('hono')}';`,
      `import { serve } from '${import.meta.resolve('@hono/node-server')}';`,
    ],
    'const app = new Hono();',
    `app.get('*', (context) => context.text('short and stout', 418));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(port));`,
  ],
};

const reports = new ReportReceiver();
const children: ChildProcess[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snippet-'));
  await reports.start();
});
afterAll(async () => {
  for (const child of children) child.kill();
  await reports.dispose();
  await rm(folder, { recursive: true, force: true });
});

it.each(Object.keys(NODE_FRAMEWORKS) as NodeFramework[])(
  'reports each visit with the %s snippet',
  async (framework) => {
    const [module, use] = nodeParts({ address: reports.url, token: `agt_${framework}` }, framework);
    const [imports, before, after] = SERVER_CODE[framework];
    const [importLine, ...lines] = use!.text.split('\n');
    await writeFile(join(folder, 'agent-traffic.mjs'), module!.text);
    const program = join(folder, `${framework}.mjs`);
    await writeFile(program, [...imports, importLine, before, ...lines, after].join('\n'));
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'], env: {} });
    children.push(child);
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const url = `http://127.0.0.1:${String(port).trim()}/tea?cups=2`;
    expect((await fetch(url, { headers: { 'user-agent': 'GPTBot/1.2' } })).status).toBe(418);
    const report = await until(() => reports.getLastVisit(`agt_${framework}`), { condition: 'the visit is reported' });
    expect(report).toMatchObject({
      request_path: '/tea?cups=2',
      request_method: 'GET',
      request_headers: { 'user-agent': 'GPTBot/1.2' },
      client_address: expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$/),
      response_status_code: 418,
    });
    expect((report as { response_duration_in_milliseconds: number }).response_duration_in_milliseconds).toBeGreaterThan(
      0,
    );
  },
);

it('reads the token from the environment if a snippet contains none', () => {
  const access = { address: 'https://traffic.example', token: TOKEN_PLACEHOLDER };
  expect(nodeSnippet(access)).toContain('const TOKEN = env.AGENT_TRAFFIC_TOKEN;');
  expect(curlSnippet(access)).toContain('"Authorization: Bearer $AGENT_TRAFFIC_TOKEN"');
  expect(logSnippet(access)).not.toContain('export AGENT_TRAFFIC_TOKEN');
  expect(pythonParts(access)[0]!.text).toContain("TOKEN = os.environ['AGENT_TRAFFIC_TOKEN']");
  expect(phpParts(access)[0]!.text).toContain("$token = getenv('AGENT_TRAFFIC_TOKEN');");
});
