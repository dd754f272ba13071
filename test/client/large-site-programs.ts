import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const CLIENT_SOURCE = join(import.meta.dirname, '../../libs/client');
const INSTALLED_PATH = 'node_modules/@agent-traffic/client/dist';
const run = promisify(execFile);

/**
 * Site that is built with a framework. The framework is too large to be one of this repository's development
 * dependencies.
 */
interface LargeSite {
  packages: string[];
  files: Record<string, string>;
  /** Command in `node_modules/.bin` and its arguments. */
  build?: string[];
  serve: (port: number) => string[];
  /** Path prefixes. Each gets half of the page requests. */
  paths: [string, string];
  /** True for workers, which buffer a visit for up to 30 seconds and get no shutdown signal. */
  isWorker?: boolean;
}

const PAGE = `new Response('<!doctype html><title>Page</title>', { headers: { 'content-type': 'text/html' } })`;

const next: LargeSite = {
  packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
  files: {
    'next.config.mjs': 'export default { typescript: { ignoreBuildErrors: true } };',
    'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;',
    // The route handler uses `after()` to report its page, and the proxy reports the other page.
    'app/page/[...path]/route.js': `import { after } from 'next/server';
import { withAgentTraffic } from '@agent-traffic/client/next';
export const GET = withAgentTraffic(async () => ${PAGE}, { after });`,
    'app/other/[...path]/page.js': `export default () => <p>Page</p>;`,
    'proxy.js': `import { agentTraffic } from '@agent-traffic/client/next';
export const proxy = agentTraffic();
export const config = { matcher: '/((?!_next/|page).*)' };`,
  },
  build: ['next', 'build'],
  serve: (port) => ['next', 'start', '--hostname', '127.0.0.1', '--port', String(port)],
  paths: ['/page/', '/other/'],
};

const nestOnExpress: LargeSite = {
  packages: [
    '@nestjs/core@12.5.1',
    '@nestjs/common@12.5.1',
    '@nestjs/platform-express@12.5.1',
    'reflect-metadata',
    'rxjs',
  ],
  files: {
    'main.mjs': `import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { agentTraffic } from '@agent-traffic/client/nestjs';
class Site {}
const app = await NestFactory.create({ module: Site }, new ExpressAdapter(), { logger: false });
app.use(agentTraffic());
app.getHttpAdapter().getInstance().get('/page/:number', (request, response) => response.type('html').send('<title>Page</title>'));
await app.listen(Number(process.argv[2]), '127.0.0.1');`,
  },
  serve: (port) => [process.execPath, 'main.mjs', String(port)],
  paths: ['/page/', '/page/'],
};

/** List each module by name, because workerd doesn't resolve packages. */
const modules = readdirSync(join(CLIENT_SOURCE, 'dist'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js') && !name.endsWith('.node.js'))
  .map((name) => `(name = "${name}", esModule = embed "${INSTALLED_PATH}/${name}")`);

const worker: LargeSite = {
  packages: ['workerd@1.20261117.1'],
  files: {
    'worker.js': `import { withAgentTraffic } from './client/src/cloudflare.js';
export default withAgentTraffic({ fetch: () => ${PAGE} });`,
    'config.capnp': `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "site", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js"), ${modules.join(', ')}],
      bindings = [
        (name = "AGENT_TRAFFIC_URL", fromEnvironment = "AGENT_TRAFFIC_URL"),
        (name = "AGENT_TRAFFIC_TOKEN", fromEnvironment = "AGENT_TRAFFIC_TOKEN"),
      ],
      compatibilityDate = "2026-07-01",
    )),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", service = "site")],
);`,
  },
  serve: (port) => ['workerd', 'serve', 'config.capnp', '--socket-addr', `http=127.0.0.1:${port}`],
  paths: ['/page/', '/page/'],
  isWorker: true,
};

export const LARGE_SITES = { 'Next.js': next, 'NestJS on Express': nestOnExpress, workerd: worker };

/** Installs a site with the client, packed as it would be published. */
export async function installSite(folder: string, { packages, files, build }: LargeSite): Promise<void> {
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: CLIENT_SOURCE });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'))!;
  for (const [name, text] of Object.entries({ 'package.json': '{"private":true}', ...files })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await run('npm', ['install', '--no-audit', '--no-fund', join(folder, tarball), ...packages], { cwd: folder });
  if (build === undefined) return;
  const [command, ...args] = build as [string, ...string[]];
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  await run(join(folder, 'node_modules/.bin', command), args, { cwd: folder, env });
}
