/** Runs images without containers by reproducing their entrypoints and health checks on the host. */
import { execFile, execFileSync } from 'node:child_process';
import { access, glob, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ComposeService } from './compose.ts';
import { isBrokerResponsive } from './kafka-check.ts';
import { kafkaClassPath } from './kafka-files.ts';
import { ensureCommands, findCommand, installPackages } from './packages.ts';
import type { Instance, HostLayout } from './host-layout.ts';
import { SUPPORTED_SETTINGS } from './third-party-settings.ts';

const run = promisify(execFile);

interface Command {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  user?: { uid: number; gid: number };
  stopSignal: NodeJS.Signals;
}

type Entrypoint = (service: ComposeService, instance: Instance, layout: HostLayout) => Promise<Command>;

/**
 * Returns the command that starts an instance.
 *
 * @throws {Error} if the stack doesn't support the image
 */
export async function createCommand(service: ComposeService, instance: Instance, layout: HostLayout): Promise<Command> {
  if (service.isOurs) return ownImage(service, instance, layout);
  const [name] = service.image.split(':');
  const entrypoint = ENTRYPOINTS[name!];
  if (entrypoint === undefined) throw new Error(`The stack does not support the image ${service.image}`);
  return entrypoint(service, instance, layout);
}

/**
 * Checks the settings of a third-party service.
 *
 * @throws {Error} listing the settings that the stack doesn't support
 */
export function checkSettings({ name, image, isOurs, environment }: ComposeService): void {
  // The settings of our own services are checked by compose.spec.ts instead.
  if (isOurs) return;
  const supportedSettings = SUPPORTED_SETTINGS[image.split(':')[0]!] ?? [];
  const unsupportedSettings = Object.keys(environment).filter((setting) => !supportedSettings.includes(setting));
  if (unsupportedSettings.length === 0) return;
  const paths = unsupportedSettings.map((setting) => `services.${name}.environment.${setting}`);
  throw new Error(`docker-compose.yml: the stack does not support ${paths.join(', ')}`);
}

/**
 * Returns a version of an image's health check that can be run from the host.
 *
 * @param env The service's environment variables.
 */
export async function createHealthCheck(
  [command = '', ...args]: readonly string[],
  env: Record<string, string>,
): Promise<() => Promise<boolean>> {
  const target = args.at(-1)!;
  if (command === 'node') return () => succeeds(process.execPath, args, env);
  if (command === 'wget')
    return () =>
      fetch(target).then(
        ({ ok }) => ok,
        () => false,
      );
  if (command === 'pg_isready') return commandCheck(join(await postgresFolder(), command), args);
  if (command === 'redis-cli') return commandCheck((await findCommand(command))!, args);
  // Replace this check, because it uses a tool that is in the image but not in the Kafka distribution from Maven.
  if (basename(command) === 'kafka-broker-api-versions.sh') return () => isBrokerResponsive(target);
  throw new Error(`The stack does not support the health check command ${command}`);
}

const commandCheck = (command: string, args: readonly string[]) => () => succeeds(command, args, {});

const succeeds = (command: string, args: readonly string[], env: Record<string, string>): Promise<boolean> =>
  run(command, args, { cwd: '/', env: { ...env, PATH: process.env['PATH'] }, timeout: 15_000 }).then(
    () => true,
    () => false,
  );

const getImageVersion = ({ image }: ComposeService): string => image.split(':')[1]!;

const ownImage: Entrypoint = async (service, instance, layout) => {
  const { root } = layout.options;
  const [command, ...args] = service.command;
  const script = command === 'agent-traffic' ? [join(root, 'apps/cli/bin/agent-traffic.mjs')] : [];
  if (command !== 'agent-traffic' && command !== 'node')
    throw new Error(`The image does not contain the command ${command}`);
  await linkMounts(service, instance, layout);
  return {
    command: process.execPath,
    args: [...script, ...args.map((arg) => layout.rewrite(arg, instance, service.volumes))],
    env: rewriteEnvironment(service, instance, layout),
    cwd: root,
    stopSignal: 'SIGTERM',
  };
};

/**
 * Links volumes to the image's mount points. Replicas share the links and start concurrently, so each link is created
 * under a temporary name and then renamed.
 */
async function linkMounts({ name, volumes }: ComposeService, { number }: Instance, layout: HostLayout): Promise<void> {
  for (const { source, target } of volumes) {
    const mount = layout.mountPoint(name, target);
    const volume = layout.path(volumes, target);
    if (!source.startsWith('./')) await mkdir(volume, { recursive: true, mode: 0o700 });
    await mkdir(dirname(mount), { recursive: true });
    const link = `${mount}-${number}`;
    await rm(link, { force: true });
    await symlink(volume, link);
    await rename(link, mount);
  }
}

const rewriteEnvironment = (service: ComposeService, instance: Instance, layout: HostLayout): Record<string, string> =>
  Object.fromEntries(
    Object.entries(service.environment).map(([name, text]) => [name, layout.rewrite(text, instance, service.volumes)]),
  );

