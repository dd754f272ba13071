/** What the entrypoints of the images do, done here: the one other thing than places that the stack makes up for. */
import { execFile, execFileSync } from 'node:child_process';
import { glob, mkdir, readFile, writeFile, access } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ComposeService } from './compose.ts';
import { kafkaClassPath } from './kafka-files.ts';
import { ensureCommands, findCommand, installPackages } from './packages.ts';
import type { Instance, Places } from './places.ts';

const run = promisify(execFile);

/** How a service is run on this machine. */
export interface Command {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  user?: { uid: number; gid: number };
  stopSignal: NodeJS.Signals;
}

type Entrypoint = (service: ComposeService, instance: Instance, places: Places) => Promise<Command>;

/** @throws Error for an image that the stack doesn't know. */
export async function commandOf(service: ComposeService, instance: Instance, places: Places): Promise<Command> {
  if (service.isOurs) return ours(service, instance, places);
  const [name] = service.image.split(':');
  const entrypoint = ENTRYPOINTS[name!];
  if (entrypoint === undefined) throw new Error(`the stack does not know the image ${service.image}`);
  return entrypoint(service, instance, places);
}

/** A health check of an image, as it is run here. */
export async function checkOf(test: readonly string[]): Promise<[string, string[]]> {
  const [command = '', ...args] = test;
  if (command === 'node') return [process.execPath, args];
  if (command === 'wget') return [process.execPath, ['-e', FETCH, args.at(-1)!]];
  if (command === 'pg_isready') return [join(await postgresFolder(), 'pg_isready'), args];
  if (command === 'redis-cli') return [(await findCommand('redis-cli'))!, args];
  // The image's tool is no part of the server that Maven brings: ask the same of a broker with our own client.
  if (basename(command) === 'kafka-broker-api-versions.sh') return [process.execPath, ['-e', ASK_KAFKA, args.at(-1)!]];
  throw new Error(`the stack does not know the health check ${command}`);
}

const FETCH = 'fetch(process.argv[1]).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))';
const ASK_KAFKA = `
const { Kafka, logLevel } = require('kafkajs');
const admin = new Kafka({ brokers: [process.argv[1]], logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin();
admin.connect().then(() => admin.describeCluster()).then(() => process.exit(0), () => process.exit(1));`;
const versionOf = ({ image }: ComposeService): string => image.split(':')[1]!;

const ours: Entrypoint = async (service, instance, places) => {
  const { root } = places.options;
  const [command, ...args] = service.command;
  const script = command === 'agent-traffic' ? [join(root, 'apps/cli/bin/agent-traffic.mjs')] : [];
  if (command !== 'agent-traffic' && command !== 'node') throw new Error(`the image has no command ${command}`);
  return {
    command: process.execPath,
    args: [...script, ...args.map((arg) => places.rewrite(arg, instance, service.volumes))],
    env: rewritten(service, instance, places),
    cwd: root,
    stopSignal: 'SIGTERM',
  };
};

const rewritten = (service: ComposeService, instance: Instance, places: Places): Record<string, string> =>
  Object.fromEntries(
    Object.entries(service.environment).map(([name, text]) => [name, places.rewrite(text, instance, service.volumes)]),
  );

const postgres: Entrypoint = async (service, instance, places) => {
  const bin = await postgresFolder();
  const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD_FILE, ...others } = rewritten(service, instance, places);
  refuse(others, service);
  const folder = places.path(service.volumes, '/var/lib/postgresql');
  const data = join(folder, 'data');
  // PostgreSQL refuses to be root.
  const user = process.geteuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  if (!(await isThere(data))) {
    await mkdir(folder, { recursive: true });
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, await readFile(POSTGRES_PASSWORD_FILE!), { mode: 0o600 });
    if (user !== undefined) await run('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
    const settings = [
      '-U',
      POSTGRES_USER!,
      '--pwfile',
      passwordFile,
      '-A',
      'scram-sha-256',
      '-E',
      'UTF8',
      '--locale=C',
    ];
    await run(join(bin, 'initdb'), ['-D', data, ...settings], { ...user, cwd: '/' });
    execFileSync(join(bin, 'postgres'), ['--single', '-D', data, 'postgres'], {
      ...user,
      cwd: '/',
      input: `CREATE DATABASE ${POSTGRES_DB}\n`,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
  }
  const args = service.command.slice(1).map((arg) => places.rewrite(arg, instance, service.volumes));
  return {
    command: join(bin, 'postgres'),
    args: [...args, '-D', data, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    env: {},
    cwd: '/',
    // Fast shutdown, as the image asks for it.
    stopSignal: 'SIGINT',
    ...(user !== undefined && { user }),
  };
};

const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']).toString());

/** The newest PostgreSQL of Debian's packages. */
async function postgresFolder(): Promise<string> {
  const find = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const path of glob('/usr/lib/postgresql/*/bin/postgres')) found.push(path);
    return found;
  };
  if ((await find()).length === 0) await installPackages(['postgresql']);
  const [newest] = (await find()).toSorted().toReversed();
  if (newest === undefined) throw new Error('PostgreSQL could not be installed');
  return dirname(newest);
}

