/** Parses docker-compose.yml. Supports only the keys and formats used in that file and rejects all others. */
import { parse } from 'yaml';

export type Condition = 'service_healthy' | 'service_completed_successfully';

export interface ComposeService {
  name: string;
  image: string;
  /** True if the image is built from this repository. */
  isOurs: boolean;
  /** Command and arguments. Empty for the image's default command. */
  command: string[];
  environment: Record<string, string>;
  volumes: { source: string; target: string }[];
  /** Container ports published on localhost. */
  published: number[];
  dependsOn: Record<string, Condition>;
  healthcheck: { test: string[]; startPeriod: number } | null;
  restart: boolean;
  /** Seconds between SIGTERM and SIGKILL. */
  stopGracePeriodSeconds: number;
  /** Network names, or null if the service has no network at all. */
  networks: string[] | null;
  /** Profile that must be enabled to start the service, or null. */
  profile: string | null;
  confinement: Confinement;
}

/**
 * Container restrictions. Nothing enforces them here, because the stack doesn't run containers. However, tests check
 * their values.
 */
export interface Confinement {
  hasCapabilities: boolean;
  mayGainPrivileges: boolean;
  isReadOnly: boolean;
  tmpfs: string[];
  /** User and group as `uid:gid`, or null for the image's default. */
  user: string | null;
  /** Memory limit in MiB, or null if unlimited. */
  memoryMib: number | null;
  processes: number | null;
  /** Size of /dev/shm in MiB, or null for Docker's default of 64 MiB. */
  sharedMemoryMib: number | null;
}

type Node = Record<string, unknown>;

const SERVICE_KEYS = new Set([
  'image',
  'build',
  'command',
  'environment',
  'volumes',
  'ports',
  'depends_on',
  'healthcheck',
  'restart',
  'stop_grace_period',
  'networks',
  'network_mode',
  'cap_drop',
  'security_opt',
  'read_only',
  'tmpfs',
  'user',
  'group_add',
  'profiles',
  'mem_limit',
  'pids_limit',
  'shm_size',
]);
const HEALTHCHECK_KEYS = new Set(['test', 'interval', 'timeout', 'start_period', 'start_interval']);

/** @throws {Error} with the path of the first unsupported key or value */
export function readCompose(text: string): Map<string, ComposeService> {
  const root = parse(text, { merge: true }) as Node;
  for (const key of Object.keys(root)) {
    if (!['name', 'services', 'volumes', 'networks'].includes(key) && !key.startsWith('x-'))
      throw createUnsupportedError(key);
  }
  const volumes = new Set(Object.keys((root['volumes'] as Node | undefined) ?? {}));
  const networks = new Set(readNetworks(root['networks'] as Node | undefined).keys());
  const services = new Map<string, ComposeService>();
  for (const [name, node] of Object.entries(root['services'] as Record<string, Node>)) {
    services.set(name, readService(name, node, { volumes, networks }));
  }
  for (const { name, dependsOn } of services.values()) {
    for (const other of Object.keys(dependsOn))
      if (!services.has(other)) throw createUnsupportedError(`${name}.depends_on.${other}`);
  }
  return services;
}

interface DeclaredResources {
  volumes: ReadonlySet<string>;
  networks: ReadonlySet<string>;
}

function readService(name: string, node: Node, { volumes, networks }: DeclaredResources): ComposeService {
  for (const key of Object.keys(node))
    if (!SERVICE_KEYS.has(key)) throw createUnsupportedError(`services.${name}.${key}`);
  const at = `services.${name}`;
  return {
    name,
    image: String(node['image']),
    isOurs: node['build'] !== undefined,
    command: readCommand(node['command'], `${at}.command`),
    environment: readEnvironment(node['environment'], `${at}.environment`),
    volumes: toList(node['volumes']).map((volume, index) => readVolume(volume, volumes, `${at}.volumes.${index}`)),
    published: toList(node['ports']).map((port, index) => readPort(port, `${at}.ports.${index}`)),
    dependsOn: readDependencies(node['depends_on'], `${at}.depends_on`),
    healthcheck: readHealthcheck(node['healthcheck'] as Node | undefined, `${at}.healthcheck`),
    restart: readRestart(node['restart'], `${at}.restart`),
    stopGracePeriodSeconds: node['stop_grace_period'] === undefined ? 10 : parseSeconds(node['stop_grace_period'], at),
    networks: readServiceNetworks(node, networks, at),
    profile: readProfile(node['profiles'], `${at}.profiles`),
    confinement: readConfinement(node, at),
  };
}

/** Parses a command given as a list or as unquoted words. */
function readCommand(value: unknown, at: string): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== 'string' || /["'\\$|&;<>()]/.test(value)) throw createUnsupportedError(at);
  return value.split(/\s+/);
}

function readEnvironment(value: unknown, at: string): Record<string, string> {
  if (Array.isArray(value)) throw createUnsupportedError(at);
  return Object.fromEntries(
    Object.entries((value as Node | undefined) ?? {}).map(([name, item]) => {
      const text = String(item);
      // An optional setting. It's not set in the stack.
      if (/^\$\{[A-Z_]+:-\}$/.test(text)) return [name, ''];
      if (item === null || typeof item === 'object' || text.includes('$'))
        throw createUnsupportedError(`${at}.${name}`);
      return [name, text];
    }),
  );
}

