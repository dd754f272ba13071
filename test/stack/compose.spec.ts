import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrationSettings } from '../../apps/cli/src/migration/env.js';
import { readSettings as readCatalog } from '../../apps/catalog/src/env.js';
import { readSettings as readConsole } from '../../apps/console/src/env.js';
import { readSettings as readEnrichment } from '../../apps/enrichment/src/env.js';
import { readSettings as readGateway } from '../../apps/gateway/src/env.js';
import { readSettings as readIngest } from '../../apps/ingest/src/env.js';
import { readSettings as readRules } from '../../apps/rules/src/env.js';
import { parse } from 'yaml';
import { readCompose, readNetworks } from './compose.ts';
import { checkSettings } from './images.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILE = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

describe('docker-compose.yml', () => {
  const services = readCompose(FILE);

  it('parses, and contains only supported settings', () => {
    expect([...services.keys()]).toEqual(
      expect.arrayContaining(['secrets', 'postgres', 'kafka', 'redis', 'migrate', 'gateway', 'console', 'edge']),
    );
    for (const service of services.values()) expect(() => checkSettings(service)).not.toThrow();
    expect(services.get('gateway')).toMatchObject({
      isOurs: true,
      command: ['node', 'apps/start.mjs', 'gateway'],
      environment: { DATABASE_URL: 'postgres://agent_traffic@postgres:5432/agent_traffic', PORT: '3001' },
      dependsOn: { migrate: 'service_completed_successfully', kafka: 'service_healthy' },
      restart: true,
      stopGracePeriod: 15,
    });
  });

  it('publishes only the edge, and Grafana with the monitoring profile', () => {
    expect([...services.values()].filter(({ published }) => published.length > 0)).toMatchObject([
      { name: 'edge', published: [3000], profile: null },
      { name: 'grafana', published: [3000], profile: 'monitoring' },
    ]);
  });

  it.each([
    ['gateway', readGateway],
    ['console', readConsole],
    ['enrichment', readEnrichment],
    ['ingest', readIngest],
    ['catalog', readCatalog],
    ['rules', readRules],
    ['migrate', readMigrationSettings],
  ])('gives %s all required settings and no unused ones', (name, read) => {
    const { environment } = services.get(name)!;
    const asked = new Set<string>();
    const valueOf = (key: string): string | undefined => {
      // Placeholder for a value that is read from a file in the container.
      if (`${key}_FILE` in environment) return 'f'.repeat(64);
      return key.endsWith('_FILE') ? undefined : environment[key];
    };
    const source = new Proxy<NodeJS.ProcessEnv>(
      {},
      { get: (_, key) => asked.add(String(key)) && valueOf(String(key)) },
    );
    read(source);
    expect(Object.keys(environment).filter((key) => !asked.has(key))).toEqual([]);
  });

  it('mounts into each service only its own secrets', () => {
    const step = services.get('secrets')!.volumes.map(({ source }) => source);
    for (const { name, volumes, environment, command } of services.values()) {
      if (name === 'secrets') continue;
      const mounted = volumes.filter(({ source }) => source.endsWith('secrets'));
      // The path of its token is in its configuration, which test/stack/monitoring.spec.ts checks.
      if (name === 'prometheus') continue;
      const reads = [...Object.values(environment), ...command].filter((text) => text.includes('/run/secrets/'));
      expect([name, mounted]).toEqual([
        name,
        reads.length > 0 ? [{ source: `${name}-secrets`, target: '/run/secrets' }] : [],
      ]);
      for (const { source } of mounted) expect(step).toContain(source);
    }
  });

  it('confines every service', () => {
    for (const { name, isOurs, confinement } of services.values()) {
      const { user, tmpfs, memory, processes, sharedMemory, ...rest } = confinement;
      expect([name, rest]).toEqual([name, { hasCapabilities: false, mayGainPrivileges: false, isReadOnly: true }]);
      // Third-party images start as root unless a user is set. Our image sets its own user.
      expect([name, isOurs ? user : /^[1-9]\d*:[1-9]/.test(user ?? '')]).toEqual([name, isOurs ? null : true]);
      expect(tmpfs.length).toBeGreaterThan(0);
      expect(memory).toBeGreaterThanOrEqual(256);
      expect(processes).toBeGreaterThanOrEqual(64);
      // Parallel queries of PostgreSQL use /dev/shm and fail when it is full.
      expect([name, sharedMemory]).toEqual([name, name === 'postgres' ? 256 : null]);
    }
  });

  it('connects services only to the networks they need', () => {
    const networks = new Map([...services.values()].map((service) => [service.name, service.networks]));
    const members = (network: string): string[] =>
      [...networks].flatMap(([name, joined]) => (joined?.includes(network) ? [name] : [])).toSorted();
    expect(networks.get('secrets')).toBeNull();
    expect(members('published')).toEqual(['edge', 'grafana']);
    expect(members('outside')).toEqual(['catalog', 'console', 'enrichment', 'ingest']);
    expect(members('edge')).toEqual(['console', 'edge', 'gateway']);
    expect(members('internal')).toEqual(['catalog', 'console', 'gateway', 'rules']);
    expect(members('redis')).toEqual(['catalog', 'console', 'enrichment', 'gateway', 'ingest', 'redis', 'rules']);
    expect(members('kafka')).toEqual(['console', 'enrichment', 'gateway', 'ingest', 'kafka', 'migrate']);
    const watched = ['catalog', 'console', 'enrichment', 'gateway', 'ingest', 'rules'];
    expect(members('metrics')).toEqual([...watched, 'grafana', 'prometheus'].toSorted());
    expect(members('database')).not.toContain('rules');
    const open = [...readNetworks(parse(FILE).networks)].flatMap(([name, isInternal]) => (isInternal ? [] : [name]));
    expect(open.toSorted()).toEqual(['outside', 'published']);
  });

  it('connects services to the hosts in their settings', () => {
    for (const { name, environment, networks } of services.values()) {
      const named = Object.values(environment).flatMap((text) =>
        [...text.matchAll(/\b([a-z]+):\d{4}\b/g)].flatMap(([, host]) => services.get(host!) ?? []),
      );
      for (const other of named) {
        const shared = networks?.filter((network) => other.networks?.includes(network)) ?? [];
        expect([name, other.name, shared.length > 0]).toEqual([name, other.name, true]);
      }
    }
  });

  it('runs every service that is built, and no others', () => {
    const started = [...services.values()].filter(({ command }) => command[1] === 'apps/start.mjs');
    const names = started.map(({ command }) => command[2]!);
    expect(names.toSorted()).toEqual(['catalog', 'console', 'enrichment', 'gateway', 'ingest', 'rules']);
    expect(names.filter((name) => !existsSync(join(ROOT, `apps/${name}/src/main.ts`)))).toEqual([]);
  });
});