const kafka: Entrypoint = async (service, instance, places) => {
  const classPath = await kafkaClassPath(versionOf(service));
  const { CLUSTER_ID, KAFKA_HEAP_OPTS = '', ...settings } = rewritten(service, instance, places);
  const lines = Object.entries(settings).map(([name, value]) => {
    if (!name.startsWith('KAFKA_')) throw new Error(`the image ${service.image} has no setting ${name}`);
    return `${name.slice('KAFKA_'.length).toLowerCase().replaceAll('_', '.')}=${value}\n`;
  });
  const data = places.path(service.volumes, '/var/lib/kafka/data');
  const properties = `${data}.properties`;
  await writeFile(properties, lines.join(''));
  const logging = '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn';
  const java = [...KAFKA_HEAP_OPTS.split(' ').filter(Boolean), logging, '-cp', classPath];
  const format = ['kafka.tools.StorageTool', 'format', '--ignore-formatted', '-t', CLUSTER_ID!, '-c', properties];
  await run('java', [...java, ...format]);
  return { command: 'java', args: [...java, 'kafka.Kafka', properties], env: {}, cwd: '/', stopSignal: 'SIGTERM' };
};

const redis: Entrypoint = async (service, instance, places) => {
  await ensureCommands({ 'redis-server': 'redis-server' });
  refuse(service.environment, service);
  const args = service.command.slice(1).map((arg) => places.rewrite(arg, instance, service.volumes));
  return {
    command: (await findCommand('redis-server'))!,
    args: [...args, '--bind', '127.0.0.1', '--dir', places.options.data],
    env: {},
    cwd: '/',
    stopSignal: 'SIGTERM',
  };
};

const nginx: Entrypoint = async (service, instance, places) => {
  await ensureCommands({ nginx: 'nginx-light' });
  const { NGINX_ENTRYPOINT_LOCAL_RESOLVERS, ...settings } = rewritten(service, instance, places);
  const variables: Record<string, string> = {
    ...(NGINX_ENTRYPOINT_LOCAL_RESOLVERS !== undefined && { NGINX_LOCAL_RESOLVERS: '127.0.0.1' }),
    // Addresses have nothing to resolve, and Debian's nginx has no word for it.
    ...Object.fromEntries(Object.entries(settings).map(([name, text]) => [name, text.replace(/ resolve$/, '')])),
  };
  const folder = join(places.options.data, 'nginx');
  await mkdir(folder, { recursive: true });
  const template = places.path(service.volumes, '/etc/nginx/templates/default.conf.template');
  const text = (await readFile(template, 'utf8')).replaceAll(/\$\{([A-Z_]+)\}/g, (_, name: string) => {
    if (variables[name] === undefined)
      throw new Error(`${template} wants ${name}, which docker-compose.yml does not set`);
    return variables[name];
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  await writeFile(join(folder, 'site.conf'), text);
  await writeFile(
    join(folder, 'nginx.conf'),
    `${process.geteuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${join(folder, 'pid')}; error_log stderr warn;
worker_processes ${Math.min(2, cpus().length)}; events { worker_connections 4096; }
http { ${temporary.join(' ')} default_type application/octet-stream; include ${join(folder, 'site.conf')}; }\n`,
  );
  return {
    command: (await findCommand('nginx'))!,
    args: ['-e', 'stderr', '-c', join(folder, 'nginx.conf')],
    env: {},
    cwd: '/',
    stopSignal: 'SIGQUIT',
  };
};

const ENTRYPOINTS: Record<string, Entrypoint> = { postgres, 'apache/kafka': kafka, redis, nginx };

function refuse(settings: Record<string, string>, { image }: ComposeService): void {
  const [name] = Object.keys(settings);
  if (name !== undefined) throw new Error(`the stack does not know the setting ${name} of ${image}`);
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
