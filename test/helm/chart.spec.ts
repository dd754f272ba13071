import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  answerFastlyChallenge,
  CONSUMER_GROUPS,
  PUBLIC_INTERFACE,
  receiveDrain,
  TOPIC_SETTINGS,
  TOPICS,
} from '#libs/contracts';
import { READ_POOL_SIZE } from '#libs/database';
import { EXIT } from '../../apps/cli/src/cli-error.js';
import { readMigrationSettings } from '../../apps/cli/src/migration/env.js';
import { readSettings as readCatalog } from '../../apps/catalog/src/env.js';
import { readSettings as readConsole } from '../../apps/console/src/env.js';
import { readSettings as readEnrichment } from '../../apps/enrichment/src/env.js';
import { readSettings as readGateway } from '../../apps/gateway/src/env.js';
import { readSettings as readIngest } from '../../apps/ingest/src/env.js';
import { readSettings as readRules } from '../../apps/rules/src/env.js';
import { readCompose } from '../stack/compose.ts';
import { CHART, EXAMPLES, type Manifest, parseManifests, type NetworkPeer } from './chart.ts';
import { readServicesOfSettings } from './documented-settings.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const READERS: Record<string, (source: NodeJS.ProcessEnv) => unknown> = {
  gateway: readGateway,
  console: readConsole,
  enrichment: readEnrichment,
  ingest: readIngest,
  catalog: readCatalog,
  rules: readRules,
  migrate: readMigrationSettings,
};

interface Table {
  services: Record<string, { port: number; reaches: string[]; consumes?: string[] }>;
  migrate: { reaches: string[] };
  gatewayPaths: { exact: string[]; prefix: string[] };
}

interface ReplicasOfValues {
  replicas: number;
  autoscaling: { maxReplicas: number };
}

const table = parse(readFileSync(join(CHART, 'files/services.yaml'), 'utf8')) as Table;
const compose = readCompose(read('docker-compose.yml'));

it("uses the version in package.json and that release's image tag", () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(parse(read('deploy/helm/Chart.yaml'))).toMatchObject({ version, appVersion: `v${version}` });
  expect(read('.github/workflows/docker.yml')).toContain(
    'tags: ghcr.io/${{ github.repository }}:${{ github.ref_name }}',
  );
});

describe('settings table', () => {
  const groups = parse(readFileSync(join(CHART, 'files/settings.yaml'), 'utf8')) as {
    services: string[];
    settings: string[];
    fromSecret?: 'value' | 'path';
  }[];
  const settingsReadBy = (service: string, isByLibrary = false): string[] =>
    groups
      .filter(({ services, fromSecret }) => services.includes(service) && (fromSecret !== undefined) === isByLibrary)
      .flatMap(({ settings }) => settings)
      .toSorted();

  it.each(Object.entries(READERS))('lists every setting that %s reads', (service, readSettings) => {
    const requestedNames = new Set<string>();
    const source = new Proxy<NodeJS.ProcessEnv>({}, { get: (_, name) => void requestedNames.add(String(name)) });
    expect(() => readSettings(source)).toThrow();
    // Each setting is read as NAME and then as NAME_FILE, so leave out the latter. Keep two settings whose actual names
    // end in _FILE because they are paths.
    const names = [...requestedNames].filter(
      (name) => !requestedNames.has(name.replace(/_FILE$/, '')) || !name.endsWith('_FILE'),
    );
    expect(settingsReadBy(service)).toEqual(names.toSorted());
  });

  it('matches docs/configuration.md', () => {
    const documented = readServicesOfSettings();
    const services = [...Object.keys(table.services), 'migrate'];
    for (const service of services) {
      const names = [...documented].flatMap(([name, readers]) => (readers.includes(service) ? [name] : []));
      expect([service, settingsReadBy(service)]).toEqual([service, names.toSorted()]);
    }
  });

  it('lists the OpenTelemetry variables in docs/configuration.md', () => {
    const [, paragraph] = /\n(The OpenTelemetry SDK also reads [^]+?)\n\n/.exec(read('docs/configuration.md'))!;
    const names = [...paragraph!.matchAll(/`(OTEL_\w+)`/g)].map(([, name]) => name!).toSorted();
    expect(names).toHaveLength(6);
    for (const service of Object.keys(table.services))
      expect([service, settingsReadBy(service, true)]).toEqual([service, names]);
  });
});

