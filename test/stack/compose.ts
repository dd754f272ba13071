/** Parses docker-compose.yml. Supports only the keys and forms used there, and fails on any other. */
import { parse } from 'yaml';

export type Condition = 'service_healthy' | 'service_completed_successfully';

export interface ComposeService {
  name: string;
  image: string;
  /** Built from this repository. */
  isOurs: boolean;
  /** Empty for the image's default. */
  command: string[];
  environment: Record<string, string>;
  volumes: { source: string; target: string }[];
  /** Container ports. */
  published: number[];
  dependsOn: Record<string, Condition>;
  healthcheck: { test: string[]; startPeriod: number } | null;
  restart: boolean;
  /** Seconds between SIGTERM and SIGKILL. */
  stopGracePeriod: number;
  /** Network names; null if the service has no network at all. */
  networks: string[] | null;
  /** Profile that must be enabled to start the service. */
  profile: string | null;
  confinement: Confinement;
}

/** Container restrictions. The stack runs no containers, so nothing enforces these here; tests check the values. */
export interface Confinement {
  hasCapabilities: boolean;
  mayGainPrivileges: boolean;
  isReadOnly: boolean;
  tmpfs: string[];
  /** User and group, as `uid:gid`; null for the image's default. */
  user: string | null;
  /** Memory limit in MiB; null for no limit. */
  memory: number | null;
  processes: number | null;
  /** Size of /dev/shm in MiB; null for Docker's default of 64. */
  sharedMemory: number | null;
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

/** @throws Error with the path of the first unsupported key or value */
export function readCompose(text: string): Map<string, ComposeService> {
  const root = parse(text, { merge: true }) as Node;
  for (const key of Object.keys(root)) {
    if (!['name', 'services', 'volumes', 'networks'].includes(key) && !key.startsWith('x-')) throw unknown(key);
  }
  const volumes = new Set(Object.keys((root['volumes'] as Node | undefined) ?? {}));
  const networks = new Set(readNetworks(root['networks'] as Node | undefined).keys());
  const services = new Map<string, ComposeService>();
  for (const [name, node] of Object.entries(root['services'] as Record<string, Node>)) {
    services.set(name, readService(name, node, { volumes, networks }));
  }
  for (const { name, dependsOn } of services.values()) {
    for (const other of Object.keys(dependsOn)) if (!services.has(other)) throw unknown(`${name}.depends_on.${other}`);
  }
  return services;
}

interface Declared {
  volumes: ReadonlySet<string>;
  networks: ReadonlySet<string>;
}

function readService(name: string, node: Node, { volumes, networks }: Declared): ComposeService {
  for (const key of Object.keys(node)) if (!SERVICE_KEYS.has(key)) throw unknown(`services.${name}.${key}`);
  const at = `services.${name}`;
  return {
    name,
    image: String(node['image']),
    isOurs: node['build'] !== undefined,
    command: readCommand(node['command'], `${at}.command`),
    environment: readEnvironment(node['environment'], `${at}.environment`),
    volumes: list(node['volumes']).map((volume, index) => readVolume(volume, volumes, `${at}.volumes.${index}`)),
    published: list(node['ports']).map((port, index) => readPort(port, `${at}.ports.${index}`)),
    dependsOn: readDependencies(node['depends_on'], `${at}.depends_on`),
    healthcheck: readHealthcheck(node['healthcheck'] as Node | undefined, `${at}.healthcheck`),
    restart: readRestart(node['restart'], `${at}.restart`),
    stopGracePeriod: node['stop_grace_period'] === undefined ? 10 : seconds(node['stop_grace_period'], at),
    networks: readServiceNetworks(node, networks, at),
    profile: readProfile(node['profiles'], `${at}.profiles`),
    confinement: readConfinement(node, at),
  };
}

/** Parses a command given as a list or as words without quotes. */
function readCommand(value: unknown, at: string): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== 'string' || /["'\\$|&;<>()]/.test(value)) throw unknown(at);
  return value.split(/\s+/);
}

function readEnvironment(value: unknown, at: string): Record<string, string> {
  if (Array.isArray(value)) throw unknown(at);
  return Object.fromEntries(
    Object.entries((value as Node | undefined) ?? {}).map(([name, item]) => {
      const text = String(item);
      if (item === null || typeof item === 'object' || text.includes('$')) throw unknown(`${at}.${name}`);
      return [name, text];
    }),
  );
}

function readVolume(value: unknown, volumes: ReadonlySet<string>, at: string): { source: string; target: string } {
  const match = /^([^:]+):(\/[^:]+)(?::ro)?$/.exec(String(value));
  if (match === null) throw unknown(at);
  const [, source = '', target = ''] = match;
  if (!source.startsWith('./') && !volumes.has(source))
    throw new Error(`docker-compose.yml: ${at}: no volume ${source}`);
  return { source, target };
}

/** Returns, by network name, whether the network is internal (without outside access). */
export function readNetworks(node: Node | undefined): Map<string, boolean> {
  return new Map(
    Object.entries(node ?? {}).map(([name, options]) => {
      const { internal = false, ipam: _addresses, ...rest } = (options as Node | null) ?? {};
      if (typeof internal !== 'boolean' || Object.keys(rest).length > 0) throw unknown(`networks.${name}`);
      return [name, internal];
    }),
  );
}

function readServiceNetworks(node: Node, networks: ReadonlySet<string>, at: string): string[] | null {
  const { networks: joined, network_mode: mode } = node;
  if (mode !== undefined && (mode !== 'none' || joined !== undefined)) throw unknown(`${at}.network_mode`);
  for (const [index, name] of list(joined).entries()) {
    if (!networks.has(String(name))) throw unknown(`${at}.networks.${index}`);
  }
  return mode === 'none' ? null : list(joined).map(String);
}

function readConfinement(node: Node, at: string): Confinement {
  const isOnly = (key: string, value: string): boolean => {
    if (node[key] !== undefined && JSON.stringify(node[key]) !== JSON.stringify([value])) throw unknown(`${at}.${key}`);
    return node[key] !== undefined;
  };
  const match = (key: string, pattern: RegExp): RegExpExecArray | null => {
    if (node[key] === undefined) return null;
    const found = pattern.exec(String(node[key]));
    if (found === null) throw unknown(`${at}.${key}`);
    return found;
  };
  const memory = match('mem_limit', /^(\d+)([mg])$/);
  // The group that can read the secrets.
  isOnly('group_add', '1000');
  return {
    hasCapabilities: !isOnly('cap_drop', 'ALL'),
    mayGainPrivileges: !isOnly('security_opt', 'no-new-privileges:true'),
    isReadOnly: node['read_only'] === true,
    tmpfs: list(node['tmpfs']).map((entry, index) => {
      const path = /^(\/[a-z./]+):size=\d+m(?:,exec|,uid=\d+,gid=\d+)?$/.exec(String(entry))?.[1];
      if (path === undefined) throw unknown(`${at}.tmpfs.${index}`);
      return path;
    }),
    user: match('user', /^\d+:\d+$/)?.[0] ?? null,
    memory: memory && Number(memory[1]) * (memory[2] === 'g' ? 1_024 : 1),
    processes: node['pids_limit'] === undefined ? null : Number(match('pids_limit', /^\d+$/)),
    sharedMemory: node['shm_size'] === undefined ? null : Number(match('shm_size', /^(\d+)m$/)?.[1]),
  };
}

function readPort(value: unknown, at: string): number {
  const match = /^127\.0\.0\.1:\d+:(\d+)$/.exec(String(value));
  if (match === null) throw unknown(at);
  return Number(match[1]);
}

function readDependencies(value: unknown, at: string): Record<string, Condition> {
  const dependencies: Record<string, Condition> = {};
  for (const [name, item] of Object.entries((value as Record<string, Node> | undefined) ?? {})) {
    const { condition, ...rest } = item;
    const isKnown = condition === 'service_healthy' || condition === 'service_completed_successfully';
    if (!isKnown || Object.keys(rest).length > 0) throw unknown(`${at}.${name}`);
    dependencies[name] = condition;
  }
  return dependencies;
}

function readHealthcheck(node: Node | undefined, at: string): ComposeService['healthcheck'] {
  if (node === undefined) return null;
  for (const key of Object.keys(node)) if (!HEALTHCHECK_KEYS.has(key)) throw unknown(`${at}.${key}`);
  const test = node['test'];
  if (!Array.isArray(test) || test[0] !== 'CMD') throw unknown(`${at}.test`);
  return { test: test.slice(1).map(String), startPeriod: seconds(node['start_period'], `${at}.start_period`) };
}

function readProfile(value: unknown, at: string): string | null {
  if (value === undefined) return null;
  if (!Array.isArray(value) || value.length !== 1) throw unknown(at);
  return String(value[0]);
}

function readRestart(value: unknown, at: string): boolean {
  if (value === 'unless-stopped') return true;
  if (value === 'no') return false;
  throw unknown(at);
}

function seconds(value: unknown, at: string): number {
  const match = /^(\d+)s$/.exec(String(value));
  if (match === null) throw unknown(at);
  return Number(match[1]);
}

const list = (value: unknown): unknown[] => (value === undefined ? [] : (value as unknown[]));

const unknown = (path: string): Error => new Error(`docker-compose.yml: ${path} is not understood by the stack`);
