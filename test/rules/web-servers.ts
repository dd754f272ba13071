/** Runs real web servers on 127.0.0.1 with the configuration under test. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import type { LimitFile, LimitServer } from '#libs/contracts';
import { freePort, disposables } from '../kit/instance.ts';
import { ensureCaddyWithLimits } from '../stack/caddy.ts';
import { ensureCommands, findCommand } from '../stack/packages.ts';
import { ServerProcess } from '../stack/server-process.ts';

const run = promisify(execFile);

export const SERVER_KINDS = ['nginx', 'apache', 'apache vhost', 'apache .htaccess', 'caddy', 'haproxy'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

/** Rules export format for each kind of server. */
export const EXPORT_FORMATS = {
  nginx: 'nginx-map',
  apache: 'apache',
  'apache vhost': 'apache',
  'apache .htaccess': 'apache',
  caddy: 'caddy',
  haproxy: 'haproxy',
} as const;

interface WebServerOptions {
  /** Site configuration in the server's syntax. */
  site?: string;
  /** Configuration outside the site, such as Caddy's global options or the top of nginx.conf or haproxy.cfg. */
  global?: string;
  /** Other sites of Caddy. */
  otherSites?: string;
  env?: Record<string, string>;
  /** Program to run instead of Debian's. */
  command?: string;
  /** Other files by name. The configuration refers to them in /etc/haproxy. */
  files?: Record<string, string>;
}

interface Layout {
  command: string;
  /** Contents by file name. Names are relative to the server's folder. */
  files: Record<string, string>;
  /** Arguments that validate the configuration. The command exits with 0 if it is valid. */
  check: string[];
  args: string[];
  env?: Record<string, string>;
}

/** Server whose site returns `ok`, unless the configuration under test denies the request. */
export class WebServer {
  private readonly folder: string;
  private readonly process: ServerProcess;
  private readonly pool: Pool;
  readonly url: string;

  private constructor(folder: string, server: ServerProcess, url: string) {
    this.folder = folder;
    this.process = server;
    this.url = url;
    this.pool = new Pool(url, { connections: 16 });
  }

  /** @throws {Error} if the server rejects the configuration. The message contains the server's output. */
  static async start(kind: ServerKind, configuration: string, options: WebServerOptions = {}): Promise<WebServer> {
    await ensureCommands({ nginx: 'nginx', apache2: 'apache2', caddy: 'caddy', haproxy: 'haproxy' });
    const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-server-'));
    // Apache's workers run as a different user.
    await chmod(folder, 0o755);
    const port = await freePort();
    const layout = LAYOUTS[kind](folder, port, configuration, options);
    await mkdir(join(folder, 'www/private'), { recursive: true });
    await mkdir(join(folder, 'www/.well-known'));
    await writeFile(join(folder, 'www/robots.txt'), 'ok');
    await writeFile(join(folder, 'www/index.html'), 'ok');
    await writeFile(join(folder, 'www/private/index.html'), 'ok');
    await writeFile(join(folder, 'www/a.html'), 'ok');
    await writeFile(join(folder, 'www/.well-known/a.html'), 'ok');
    for (const [name, text] of Object.entries(layout.files)) await writeFile(join(folder, name), text);
    const command = options.command ?? (await findCommand(layout.command))!;
    const env = { PATH: process.env['PATH'] ?? '', ...layout.env, ...options.env };
    try {
      await run(command, layout.check, { env });
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
    const server = new WebServer(
      folder,
      new ServerProcess({ command, args: layout.args, env, port }),
      `http://127.0.0.1:${port}`,
    );
    disposables.add(server);
    await server.process.start();
    return server;
  }

  /** Starts a server with the files of a project's limits. */
  static async startWithLimits(kind: LimitServer, files: readonly LimitFile[]): Promise<WebServer> {
    const texts = files.map(({ text }) => text);
    if (kind === 'caddy') return WebServer.start(kind, texts[0]!, { command: await ensureCaddyWithLimits() });
    if (kind === 'nginx') {
      const notRefused = 'map $uri $agent_traffic_refused { default 0; }\n';
      return WebServer.start(kind, notRefused + texts[0]!, { site: texts[1]! });
    }
    return WebServer.start(kind, '', {
      global: texts[2]!,
      site: texts[3]!,
      files: Object.fromEntries(files.slice(0, 2).map(({ name, text }) => [name, text])),
    });
  }

  /** Returns the status for each User-Agent, in order. For `null`, omits the header. */
  async requestStatuses(userAgents: readonly (string | null)[], path = '/'): Promise<number[]> {
    const statuses: number[] = [];
    let next = 0;
    const sendRequests = async (): Promise<void> => {
      while (next < userAgents.length) {
        const index = next++;
        const userAgent = userAgents[index]!;
        // undici would encode the header as Latin-1, so pass the bytes of its UTF-8 encoding.
        const headers = userAgent === null ? {} : { 'user-agent': Buffer.from(userAgent).toString('latin1') };
        const { statusCode, body } = await this.pool.request({ method: 'GET', path, headers });
        await body.dump();
        statuses[index] = statusCode;
      }
    };
    await Promise.all(Array.from({ length: 16 }, sendRequests));
    return statuses;
  }

  /** Measures requests per second with this User-Agent over 16 connections. */
  async measureRequestsPerSecond(userAgent: string, seconds = 2): Promise<number> {
    const end = performance.now() + seconds * 1_000;
    let count = 0;
    const sendRequests = async (): Promise<void> => {
      while (performance.now() < end) {
        const { body } = await this.pool.request({ method: 'GET', path: '/', headers: { 'user-agent': userAgent } });
        await body.dump();
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: 16 }, sendRequests));
    return count / seconds;
  }

