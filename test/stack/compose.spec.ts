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

  it('contains only supported docker-compose.yml settings', () => {
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
      stopGracePeriodSeconds: 15,
    });
  });

  it('publishes only the edge, and Grafana with the monitoring profile', () => {
    expect([...services.values()].filter(({ published }) => published.length > 0)).toMatchObject([
      { name: 'edge', published: [3000], profile: null },
      { name: 'grafana', published: [3000], profile: 'monitoring' },
    ]);
  });

  it('runs ClickHouse with its settings file and password, and only with the clickhouse profile', () => {
    const { image, profile, environment, volumes, healthcheck } = services.get('clickhouse')!;
    expect([image.split(':')[0], profile]).toEqual(['clickhouse/clickhouse-server', 'clickhouse']);
    const [settings] = volumes;
    expect(settings!.target).toMatch(/^\/etc\/clickhouse-server\/config\.d\/.+\.xml$/);
    expect(existsSync(join(ROOT, settings!.source))).toBe(true);
    for (const name of ['gateway', 'console', 'ingest', 'migrate']) {
      const { CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD_FILE } = services.get(name)!.environment;
      expect([name, CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD_FILE]).toEqual([
        name,
        '',
        environment['CLICKHOUSE_USER'],
        environment['CLICKHOUSE_PASSWORD_FILE'],
      ]);
    }
    expect(healthcheck!.test.at(-1)).toBe('http://127.0.0.1:8123/ping');
    // Waiting for a service in a profile must be optional. Otherwise, `docker compose up` fails without the profile.
    const { depends_on: dependencies } = (parse(FILE) as { services: Record<string, { depends_on: object }> }).services[
      'migrate'
    ]!;
    expect(dependencies).toMatchObject({ clickhouse: { condition: 'service_healthy', required: false } });
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
    const requestedKeys = new Set<string>();
    const getValue = (key: string): string | undefined => {
      // Stands in for a value that is read from a file in the container.
      if (`${key}_FILE` in environment) return 'f'.repeat(64);
      return key.endsWith('_FILE') ? undefined : environment[key];
    };
    const source = new Proxy<NodeJS.ProcessEnv>(
      {},
      { get: (_, key) => requestedKeys.add(String(key)) && getValue(String(key)) },
    );
    read(source);
    expect(Object.keys(environment).filter((key) => !requestedKeys.has(key))).toEqual([]);
  });

  it('mounts only its own secrets into each service', () => {
    const secretVolumes = services.get('secrets')!.volumes.map(({ source }) => source);
    for (const { name, volumes, environment, command } of services.values()) {
      if (name === 'secrets') continue;
      const mounted = volumes.filter(({ source }) => source.endsWith('secrets'));
      // Skip Prometheus. The path of its token is part of its configuration, which test/stack/monitoring.spec.ts
      // checks.
      if (name === 'prometheus') continue;
      const reads = [...Object.values(environment), ...command].filter((text) => text.includes('/run/secrets/'));
      expect([name, mounted]).toEqual([
        name,
        reads.length > 0 ? [{ source: `${name}-secrets`, target: '/run/secrets' }] : [],
      ]);
      for (const { source } of mounted) expect(secretVolumes).toContain(source);
    }
  });

  it('restricts the privileges and resources of every service', () => {
    for (const { name, isOurs, confinement } of services.values()) {
      const { user, tmpfs, memoryMib: memory, processes, sharedMemoryMib: sharedMemory, ...rest } = confinement;
      expect([name, rest]).toEqual([name, { hasCapabilities: false, mayGainPrivileges: false, isReadOnly: true }]);
      // Third-party images start as root unless `user` is set. Our own image sets its user.
      expect([name, isOurs ? user : /^[1-9]\d*:[1-9]/.test(user ?? '')]).toEqual([name, isOurs ? null : true]);
      expect(tmpfs.length).toBeGreaterThan(0);
      expect(memory).toBeGreaterThanOrEqual(256);
      expect(processes).toBeGreaterThanOrEqual(64);
      // PostgreSQL's parallel queries use /dev/shm and fail when it's full.
      expect([name, sharedMemory]).toEqual([name, name === 'postgres' ? 256 : null]);
    }
  });

  it('connects each service only to the networks it needs', () => {
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
    const monitoredServices = ['catalog', 'console', 'enrichment', 'gateway', 'ingest', 'rules'];
    expect(members('clickhouse')).toEqual(['clickhouse', 'console', 'gateway', 'ingest', 'migrate']);
    expect(members('metrics')).toEqual([...monitoredServices, 'grafana', 'prometheus'].toSorted());
    expect(members('database')).not.toContain('rules');
    const openNetworks = [...readNetworks(parse(FILE).networks)].flatMap(([name, isInternal]) =>
      isInternal ? [] : [name],
    );
    expect(openNetworks.toSorted()).toEqual(['outside', 'published']);
  });

  it('puts each service on a network with every host in its settings', () => {
    for (const { name, environment, networks } of services.values()) {
      const referencedServices = Object.values(environment).flatMap((text) =>
        [...text.matchAll(/\b([a-z]+):\d{4}\b/g)].flatMap(([, host]) => services.get(host!) ?? []),
      );
      for (const other of referencedServices) {
        const shared = networks?.filter((network) => other.networks?.includes(network)) ?? [];
        expect([name, other.name, shared.length > 0]).toEqual([name, other.name, true]);
      }
    }
  });

  it('runs all services in the repository and no others', () => {
    const started = [...services.values()].filter(({ command }) => command[1] === 'apps/start.mjs');
    const names = started.map(({ command }) => command[2]!);
    expect(names.toSorted()).toEqual(['catalog', 'console', 'enrichment', 'gateway', 'ingest', 'rules']);
    expect(names.filter((name) => !existsSync(join(ROOT, `apps/${name}/src/main.ts`)))).toEqual([]);
  });
});

