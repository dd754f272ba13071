/** Test sites for the Python and PHP clients on real servers. */
import { execFile } from 'node:child_process';
import { access, chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, disposables } from '../kit/instance.js';
import { ensureCommands, findCommand } from '../stack/packages.js';
import { ServerProcess, type ServerCommand } from '../stack/server-process.js';

const run = promisify(execFile);
const SITES = join(import.meta.dirname, 'sites');
const LIBS = join(import.meta.dirname, '../../libs');
/** File name of PHP-FPM on Debian, which contains the PHP version. */
const FPM_PATTERN = /^php-fpm\d/;

export interface ReportingOptions {
  url: string;
  accessToken: string;
}

export class PlainSite {
  constructor(
    readonly url: string,
    private readonly env: Record<string, string>,
    private readonly folder: string,
    private readonly servers: readonly ServerProcess[],
  ) {
    disposables.add(this);
  }

  get output(): string {
    return this.servers.map(({ output }) => output).join('\n');
  }

  /** Stops the servers as a process manager would. */
  async stop(): Promise<void> {
    for (const server of this.servers) await server.stop();
  }

  /** Sends the visits that PHP-FPM has saved to files, like a scheduled job would. */
  async flush(): Promise<void> {
    await ensureCommands({ php: 'php-cli' });
    const program = `require getenv('AGENT_TRAFFIC_CLIENT'); exit((new AgentTraffic\\Client())->flush(60) ? 0 : 1);`;
    const { stdout: user } = await run('id', ['-u', 'www-data']);
    await run((await findCommand('php'))!, ['-r', program], { env: this.env, uid: Number(user) });
  }

  async dispose(): Promise<void> {
    if (!disposables.delete(this)) return;
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

type Start = (reporting: ReportingOptions) => Promise<PlainSite>;

/** Returns a function that starts a Python site. `args` returns the arguments for the server command. */
const python =
  (command: string, debianPackage: string, args: (port: number) => string[]): Start =>
  async (reporting) => {
    await ensureCommands({ [command]: debianPackage });
    return startSite(reporting, async (folder, port, env) => [
      {
        command: (await findCommand(command))!,
        args: args(port),
        // Keep bytecode caches out of the source folders.
        env: { ...env, PYTHONPATH: `${join(LIBS, 'client-python')}:${SITES}`, PYTHONPYCACHEPREFIX: folder },
        cwd: SITES,
        port,
      },
    ]);
  };

/** Starts PHP's built-in server with a single process. */
const phpServer: Start = async (reporting) => {
  await ensureCommands({ php: 'php-cli' });
  return startSite(reporting, async (_, port, env) => [
    {
      command: (await findCommand('php'))!,
      args: ['-S', `127.0.0.1:${port}`, join(SITES, 'site.php')],
      env,
      port,
    },
  ]);
};

/**
 * Starts PHP-FPM behind nginx.
 *
 * @param root Document root that contains an `index.php`. Default: the test site.
 */
export async function startFpm(reporting: ReportingOptions, root?: string): Promise<PlainSite> {
  const binary = async (): Promise<string | undefined> =>
    (await readdir('/usr/sbin')).find((name) => FPM_PATTERN.test(name));
  await ensureCommands({ nginx: 'nginx', ...((await binary()) === undefined && { 'php-fpm': 'php-fpm' }) });
  const fpm = `/usr/sbin/${await binary()}`;
  return startSite(reporting, async (folder, port, env) => {
    const socket = `${folder}/fpm.sock`;
    const variables = Object.entries(env)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `env[${name}] = ${value}`);
    await writeFile(
      join(folder, 'fpm.conf'),
      `[global]
daemonize = no
; Without this, a stop would kill processes that have responded and are about to save a visit.
process_control_timeout = 10
error_log = ${folder}/fpm.log
[site]
user = www-data
group = www-data
listen = ${socket}
listen.owner = www-data
pm = static
pm.max_children = 6
catch_workers_output = yes
php_admin_flag[log_errors] = on
${variables.join('\n')}
`,
    );
    const script = root === undefined ? join(SITES, 'site.php') : `${root}$fastcgi_script_name`;
    const pass = `include /etc/nginx/fastcgi_params; fastcgi_param HTTP_HOST $http_host; fastcgi_pass unix:${socket}; fastcgi_param SCRIPT_FILENAME ${script};`;
    await writeFile(
      join(folder, 'nginx.conf'),
      `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr; user www-data;
events { worker_connections 256; }
http {
  access_log off; keepalive_requests 1000000; fastcgi_buffer_size 32k; fastcgi_buffers 8 32k;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    ${
      root === undefined
        ? `location / { ${pass} }`
        : `root ${root}; index index.php;
    location / { try_files $uri $uri/ /index.php?$args; }
    location ~ \\.php$ { ${pass} }`
    }
  }
}`,
    );
    return [
      {
        command: fpm,
        args: ['--nodaemonize', '--force-stderr', '--fpm-config', join(folder, 'fpm.conf')],
        stopSignal: 'SIGQUIT',
        isReady: () =>
          access(socket).then(
            () => true,
            () => false,
          ),
      },
      { command: (await findCommand('nginx'))!, args: ['-p', folder, '-c', join(folder, 'nginx.conf')], port },
    ];
  });
}

async function startSite(
  { url, accessToken }: ReportingOptions,
  createCommands: (folder: string, port: number, env: Record<string, string>) => Promise<ServerCommand[]>,
): Promise<PlainSite> {
  const folder = await mkdtemp(join(tmpdir(), 'plain-site-'));
  // Workers run as a different user and save visits in this folder.
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'tmp'));
  await chmod(join(folder, 'tmp'), 0o777);
  const port = await freePort();
  const env = {
    PATH: process.env['PATH'] ?? '',
    AGENT_TRAFFIC_URL: url,
    AGENT_TRAFFIC_TOKEN: accessToken,
    AGENT_TRAFFIC_CLIENT: join(LIBS, 'client-php/AgentTraffic.php'),
    TMPDIR: join(folder, 'tmp'),
  };
  const servers = (await createCommands(folder, port, env)).map((command) => new ServerProcess(command));
  const site = new PlainSite(`http://127.0.0.1:${port}`, env, folder, servers);
  for (const server of servers) await server.start();
  return site;
}

/**
 * Servers that can run a site. A PHP process ends with its request, so it has no visits left to send when the server is
 * stopped.
 */
export const PLAIN_SITES = {
  wsgiref: python('python3', 'python3', (port) => ['wsgi_site.py', String(port)]),
  gunicorn: python('gunicorn', 'gunicorn', (port) => [
    '-w',
    '2',
    '--threads',
    '4',
    '-b',
    `127.0.0.1:${port}`,
    'wsgi_site',
  ]),
  // By default, uvicorn trusts forwarding headers from the same machine, so this must be turned off.
  uvicorn: python('uvicorn', 'uvicorn', (port) => [
    '--port',
    String(port),
    '--log-level',
    'warning',
    '--no-proxy-headers',
    'asgi_site:application',
  ]),
  'php -S': phpServer,
  'PHP-FPM': startFpm,
} satisfies Record<string, Start>;
