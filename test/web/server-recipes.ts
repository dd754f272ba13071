/** Runs the recipes in docs/connect/web-servers.md with servers from Debian packages. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'shell-quote';
import { Pool } from 'undici';
import { until } from '../kit/instance.ts';
import { WebServer, type ServerKind } from '../rules/web-servers.ts';
import { ensureCommands, findCommand } from '../stack/packages.ts';
import { ServerProcess } from '../stack/server-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCS_PAGE = join(ROOT, 'docs/connect/web-servers.md');
export const CLI = join(ROOT, 'apps/cli/bin/agent-traffic.mjs');

/** Listener address in the recipes. */
const LISTENER_ADDRESS = '127.0.0.1:5514';

export const RECIPES = ['nginx', 'Apache', 'Caddy', 'HAProxy', 'rsyslog'] as const;
export type Recipe = (typeof RECIPES)[number];

/** Recipes that send over UDP, where lost messages go unnoticed. */
export const UDP_RECIPES: readonly Recipe[] = ['nginx'];

/** Returns a recipe's configuration, and its listener command if it has one. */
async function readRecipe(name: Recipe): Promise<{ configuration: string; command: string | undefined }> {
  const page = await readFile(DOCS_PAGE, 'utf8');
  const section = page.split(/^## /m).find((text) => text.startsWith(`${name}\n`))!;
  const blocks = [...section.matchAll(/^```(\w+)\n([^]*?)^```$/gm)];
  const block = (matches: (language: string) => boolean) => blocks.find(([, language]) => matches(language!))?.[2];
  return { configuration: block((language) => language !== 'sh')!, command: block((language) => language === 'sh') };
}

/** Runs `agent-traffic logs listen` on a free port, with the options from a recipe. */
export class Listener {
  readonly address: string;
  private readonly process: ServerProcess;

  private constructor(address: string, process: ServerProcess) {
    this.address = address;
    this.process = process;
  }

  static async start(command: string, env: Record<string, string>): Promise<Listener> {
    const args = parse(command.replace(LISTENER_ADDRESS, '127.0.0.1:0'), (name: string) => `$${name}`).slice(
      1,
    ) as string[];
    const listener: ServerProcess = new ServerProcess({
      command: process.execPath,
      args: [CLI, ...args],
      env,
      isReady: async () => listener.output.includes('Listening for syslog'),
      stopTimeoutMs: 30_000,
    });
    await listener.start();
    return new Listener(/127\.0\.0\.1:\d+/.exec(listener.output)![0], listener);
  }

  /** Stops the listener and returns its exit code and output. */
  async stop(): Promise<{ code: number | null; output: string }> {
    const code = await this.process.stop();
    return { code, output: this.process.output };
  }

  get output(): string {
    return this.process.output;
  }
}

/** Server that logs requests as its recipe describes, with a client that sends requests to it. */
export class LoggingServer {
  private readonly server: WebServer;
  private readonly listener: Listener | undefined;
  private readonly otherProcesses: ServerProcess[];
  private readonly pool: Pool;

  private constructor(server: WebServer, listener: Listener | undefined, others: ServerProcess[]) {
    this.server = server;
    this.listener = listener;
    this.otherProcesses = others;
    this.pool = new Pool(server.url, { connections: 16 });
  }

  /**
   * @param env Environment variables with the instance URL and a token.
   * @param folder Folder for files that the server writes.
   */
  static async start(name: Recipe, env: Record<string, string>, folder: string): Promise<LoggingServer> {
    const { configuration, command } = await readRecipe(name);
    const listener = command === undefined ? undefined : await Listener.start(command, env);
    const text = configuration
      .replaceAll(LISTENER_ADDRESS, listener?.address ?? LISTENER_ADDRESS)
      .replaceAll('port="5514"', `port="${listener?.address.split(':')[1]}"`)
      .replaceAll('/usr/bin/agent-traffic', `${process.execPath} ${CLI}`);
    if (name === 'rsyslog') {
      const log = join(folder, 'access.log');
      const rsyslog = await startRsyslog(text.replaceAll('/var/log/nginx/access.log', log), folder);
      return new LoggingServer(await startServer('nginx', `access_log ${log};`), listener, [rsyslog]);
    }
    const [site = '', before = ''] = text.split(/^# In each .*\n/m).toReversed();
    return new LoggingServer(await startServer(name.toLowerCase() as ServerKind, site, before, env), listener, []);
  }

  /** Requests `/<name>/<number>` for each number, over 16 connections. */
  async sendRequests(name: string, numbers: Iterable<number>, headers: Record<string, string>): Promise<void> {
    const remainingNumbers = numbers[Symbol.iterator]();
    const sendNext = async (): Promise<void> => {
      for (let next = remainingNumbers.next(); !next.done; next = remainingNumbers.next()) {
        const { body } = await this.pool.request({ method: 'GET', path: `/${name}/${next.value}`, headers });
        await body.dump();
      }
    };
    await Promise.all(Array.from({ length: 16 }, sendNext));
  }

  get output(): string {
    return this.listener?.output ?? '';
  }

  /**
   * Stops the server, then the listener.
   *
   * @returns The listener's exit code and output, or null if there is no listener.
   */
  async stop(): Promise<{ code: number | null; output: string } | null> {
    await this.pool.destroy();
    await this.server.dispose();
    for (const other of this.otherProcesses) await other.stop();
    return (await this.listener?.stop()) ?? null;
  }
}

/** @param before Configuration that belongs outside the site. */
function startServer(
  kind: ServerKind,
  site: string,
  before = '',
  env: Record<string, string> = {},
): Promise<WebServer> {
  const part = kind === 'nginx' ? `map $uri $agent_traffic_refused { default 0; }\n${before}` : '# nothing';
  return WebServer.start(kind, part, { site, global: kind === 'haproxy' ? before : '', env });
}

async function startRsyslog(configuration: string, folder: string): Promise<ServerProcess> {
  await ensureCommands({ rsyslogd: 'rsyslog' });
  const spool = join(folder, 'spool');
  await mkdir(spool);
  await writeFile(join(folder, 'access.log'), '');
  const file = join(folder, 'rsyslog.conf');
  await writeFile(file, configuration.replaceAll('/var/spool/rsyslog', spool));
  const command = (await findCommand('rsyslogd'))!;
  const rsyslog = new ServerProcess({ command, args: ['-n', '-f', file, '-i', join(folder, 'rsyslog.pid')] });
  await rsyslog.start();
  return rsyslog;
}

export function countByPath(visits: readonly { request_path: string }[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { request_path: path } of visits) times.set(path, (times.get(path) ?? 0) + 1);
  return times;
}

/** Waits until a count reaches `enough` or hasn't changed for 15 seconds, because UDP can lose visits. */
export async function waitUntilSteady(read: () => Promise<number>, enough: number): Promise<void> {
  let last = { value: -1, since: Date.now() };
  await until(
    async () => {
      const value = await read();
      if (value !== last.value) last = { value, since: Date.now() };
      return value >= enough || Date.now() - last.since > 15_000;
    },
    { condition: 'all visits have arrived or no more arrive', timeoutMs: 120_000 },
  );
}