const createFile = (service: object): string =>
  JSON.stringify({ services: { a: { image: 'redis:1', restart: 'no', ...service } }, volumes: { kept: null } });

it.each<[string, object, string]>([
  ['an unsupported key', { privileged: true }, 'services.a.privileged'],
  [
    'an unsupported health check key',
    { healthcheck: { test: ['CMD', 'x'], start_period: '1s', disable: true } },
    'healthcheck.disable',
  ],
  [
    'a shell health check',
    { healthcheck: { test: ['CMD-SHELL', 'x'], start_period: '1s' } },
    'services.a.healthcheck.test',
  ],
  ['environment variables in a list', { environment: ['A=b'] }, 'services.a.environment'],
  ['interpolation', { environment: { A: '${B}' } }, 'services.a.environment.A'],
  ['a default in an interpolation', { environment: { A: '${B:-c}' } }, 'services.a.environment.A'],
  ['quotes in a command', { command: 'sh -c "x"' }, 'services.a.command'],
  ['unsupported volume options', { volumes: ['kept:/x:z'] }, 'services.a.volumes.0'],
  ['an undeclared volume', { volumes: ['other:/x'] }, 'services.a.volumes.0: unknown volume other'],
  ['a port published on all interfaces', { ports: ['3000:3000'] }, 'services.a.ports.0'],
  [
    'an unsupported dependency condition',
    { depends_on: { a: { condition: 'service_started' } } },
    'services.a.depends_on.a',
  ],
  ['a dependency on an unknown service', { depends_on: { b: { condition: 'service_healthy' } } }, 'a.depends_on.b'],
  [
    'an unsupported optional dependency',
    { depends_on: { a: { condition: 'service_healthy', required: 'no' } } },
    'services.a.depends_on.a',
  ],
  ['two profiles', { profiles: ['a', 'b'] }, 'services.a.profiles'],
  ['an unsupported restart policy', { restart: 'always' }, 'services.a.restart'],
  ['an unsupported time unit', { stop_grace_period: '1m' }, 'services.a'],
  ['an undeclared network', { networks: ['other'] }, 'services.a.networks.0'],
  ['the host network', { network_mode: 'host' }, 'services.a.network_mode'],
  ['capabilities that are not dropped', { cap_drop: ['CHOWN'] }, 'services.a.cap_drop'],
  ['an unsupported security option', { security_opt: ['seccomp:unconfined'] }, 'services.a.security_opt'],
  ['an unsupported memory unit', { mem_limit: '1t' }, 'services.a.mem_limit'],
  ['a tmpfs without a size', { tmpfs: ['/tmp'] }, 'services.a.tmpfs.0'],
])('rejects a compose file with %s', (_, service, path) => {
  expect(() => readCompose(createFile({}))).not.toThrow();
  expect(() => readCompose(createFile(service))).toThrow(path);
});

it('rejects a setting that the service does not read', () => {
  const check = (environment: object, image = 'nginx:1'): void =>
    readCompose(createFile({ image, environment })).forEach(checkSettings);
  expect(() => check({ LISTEN: '0.0.0.0:1' })).not.toThrow();
  expect(() => check({ LISTEN: '0.0.0.0:1', WORKERS: 4 })).toThrow('services.a.environment.WORKERS');
  expect(() => check({ LISTEN: '0.0.0.0:1' }, 'unknown:1')).toThrow('services.a.environment.LISTEN');
});