describe('service table', () => {
  it('matches the services, commands, and ports in docker-compose.yml', () => {
    for (const [name, { port }] of Object.entries(table.services)) {
      const { command, environment } = compose.get(name)!;
      expect(command).toEqual(['node', 'apps/start.mjs', name]);
      expect(environment['PORT']).toBe(String(port));
    }
    const ours = [...compose.values()].filter(({ isOurs, restart }) => isOurs && restart).map(({ name }) => name);
    expect(Object.keys(table.services).toSorted()).toEqual(ours.toSorted());
  });

  it('allows exactly the same connections as docker-compose.yml', () => {
    for (const [name, { reaches }] of [...Object.entries(table.services), ['migrate', table.migrate] as const]) {
      const { networks, environment } = compose.get(name)!;
      const servers = ['database', 'clickhouse', 'kafka', 'redis', 'outside'].filter((network) =>
        networks!.includes(network),
      );
      const services = ['catalog', 'rules'].filter((other) => `${other.toUpperCase()}_URL` in environment);
      expect([name, reaches.toSorted()]).toEqual([name, [...servers, ...services].toSorted()]);
    }
  });

  it('matches the connections in docs/operations/connections.md', () => {
    const rows = [...read('docs/operations/connections.md').matchAll(/^\| (.+?) +\| (\w+) +\| /gm)];
    const all = Object.entries({ ...table.services, migrate: table.migrate });
    for (const target of new Set(all.flatMap(([, { reaches }]) => reaches))) {
      const documented = rows.flatMap(([, from, to]) => (to === target ? from!.split(', ') : []));
      const ours = documented.filter((name) => all.some(([service]) => service === name));
      const reachedBy = all.flatMap(([name, { reaches }]) => (reaches.includes(target) ? [name] : []));
      expect([target, ours.toSorted()]).toEqual([target, reachedBy.toSorted()]);
    }
  });

  it("routes the public API's paths to the gateway", () => {
    const { exact, prefix } = table.gatewayPaths;
    const paths = PUBLIC_INTERFACE.operations
      .filter((connectionsPerProcess) => connectionsPerProcess !== receiveDrain)
      .map(({ path }) => path);
    paths.push(answerFastlyChallenge.path);
    expect(exact.toSorted()).toEqual([...paths, '/healthz', '/readyz'].toSorted());
    expect(prefix).toEqual(['/drains', '/docs']);
  });

  it('matches the topic settings in docs/operations/kubernetes.md', () => {
    const rows = read('docs/operations/kubernetes.md').matchAll(
      /^\| `([a-z.-]+\.v1)` +\| (\d+) +\| (\d+) +\| delete +\|$/gm,
    );
    const documented = [...rows].map(([, topic, bytes, ms]) => [topic, Number(bytes), Number(ms)]);
    expect(documented.toSorted()).toEqual(
      Object.entries(TOPIC_SETTINGS)
        .map(([topic, { maxMessageBytes, retentionDays }]) => [topic, maxMessageBytes, retentionDays * 86_400_000])
        .toSorted(),
    );
    // Each topic must also be listed with the users that read or write it.
    const [, users] = read('docs/operations/connections.md').split('Who reads and writes which topic');
    expect(Object.values(TOPICS).filter((topic) => !users!.includes(`\`${topic}\``))).toEqual([]);
  });

  it('matches the PostgreSQL connection counts in docs/operations/kubernetes.md', () => {
    const { services } = parse(read('deploy/helm/values.yaml')) as { services: Record<string, ReplicasOfValues> };
    // Each process opens up to 10 connections. The console opens additional ones for reads.
    const connectionsPerProcess = (name: string): number => 10 + (name === 'console' ? READ_POOL_SIZE : 0);
    const names = Object.keys(table.services).filter((name) => table.services[name]!.reaches.includes('database'));
    const sum = (replicas: (name: string) => number): number =>
      names.reduce((total, name) => total + connectionsPerProcess(name) * replicas(name), 0);
    const surge = sum(() => 1) + 2;
    const [minConnections, maxConnections] = [
      sum((name) => services[name]!.replicas),
      sum((name) => services[name]!.autoscaling.maxReplicas),
    ];
    const rows = read('docs/operations/kubernetes.md').matchAll(
      /^\| .*(?:two of each|maxReplicas).* +\| (\d+) +\| (\d+) +\|$/gm,
    );
    expect([...rows].map(([, connections, replaced]) => [Number(connections), Number(replaced)])).toEqual([
      [minConnections, minConnections + surge],
      [maxConnections, maxConnections + surge],
    ]);
  });

  it('scales consumers by their topics', () => {
    const consumed = Object.entries(table.services).flatMap(([name, { consumes = [] }]) =>
      consumes.map((topic) => [topic, name]),
    );
    expect(consumed).toEqual([
      [TOPICS.visitsReceived, CONSUMER_GROUPS.enrichment],
      [TOPICS.visitsEnriched, CONSUMER_GROUPS.ingest],
      [TOPICS.visitsDeadLetter, CONSUMER_GROUPS.ingest],
    ]);
  });
});