const postgres: Entrypoint = async (service, instance, layout) => {
  const bin = await postgresFolder();
  const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD_FILE } = rewriteEnvironment(service, instance, layout);
  const folder = layout.path(service.volumes, '/var/lib/postgresql');
  const data = join(folder, 'data');
  // PostgreSQL can't run as root.
  const user = process.geteuid?.() === 0 ? { uid: getPostgresUserId('-u'), gid: getPostgresUserId('-g') } : undefined;
  if (!(await exists(data))) {
    // Rename the folder once it's complete, so an interrupted setup is never used.
    const unfinished = `${data}.new`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, await readFile(POSTGRES_PASSWORD_FILE!), { mode: 0o600 });
    if (user !== undefined) await run('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
    const initdbOptions = [
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
    await run(join(bin, 'initdb'), ['-D', unfinished, ...initdbOptions], { ...user, cwd: '/' });
    execFileSync(join(bin, 'postgres'), ['--single', '-D', unfinished, 'postgres'], {
      ...user,
      cwd: '/',
      input: `CREATE DATABASE ${POSTGRES_DB}\n`,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    await rm(passwordFile);
    await rename(unfinished, data);
  }
  const args = service.command.slice(1).map((arg) => layout.rewrite(arg, instance, service.volumes));
  return {
    command: join(bin, 'postgres'),
    args: [...args, '-D', data, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    env: {},
    cwd: '/',
    // Stops PostgreSQL without waiting for clients to disconnect, like the stop signal in the image.
    stopSignal: 'SIGINT',
    ...(user !== undefined && { user }),
  };
};

const getPostgresUserId = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']).toString());

/**
 * Returns the program folder of the newest installed PostgreSQL version. Installs Debian's version if none is found.
 */
async function postgresFolder(): Promise<string> {
  const find = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const path of glob('/usr/lib/postgresql/*/bin/postgres')) found.push(path);
    return found;
  };
  if ((await find()).length === 0) await installPackages(['postgresql']);
  const [newest] = (await find()).toSorted().toReversed();
  if (newest === undefined) throw new Error('Could not install PostgreSQL');
  return dirname(newest);
}

/** Converts the image's environment variables to server.properties. `KAFKA_A_B` becomes `a.b`. */
export const serverProperties = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name.slice('KAFKA_'.length).toLowerCase().replaceAll('_', '.')}=${value}\n`)
    .join('');

const kafka: Entrypoint = async (service, instance, layout) => {
  const classPath = await kafkaClassPath(getImageVersion(service));
  const {
    CLUSTER_ID,
    KAFKA_HEAP_OPTS = '',
    KAFKA_OPTS = '',
    ...settings
  } = rewriteEnvironment(service, instance, layout);
  const data = layout.path(service.volumes, '/var/lib/kafka/data');
  const properties = `${data}.properties`;
  await writeFile(properties, serverProperties(settings));
  const logging = '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn';
  const java = [...`${KAFKA_HEAP_OPTS} ${KAFKA_OPTS}`.split(' ').filter(Boolean), logging, '-cp', classPath];
  const format = ['kafka.tools.StorageTool', 'format', '--ignore-formatted', '-t', CLUSTER_ID!, '-c', properties];
  await run('java', [...java, ...format]);
  return { command: 'java', args: [...java, 'kafka.Kafka', properties], env: {}, cwd: '/', stopSignal: 'SIGTERM' };
};

const redis: Entrypoint = async (service, instance, layout) => {
  await ensureCommands({ 'redis-server': 'redis-server' });
  const args = service.command.slice(1).map((arg) => layout.rewrite(arg, instance, service.volumes));
  return {
    command: (await findCommand('redis-server'))!,
    args: [...args, '--bind', '127.0.0.1', '--dir', layout.options.data],
    env: {},
    cwd: '/',
    stopSignal: 'SIGTERM',
  };
};

const nginx: Entrypoint = async (service, instance, layout) => {
  await ensureCommands({ nginx: 'nginx-light' });
  const { NGINX_ENTRYPOINT_LOCAL_RESOLVERS, ...settings } = rewriteEnvironment(service, instance, layout);
  const variables: Record<string, string> = {
    ...(NGINX_ENTRYPOINT_LOCAL_RESOLVERS !== undefined && { NGINX_LOCAL_RESOLVERS: '127.0.0.1' }),
    ...settings,
    ...getUpstreams(service, layout),
  };
  const folder = join(layout.options.data, 'nginx');
  await mkdir(folder, { recursive: true });
  const template = layout.path(service.volumes, '/etc/nginx/templates/default.conf.template');
  const text = (await readFile(template, 'utf8')).replaceAll(/\$\{([A-Z_]+)\}/g, (_, name: string) => {
    if (variables[name] === undefined)
      throw new Error(`${template} uses ${name}, but docker-compose.yml does not set it`);
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

/**
 * Returns nginx upstream settings that list each replica's address. In Docker, this isn't needed, because a service
 * name resolves to all replicas.
 */
export function getUpstreams({ environment }: ComposeService, layout: HostLayout): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, text] of Object.entries(environment)) {
    const [, host, port, parameters] = /^(\w+):(\d+) resolve( .+)$/.exec(text) ?? [];
    if (host === undefined) continue;
    const servers = layout
      .instances(host)
      .map((instance) => `127.0.0.1:${layout.port(instance, Number(port))}${parameters}`);
    found[name] = servers.join('; server ');
  }
  return found;
}

const ENTRYPOINTS: Record<string, Entrypoint> = { postgres, 'apache/kafka': kafka, redis, nginx };

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
