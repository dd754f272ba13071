/** Runs Debian's WordPress with MariaDB behind nginx and PHP-FPM. */
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { disposables } from '../kit/instance.js';
import { ensureCommands, installPackages } from '../stack/packages.js';
import { ServerProcess } from '../stack/server-process.js';
import { type PlainSite, type ReportingOptions, startFpm } from './plain-sites.js';

const run = promisify(execFile);
const CLIENT = join(import.meta.dirname, '../../libs/client-php');
const PASSWORD = 'correct horse battery staple';

export class WordPress {
  private readonly cookies = new Map<string, string>();

  private constructor(
    private readonly folder: string,
    private readonly database: ServerProcess,
    readonly site: PlainSite,
  ) {
    disposables.add(this);
  }

  get url(): string {
    return this.site.url;
  }

  /** Installs WordPress with the plugin and signs in. */
  static async start(reporting: ReportingOptions): Promise<WordPress> {
    await ensureCommands({ mariadbd: 'mariadb-server', nginx: 'nginx' });
    const isInstalled = await readFile('/usr/share/wordpress/wp-content/themes/twentytwentythree/style.css').then(
      () => true,
      () => false,
    );
    if (!isInstalled) await installPackages(['php-fpm', 'php-mysql', 'wordpress', 'wordpress-theme-twentytwentythree']);
    const folder = await mkdtemp(join(tmpdir(), 'wordpress-'));
    await chmod(folder, 0o755);
    const database = await startMariaDb(folder);
    const root = join(folder, 'www');
    await run('cp', ['-rL', '/usr/share/wordpress', root]);
    const plugin = join(root, 'wp-content/plugins/agent-traffic');
    await mkdir(plugin, { recursive: true });
    for (const file of ['wordpress/agent-traffic.php', 'wordpress/uninstall.php', 'AgentTraffic.php']) {
      await copyFile(join(CLIENT, file), join(plugin, file.split('/').at(-1)!));
    }
    await writeFile(join(root, 'wp-config.php'), configuration(`${folder}/mariadb.sock`));
    await run('chown', ['-R', 'www-data', root]);
    const wordPress = new WordPress(folder, database, await startFpm(reporting, root));
    try {
      await wordPress.install();
    } catch (error) {
      await wordPress.dispose();
      throw error;
    }
    return wordPress;
  }

  /** Sends a request as the administrator, without following redirects. */
  async request(path: string, form?: Record<string, string | string[]>): Promise<{ status: number; text: string }> {
    const body = new URLSearchParams();
    for (const [name, values] of Object.entries(form ?? {}))
      for (const value of [values].flat()) body.append(name, value);
    const response = await fetch(this.url + path, {
      method: form === undefined ? 'GET' : 'POST',
      headers: { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== undefined && { body }),
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split('=') as [string, string];
      this.cookies.set(name, value);
    }
    return { status: response.status, text: await response.text() };
  }

  async activate(): Promise<void> {
    const { text } = await this.request('/wp-admin/plugins.php');
    const link = /plugins\.php\?action=activate&amp;plugin=agent-traffic[^"]+/.exec(text)![0];
    await this.request(`/wp-admin/${link.replaceAll('&amp;', '&')}`);
  }

  /** Submits the plugin's settings page. */
  async save(settings: Record<string, string | string[]>): Promise<void> {
    const { text } = await this.request('/wp-admin/options-general.php?page=agent-traffic');
    const nonce = /name="_wpnonce" value="([^"]+)"/.exec(text)![1]!;
    const fields = Object.entries(settings).map(([name, value]) => [
      `agent_traffic[${name}]${Array.isArray(value) ? '[]' : ''}`,
      value,
    ]);
    const form = { option_page: 'agent_traffic', action: 'update', _wpnonce: nonce, ...Object.fromEntries(fields) };
    const { status } = await this.request('/wp-admin/options.php', form);
    if (status !== 302) throw new Error(`Saving the settings returned status ${status}\n${this.site.output}`);
  }

  async dispose(): Promise<void> {
    if (!disposables.delete(this)) return;
    await this.site.dispose();
    await this.database.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async install(): Promise<void> {
    const { text } = await this.request('/wp-admin/install.php?step=2', {
      weblog_title: 'A site',
      user_name: 'admin',
      admin_password: PASSWORD,
      admin_password2: PASSWORD,
      admin_email: 'admin@example.com',
      pw_weak: '1',
      blog_public: '1',
      language: '',
    });
    if (!text.includes('Success')) throw new Error(`Could not install WordPress:\n${text}\n${this.site.output}`);
    await this.request('/wp-login.php');
    await this.request('/wp-login.php', { log: 'admin', pwd: PASSWORD, testcookie: '1' });
  }
}

async function startMariaDb(folder: string): Promise<ServerProcess> {
  const [data, socket] = [join(folder, 'mariadb'), join(folder, 'mariadb.sock')];
  const options = ['--no-defaults', `--datadir=${data}`, '--user=mysql'];
  await mkdir(data);
  await chmod(folder, 0o777);
  await run('chown', ['mysql', data]);
  await run('mariadb-install-db', [...options, '--auth-root-authentication-method=normal', '--skip-test-db']);
  const client = (...args: string[]) => run('mariadb', ['--no-defaults', '-u', 'root', `--socket=${socket}`, ...args]);
  const server = await new ServerProcess({
    command: '/usr/sbin/mariadbd',
    args: [...options, `--socket=${socket}`, `--pid-file=${folder}/mariadb.pid`, '--skip-networking'],
    isReady: () =>
      client('-e', 'SELECT 1').then(
        () => true,
        () => false,
      ),
  }).start();
  await client('-e', 'CREATE DATABASE wordpress');
  return server;
}

const configuration = (socket: string): string => `<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${socket}');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_HOME', 'http://' . $_SERVER['HTTP_HOST']);
define('WP_SITEURL', WP_HOME);
${['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE']
  .flatMap((name) => [`${name}_KEY`, `${name}_SALT`])
  .map((name) => `define('${name}', 'of a test: ${name}');`)
  .join('\n')}
$table_prefix = 'wp_';
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;