describe.each(EXAMPLES)('chart rendered with the %s values', (name) => {
  const manifests = parseManifests(read(`test/helm/golden/${name}.yaml`));
  const ofKind = (kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
  const workloads = [...ofKind('Deployment'), ...ofKind('Job')];
  const getServiceName = ({ metadata }: Manifest): string => metadata.name.replace('agent-traffic-', '');

  it('provides each service with its required settings and secret files', () => {
    for (const workload of workloads) {
      const [container] = workload.spec.template.spec.containers;
      const { env } = container;
      const source = env.map(({ name, value }) => {
        // Use a dummy for values that are read from files in the container. This also matches two settings that are
        // paths, but these aren't set here.
        return name.endsWith('_FILE') ? [name.replace(/_FILE$/, ''), 'f'.repeat(64)] : [name, value];
      });
      expect(() => READERS[getServiceName(workload)]!(Object.fromEntries(source))).not.toThrow();
      const files = workload.spec.template.spec.volumes[0]!.projected.sources.flatMap(({ secret }) =>
        secret.items.map(({ path }) => path),
      );
      const named = env.flatMap(({ value }) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? []);
      expect(files.toSorted()).toEqual(named.toSorted());
    }
  });

  it("doesn't retry a migration that a newer database rejects", () => {
    const [{ spec }] = ofKind('Job') as [Manifest & { spec: { podFailurePolicy: object } }];
    expect(spec.podFailurePolicy).toEqual({
      rules: [
        { action: 'FailJob', onExitCodes: { containerName: 'migrate', operator: 'In', values: [EXIT.newerDatabase] } },
      ],
    });
  });

  it('reads only Secrets that docs/operations/kubernetes.md creates', () => {
    const page = read('docs/operations/kubernetes.md');
    const createdKeys = new Set([
      'access-token',
      'api-key',
      'clickhouse-password',
      'database-password',
      'internal-api-secret',
      'metrics-token',
      'secret-key',
      ...Object.keys(table.services).map((service) => `${service}-redis-password`),
    ]);
    expect(page).toContain('--from-file=$name-redis-password=./users/$name/redis-password');
    const rows = [...page.matchAll(/^ *\| (\w+) +\| `([a-z{}-]+)`: (.+?) +\| /gm)].filter(
      ([, owner]) => owner === name,
    );
    const documented = rows.flatMap(([, , secret, keys]) => {
      const services = secret!.includes('{service}') ? [...Object.keys(table.services), 'migrate'] : [''];
      const named = [...keys!.matchAll(/`([a-z.-]+)`/g)].map(([, key]) => key!);
      return services.flatMap((service) =>
        [...named, ...(keys!.startsWith('all keys') ? createdKeys : [])].map(
          (key) => `${secret!.replace('{service}', service)}/${key}`,
        ),
      );
    });
    const documentedKeys = new Set([...[...createdKeys].map((key) => `agent-traffic/${key}`), ...documented]);
    const mounted = workloads.flatMap(({ spec }) =>
      spec.template.spec.volumes[0]!.projected.sources.flatMap(({ secret }) =>
        secret.items.map(({ key }) => `${secret.name}/${key}`),
      ),
    );
    expect([...new Set(mounted)].filter((key) => !documentedKeys.has(key))).toEqual([]);
  });

  it('meets the restricted Pod Security Standard', () => {
    expect(workloads).toHaveLength(7);
    for (const { spec } of workloads) {
      const pod = spec.template.spec;
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(pod.containers[0].resources.limits.memory).toMatch(/Mi$/);
    }
  });

  it('grants each service the same stop timeout as docker-compose.yml after its preStop sleep', () => {
    for (const deployment of ofKind('Deployment')) {
      const pod = deployment.spec.template.spec;
      const sleep = pod.containers[0].lifecycle?.preStop.sleep.seconds ?? 0;
      expect(pod.terminationGracePeriodSeconds - sleep).toBe(
        compose.get(getServiceName(deployment))!.stopGracePeriodSeconds,
      );
      expect(pod.containers[0].readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
      expect(pod.containers[0].livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    }
  });

  it('runs the migration step before installs, upgrades, and rollbacks', () => {
    for (const { metadata } of [
      ...ofKind('Job'),
      ...ofKind('NetworkPolicy').filter((connectionsPerProcess) => getServiceName(connectionsPerProcess) === 'migrate'),
    ]) {
      expect(metadata.annotations!['helm.sh/hook']).toBe('pre-install,pre-upgrade,pre-rollback');
    }
  });

  it('uses only features that all supported operators provide', () => {
    for (const { spec } of ofKind('HTTPRoute') as unknown as { spec: { rules: { matches?: object[] }[] } }[]) {
      // Gateway API 1.1 allows at most 8 matches per rule.
      for (const { matches = [] } of spec.rules) expect(matches.length).toBeLessThanOrEqual(8);
      const paths = spec.rules.flatMap(({ matches = [] }) => matches as { path: { value: string } }[]);
      expect(paths.map(({ path }) => path.value).toSorted()).toEqual(
        [...table.gatewayPaths.exact, ...table.gatewayPaths.prefix, '/api'].toSorted(),
      );
    }
    for (const { spec } of ofKind('ScaledObject') as unknown as { spec: { triggers: { metadata: object }[] } }[]) {
      // Kafka 4 requires this protocol version or later. KEDA's default is older.
      for (const { metadata } of spec.triggers) expect(metadata).toMatchObject({ version: '2.1.0' });
    }
    for (const { metadata, spec } of ofKind('HorizontalPodAutoscaler') as (Manifest & {
      spec: { metrics: object[] };
    })[]) {
      expect(spec.metrics).toMatchObject([{ resource: { target: { type: 'AverageValue', averageValue: '700m' } } }]);
      const isConsumer = table.services[getServiceName({ metadata } as Manifest)]!.consumes !== undefined;
      const owner = metadata.annotations?.['validations.keda.sh/hpa-ownership'];
      expect([metadata.name, owner]).toEqual([metadata.name, isConsumer ? 'false' : undefined]);
    }
    for (const { spec } of ofKind('ServiceMonitor') as unknown as { spec: { endpoints: object[] } }[]) {
      // Our metrics have a `service` label that the operator would otherwise overwrite.
      expect(spec.endpoints).toMatchObject([{ honorLabels: true }]);
    }
  });

  it('allows exactly the connections in the service table, at both ends', () => {
    const policies = new Map(ofKind('NetworkPolicy').map((policy) => [getServiceName(policy), policy.spec]));
    expect([...policies.keys()].toSorted()).toEqual([...Object.keys(table.services), 'migrate'].toSorted());
    const componentsOf = (peers: NetworkPeer[] = []): string[] =>
      peers.flatMap(({ podSelector }) => podSelector?.matchLabels['app.kubernetes.io/component'] ?? []);
    for (const [service, { ingress, egress }] of policies) {
      const to = egress.flatMap((rule) => componentsOf(rule.to));
      const reaches = service === 'migrate' ? [] : table.services[service]!.reaches;
      expect([service, to]).toEqual([service, reaches.filter((other) => other in table.services)]);
      const from = ingress.flatMap((rule) => componentsOf(rule.from));
      const reachedBy = Object.entries(table.services).filter(([, other]) => other.reaches.includes(service));
      expect([service, from.toSorted()]).toEqual([service, reachedBy.map(([other]) => other).toSorted()]);
    }
  });
});