function readVolume(value: unknown, volumes: ReadonlySet<string>, at: string): { source: string; target: string } {
  const match = /^([^:]+):(\/[^:]+)(?::ro)?$/.exec(String(value));
  if (match === null) throw createUnsupportedError(at);
  const [, source = '', target = ''] = match;
  if (!source.startsWith('./') && !volumes.has(source))
    throw new Error(`docker-compose.yml: ${at}: unknown volume ${source}`);
  return { source, target };
}

/** Returns a map from network names to whether the network is internal (without outside access). */
export function readNetworks(node: Node | undefined): Map<string, boolean> {
  return new Map(
    Object.entries(node ?? {}).map(([name, options]) => {
      const { internal = false, ipam: _addresses, ...rest } = (options as Node | null) ?? {};
      if (typeof internal !== 'boolean' || Object.keys(rest).length > 0)
        throw createUnsupportedError(`networks.${name}`);
      return [name, internal];
    }),
  );
}

function readServiceNetworks(node: Node, networks: ReadonlySet<string>, at: string): string[] | null {
  const { networks: joined, network_mode: mode } = node;
  if (mode !== undefined && (mode !== 'none' || joined !== undefined))
    throw createUnsupportedError(`${at}.network_mode`);
  for (const [index, name] of toList(joined).entries()) {
    if (!networks.has(String(name))) throw createUnsupportedError(`${at}.networks.${index}`);
  }
  return mode === 'none' ? null : toList(joined).map(String);
}

function readConfinement(node: Node, at: string): Confinement {
  const hasOnly = (key: string, value: string): boolean => {
    if (node[key] !== undefined && JSON.stringify(node[key]) !== JSON.stringify([value]))
      throw createUnsupportedError(`${at}.${key}`);
    return node[key] !== undefined;
  };
  const match = (key: string, pattern: RegExp): RegExpExecArray | null => {
    if (node[key] === undefined) return null;
    const matched = pattern.exec(String(node[key]));
    if (matched === null) throw createUnsupportedError(`${at}.${key}`);
    return matched;
  };
  const memory = match('mem_limit', /^(\d+)([mg])$/);
  // The service must be in this group, because only its members can read the secrets.
  hasOnly('group_add', '1000');
  return {
    hasCapabilities: !hasOnly('cap_drop', 'ALL'),
    mayGainPrivileges: !hasOnly('security_opt', 'no-new-privileges:true'),
    isReadOnly: node['read_only'] === true,
    tmpfs: toList(node['tmpfs']).map((entry, index) => {
      const path = /^(\/[a-z./-]+):size=\d+m(?:,exec|,uid=\d+,gid=\d+)?$/.exec(String(entry))?.[1];
      if (path === undefined) throw createUnsupportedError(`${at}.tmpfs.${index}`);
      return path;
    }),
    user: match('user', /^\d+:\d+$/)?.[0] ?? null,
    memoryMib: memory && Number(memory[1]) * (memory[2] === 'g' ? 1_024 : 1),
    processes: node['pids_limit'] === undefined ? null : Number(match('pids_limit', /^\d+$/)),
    sharedMemoryMib: node['shm_size'] === undefined ? null : Number(match('shm_size', /^(\d+)m$/)?.[1]),
  };
}

function readPort(value: unknown, at: string): number {
  const match = /^127\.0\.0\.1:\d+:(\d+)$/.exec(String(value));
  if (match === null) throw createUnsupportedError(at);
  return Number(match[1]);
}

function readDependencies(value: unknown, at: string): Record<string, Condition> {
  const dependencies: Record<string, Condition> = {};
  for (const [name, item] of Object.entries((value as Record<string, Node> | undefined) ?? {})) {
    const { condition, required, ...rest } = item;
    const isKnown = condition === 'service_healthy' || condition === 'service_completed_successfully';
    if (!isKnown || Object.keys(rest).length > 0) throw createUnsupportedError(`${at}.${name}`);
    if (required !== undefined && required !== false) throw createUnsupportedError(`${at}.${name}.required`);
    // A service in a profile, which the stack doesn't start.
    if (required === false) continue;
    dependencies[name] = condition;
  }
  return dependencies;
}

function readHealthcheck(node: Node | undefined, at: string): ComposeService['healthcheck'] {
  if (node === undefined) return null;
  for (const key of Object.keys(node)) if (!HEALTHCHECK_KEYS.has(key)) throw createUnsupportedError(`${at}.${key}`);
  const test = node['test'];
  if (!Array.isArray(test) || test[0] !== 'CMD') throw createUnsupportedError(`${at}.test`);
  return { test: test.slice(1).map(String), startPeriod: parseSeconds(node['start_period'], `${at}.start_period`) };
}

function readProfile(value: unknown, at: string): string | null {
  if (value === undefined) return null;
  if (!Array.isArray(value) || value.length !== 1) throw createUnsupportedError(at);
  return String(value[0]);
}

function readRestart(value: unknown, at: string): boolean {
  if (value === 'unless-stopped') return true;
  if (value === 'no') return false;
  throw createUnsupportedError(at);
}

function parseSeconds(value: unknown, at: string): number {
  const match = /^(\d+)s$/.exec(String(value));
  if (match === null) throw createUnsupportedError(at);
  return Number(match[1]);
}

const toList = (value: unknown): unknown[] => (value === undefined ? [] : (value as unknown[]));

const createUnsupportedError = (path: string): Error =>
  new Error(`docker-compose.yml: the stack does not support ${path}`);