  async dispose(): Promise<void> {
    disposables.delete(this);
    await this.pool.destroy();
    await this.process.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

type LayoutFactory = (folder: string, port: number, configuration: string, options: WebServerOptions) => Layout;

const LAYOUTS: Record<ServerKind, LayoutFactory> = {
  nginx: (folder, port, configuration, { site = '', global = '' }) => ({
    command: 'nginx',
    files: {
      'part.conf': configuration,
      'nginx.conf': `
${global}
daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr;
events { worker_connections 512; }
http {
  access_log off; keepalive_requests 1000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  include ${folder}/part.conf;
  server {
    listen 127.0.0.1:${port};
    if ($agent_traffic_refused) { return 403; }
    ${site}
    location / { root ${folder}/www; }
  }
}`,
    },
    check: ['-t', '-p', folder, '-c', `${folder}/nginx.conf`],
    args: ['-p', folder, '-c', `${folder}/nginx.conf`],
  }),
  apache: (...given) => apacheLayout('server', ...given),
  'apache vhost': (...given) => apacheLayout('virtual host', ...given),
  'apache .htaccess': (...given) => apacheLayout('.htaccess', ...given),
  caddy: (folder, port, configuration, { site = '', global = '', otherSites = '' }) => ({
    command: 'caddy',
    files: {
      'part.caddy': configuration,
      Caddyfile: `{
	admin off
	auto_https off
	${global}
}
http://:${port} {
	bind 127.0.0.1
	import ${folder}/part.caddy
	${site}
	root * ${folder}/www
	file_server
}
${otherSites}
`,
    },
    check: ['validate', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'],
    args: ['run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'],
    env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder },
  }),
  haproxy: (folder, port, configuration, { site = '', global = '', files = {} }) => ({
    command: 'haproxy',
    files: {
      ...files,
      'part.map': configuration,
      'haproxy.cfg': `
defaults
  mode http
  timeout client 30s
  timeout server 30s
  timeout connect 30s
${global}
frontend site
  bind 127.0.0.1:${port}
  http-request deny deny_status 403 if { req.fhdr(User-Agent),map_reg(${folder}/part.map,0) 1 } !{ path /robots.txt }
  ${site.replaceAll('/etc/haproxy', folder)}
  http-request return status 200 content-type text/plain string ok
`,
    },
    check: ['-c', '-f', `${folder}/haproxy.cfg`],
    args: ['-db', '-f', `${folder}/haproxy.cfg`],
  }),
};

function apacheLayout(
  context: 'server' | 'virtual host' | '.htaccess',
  folder: string,
  port: number,
  configuration: string,
  { site = '' }: WebServerOptions,
): Layout {
  const modules = ['mpm_event', 'authz_core', 'authz_host', 'dir', 'rewrite', 'setenvif', 'env'];
  const include = `Include ${folder}/part.conf`;
  const files: Record<string, string> = {
    'part.conf': configuration,
    'apache.conf': `
ServerName localhost
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
Mutex file:${folder} default
User www-data
Group www-data
KeepAlive On
MaxKeepAliveRequests 0
Listen 127.0.0.1:${port}
DocumentRoot ${folder}/www
<Directory />
  Require all denied
  AllowOverride None
</Directory>
<Directory ${folder}/www>
  Require all granted
  AllowOverride All
</Directory>
<Directory ${folder}/www/private>
  Require all denied
</Directory>
${context === 'server' ? include : ''}
<VirtualHost 127.0.0.1:${port}>
  DocumentRoot ${folder}/www
  ${context === 'virtual host' ? include : ''}
  ${site}
</VirtualHost>
`,
  };
  if (context === '.htaccess') files['www/.htaccess'] = configuration;
  return {
    command: 'apache2',
    files,
    check: ['-t', '-f', `${folder}/apache.conf`],
    args: ['-DFOREGROUND', '-f', `${folder}/apache.conf`],
  };
}