const file = (service: object): string =>
  JSON.stringify({ services: { a: { image: 'redis:1', restart: 'no', ...service } }, volumes: { kept: null } });

it.each<[string, object, string]>([
  ['a key', { privileged: true }, 'services.a.privileged'],
  [
    'a key of a health check',
    { healthcheck: { test: ['CMD', 'x'], start_period: '1s', disable: true } },
    'healthcheck.disable',
  ],
  ['a shell', { healthcheck: { test: ['CMD-SHELL', 'x'], start_period: '1s' } }, 'services.a.healthcheck.test'],
  ['a list of settings', { environment: ['A=b'] }, 'services.a.environment'],
  ['interpolation', { environment: { A: '${B}' } }, 'services.a.environment.A'],
  ['quotes in a command', { command: 'sh -c "x"' }, 'services.a.command'],
  ['another form of volume', { volumes: ['kept:/x:z'] }, 'services.a.volumes.0'],
  ['a volume that is not declared', { volumes: ['other:/x'] }, 'services.a.volumes.0: no volume other'],
  ['a port for all the world', { ports: ['3000:3000'] }, 'services.a.ports.0'],
  ['another condition', { depends_on: { a: { condition: 'service_started' } } }, 'services.a.depends_on.a'],
  ['a service that is not there', { depends_on: { b: { condition: 'service_healthy' } } }, 'a.depends_on.b'],
  ['two profiles', { profiles: ['a', 'b'] }, 'services.a.profiles'],
  ['another restart', { restart: 'always' }, 'services.a.restart'],
  ['another unit', { stop_grace_period: '1m' }, 'services.a'],
  ['a network that is not declared', { networks: ['other'] }, 'services.a.networks.0'],
  ['the network of the machine', { network_mode: 'host' }, 'services.a.network_mode'],
  ['capabilities that are kept', { cap_drop: ['CHOWN'] }, 'services.a.cap_drop'],
  ['another option of security', { security_opt: ['seccomp:unconfined'] }, 'services.a.security_opt'],
  ['a limit in other units', { mem_limit: '1t' }, 'services.a.mem_limit'],
  ['a tmpfs without a size', { tmpfs: ['/tmp'] }, 'services.a.tmpfs.0'],
])('rejects %s', (_, service, path) => {
  expect(() => readCompose(file({}))).not.toThrow();
  expect(() => readCompose(file(service))).toThrow(path);
});

it('rejects a setting that the service does not read', () => {
  const check = (environment: object, image = 'nginx:1'): void =>
    readCompose(file({ image, environment })).forEach(checkSettings);
  expect(() => check({ LISTEN: '0.0.0.0:1' })).not.toThrow();
  expect(() => check({ LISTEN: '0.0.0.0:1', WORKERS: 4 })).toThrow('services.a.environment.WORKERS');
  expect(() => check({ LISTEN: '0.0.0.0:1' }, 'unknown:1')).toThrow('services.a.environment.LISTEN');
});
