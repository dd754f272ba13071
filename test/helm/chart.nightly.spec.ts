import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import {
  CHART,
  chartTools,
  toExamplePath,
  EXAMPLES,
  normalizeManifests,
  lint,
  parseManifests,
  type PodTemplate,
  render,
} from './chart.ts';
import { readServicesOfSettings } from './documented-settings.ts';
import { schemaLocation } from './schemas.ts';

const run = promisify(execFile);
const BUILD_TIMEOUT_MS = 600_000;
const DEPLOY = join(CHART, '..');

beforeAll(() => chartTools(), BUILD_TIMEOUT_MS);

/** Returns the errors that kubeconform finds, prefixed with the manifest's kind and name. */
async function validateManifests(text: string): Promise<string[]> {
  const args = ['-strict', '-output', 'json', '-schema-location', await schemaLocation()];
  const checking = run(join(await chartTools(), 'kubeconform'), args, { maxBuffer: 2 ** 26 });
  checking.child.stdin!.end(text);
  // kubeconform exits with code 1 if it finds errors.
  const { stdout } = await checking.catch((error: { stdout: string }) => error);
  const { resources = [] } = JSON.parse(stdout) as { resources?: { kind: string; name: string; msg: string }[] };
  return resources.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`);
}

describe.each(EXAMPLES)('chart with the %s values', (name) => {
  it('passes helm lint', async () => {
    expect(await lint(name)).toContain('0 chart(s) failed');
  });

  it('renders the golden manifests', async () => {
    const file = join(import.meta.dirname, 'golden', `${name}.yaml`);
    const rendered = normalizeManifests(await render(name));
    if (process.env['UPDATE_SAMPLES'] === 'true') await writeFile(file, rendered);
    expect(rendered).toBe(await readFile(file, 'utf8'));
  });

  it('renders manifests that Kubernetes and the operators accept', async () => {
    expect(await validateManifests(await render(name))).toEqual([]);
  });
});

it('includes the alerts and dashboards from deploy/, labeled for the operator and the sidecar', async () => {
  const manifests = parseManifests(await render('production'));
  const rule = manifests.find(({ kind }) => kind === 'PrometheusRule')!;
  expect(rule.metadata.labels).toMatchObject({ release: 'prometheus' });
  expect(rule.spec).toEqual(parse(await readFile(join(DEPLOY, 'prometheus/alerts.yml'), 'utf8')));
  const dashboards = manifests.find(({ kind }) => kind === 'ConfigMap')!;
  expect(dashboards.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
  const names = await readdir(join(DEPLOY, 'grafana'));
  expect(Object.keys(dashboards.data!).toSorted()).toEqual(names.map((name) => `agent-traffic-${name}`).toSorted());
  for (const name of names) {
    expect(dashboards.data![`agent-traffic-${name}`]).toBe(await readFile(join(DEPLOY, 'grafana', name), 'utf8'));
  }
});

it('denies ingress to services that have no configured peers', async () => {
  const values = {
    networkPolicy: { metricsFrom: [], publicFrom: [{ podSelector: { matchLabels: { app: 'proxy' } } }] },
  };
  const policies = parseManifests(await render('small', values)).filter(({ kind }) => kind === 'NetworkPolicy');
  expect(policies).toHaveLength(7);
  for (const { metadata, spec } of policies) {
    const { name } = metadata;
    // A rule without `from` would allow traffic from everywhere.
    expect([name, spec.ingress.filter(({ from }) => (from ?? []).length === 0)]).toEqual([name, []]);
    if (/-(?:enrichment|ingest|migrate)$/.test(name)) expect([name, spec.ingress]).toEqual([name, []]);
  }
});

it("sets OpenTelemetry variables directly, because OpenTelemetry doesn't read _FILE variables", async () => {
  const values = {
    settings: { OTEL_SERVICE_NAME: 'shop-{service}' },
    secrets: { keys: { OTEL_EXPORTER_OTLP_HEADERS: 'otel/headers', OTEL_EXPORTER_OTLP_CERTIFICATE: 'otel/ca.crt' } },
  };
  const text = await render('small', values);
  expect(await validateManifests(text)).toEqual([]);
  const gateway = parseManifests(text).find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-gateway'),
  )!;
  const { env } = gateway.spec.template.spec.containers[0];
  expect(env.filter(({ name }: { name: string }) => /^OTEL_(?:SERVICE|EXPORTER_OTLP_[HC])/.test(name))).toEqual([
    { name: 'OTEL_SERVICE_NAME', value: 'shop-gateway' },
    { name: 'OTEL_EXPORTER_OTLP_HEADERS', valueFrom: { secretKeyRef: { name: 'otel', key: 'headers' } } },
    { name: 'OTEL_EXPORTER_OTLP_CERTIFICATE', value: '/run/secrets/otel-exporter-otlp-certificate' },
  ]);
});

describe('pod values', () => {
  const getPodTemplates = (text: string) =>
    new Map(
      parseManifests(text)
        .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
        .map((each) => [each.metadata.labels['app.kubernetes.io/component']!, each.spec.template as PodTemplate]),
    );

  it('leaves user and group IDs to the cluster, as OpenShift requires', async () => {
    const podSecurityContext = { runAsUser: null, runAsGroup: null, fsGroup: null };
    const pods = getPodTemplates(await render('small', { podSecurityContext }));
    expect(pods.size).toBe(7);
    for (const { spec } of pods.values()) {
      expect(spec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    }
    for (const { spec } of getPodTemplates(await render('small')).values()) {
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    }
    await expect(render('small', { podSecurityContext: { runAsUser: 0 } })).rejects.toThrow('runAsUser');
    await expect(render('small', { podSecurityContext: { runAsNonRoot: false } })).rejects.toThrow('runAsNonRoot');
  });

  it('creates ServiceAccounts without tokens, and creates the one for the migration before it runs', async () => {
    const text = await render('small', { serviceAccount: { annotations: { owner: 'web' } } });
    const accounts = parseManifests(text).filter(({ kind }) => kind === 'ServiceAccount');
    expect(
      accounts.map((each) => [
        each.metadata.name,
        each.metadata.annotations,
        'automountServiceAccountToken' in each && each.automountServiceAccountToken,
      ]),
    ).toEqual([
      ['agent-traffic', { owner: 'web' }, false],
      [
        'agent-traffic-migrate',
        {
          owner: 'web',
          'helm.sh/hook': 'pre-install,pre-upgrade,pre-rollback',
          'helm.sh/hook-delete-policy': 'before-hook-creation',
          'helm.sh/hook-weight': '-1',
        },
        false,
      ],
    ]);
    const names = ([service, { spec }]: [string, PodTemplate]) => [service === 'migrate', spec.serviceAccountName];
    expect(new Set([...getPodTemplates(text)].map((each) => names(each).join(' ')))).toEqual(
      new Set(['false agent-traffic', 'true agent-traffic-migrate']),
    );
    const existing = await render('small', { serviceAccount: { create: false, name: 'web' } });
    expect(parseManifests(existing).filter(({ kind }) => kind === 'ServiceAccount')).toEqual([]);
    for (const { spec } of getPodTemplates(existing).values()) expect(spec.serviceAccountName).toBe('web');
  });

  it('applies global values to all services and allows services to extend or replace them', async () => {
    const toleration = { key: 'spot', operator: 'Exists' };
    const sidecar = { name: 'proxy', image: 'proxy:1' };
    const values = {
      env: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }],
      envFrom: [{ configMapRef: { name: 'all' } }],
      podLabels: { team: 'web', tier: 'back' },
      podAnnotations: { note: 'all' },
      nodeSelector: { pool: 'all' },
      priorityClassName: 'low',
      tolerations: [toleration],
      services: {
        gateway: {
          env: [{ name: 'EXTRA', value: '1' }],
          envFrom: [{ secretRef: { name: 'own' } }],
          podLabels: { tier: 'front' },
          podAnnotations: { note: 'own' },
          nodeSelector: { pool: 'edge' },
          tolerations: [],
          affinity: { nodeAffinity: {} },
          priorityClassName: 'high',
          topologySpreadConstraints: [
            { maxSkew: 2, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
          ],
          extraContainers: [sidecar],
          extraInitContainers: [{ name: 'wait', image: 'wait:1' }],
        },
      },
      migrate: { extraInitContainers: [{ name: 'tunnel', image: 'tunnel:1', restartPolicy: 'Always' }] },
    };
    const text = await render('small', values);
    expect(await validateManifests(text)).toEqual([]);
    const pods = getPodTemplates(text);
    const gateway = pods.get('gateway')!;
    const rules = pods.get('rules')!;
    expect(gateway.metadata).toMatchObject({ labels: { team: 'web', tier: 'front' }, annotations: { note: 'own' } });
    expect(rules.metadata).toMatchObject({ labels: { team: 'web', tier: 'back' }, annotations: { note: 'all' } });
    expect(gateway.spec).toMatchObject({
      nodeSelector: { pool: 'edge' },
      priorityClassName: 'high',
      affinity: { nodeAffinity: {} },
      topologySpreadConstraints: values.services.gateway.topologySpreadConstraints,
      containers: [{ envFrom: [...values.envFrom, ...values.services.gateway.envFrom] }, sidecar],
      initContainers: [{ name: 'wait', image: 'wait:1' }],
    });
    expect(gateway.spec).not.toHaveProperty('tolerations');
    expect(gateway.spec.containers[0].env.slice(-2)).toEqual([...values.env, ...values.services.gateway.env]);
    expect(rules.spec).toMatchObject({
      nodeSelector: { pool: 'all' },
      priorityClassName: 'low',
      tolerations: [toleration],
      containers: [{ envFrom: values.envFrom }],
    });
    expect(rules.spec.topologySpreadConstraints).toHaveLength(2);
    expect(rules.spec.containers[0].env.slice(-1)).toEqual(values.env);
    expect(pods.get('migrate')!.spec.initContainers).toEqual(values.migrate.extraInitContainers);
  });

  it('accepts required settings from environment variables', async () => {
    const settings = { DATABASE_URL: '' };
    await expect(render('small', { settings })).rejects.toThrow('settings.DATABASE_URL is required');
    await render('small', { settings, env: [{ name: 'DATABASE_URL', value: 'postgres://a@b/c' }] });
    await render('small', { settings, envFrom: [{ secretRef: { name: 'database' } }] });
  });

  it.each(['external', 'production'])(
    "configures the autoscalers' scaling behavior with the %s values",
    async (name) => {
      const behavior = { scaleDown: { stabilizationWindowSeconds: 600 } };
      const own = { scaleUp: { stabilizationWindowSeconds: 30 } };
      const text = await render(name, {
        autoscaling: { behavior },
        services: { ingest: { autoscaling: { behavior: own } } },
      });
      expect(await validateManifests(text)).toEqual([]);
      const found = parseManifests(text).flatMap(({ kind, metadata, spec = {} }) => {
        const { behavior: hpa, advanced } = spec as {
          behavior?: object;
          advanced?: { horizontalPodAutoscalerConfig: { behavior: object } };
        };
        const isScaler = kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject';
        return isScaler ? [[metadata.name, hpa ?? advanced!.horizontalPodAutoscalerConfig.behavior]] : [];
      });
      expect(found).toHaveLength(6);
      for (const [scaler, rules] of found) expect(rules).toEqual(scaler === 'agent-traffic-ingest' ? own : behavior);
    },
  );

  it('restarts only pods whose secrets changed', async () => {
    const checksums = async (secrets: Record<string, string>) => {
      const text = await render(
        'small',
        { secrets: { keys: { REDIS_PASSWORD: '{service}-redis' } } },
        { 'agent-traffic': secrets },
      );
      return new Map(
        [...getPodTemplates(text)].map(([service, { metadata }]) => [
          service,
          metadata.annotations?.['checksum/secrets'],
        ]),
      );
    };
    const before = await checksums({ 'database-password': 'a', 'gateway-redis': 'b' });
    expect([...before.values()].filter((sum) => !/^[0-9a-f]{64}$/.test(String(sum)))).toEqual([]);
    const after = await checksums({ 'database-password': 'a', 'gateway-redis': 'changed' });
    expect([...after].filter(([service, sum]) => before.get(service) !== sum).map(([service]) => service)).toEqual([
      'gateway',
    ]);
    expect(await checksums({ 'database-password': 'a', 'gateway-redis': 'b', other: 'c' })).toEqual(before);
  });
});

it('alerts on the configured PostgreSQL volumes', async () => {
  const prometheusRule = { enabled: true, databaseVolumes: 'postgres-[0-9]+' };
  const text = await render('small', { monitoring: { prometheusRule } });
  const rule = parseManifests(text).find(({ kind }) => kind === 'PrometheusRule')!;
  const { groups } = rule.spec as unknown as { groups: { rules: { alert: string; expr: string }[] }[] };
  expect(groups.at(-1)!.rules).toMatchObject([{ alert: 'AgentTrafficDatabaseDiskFull' }]);
  const volumes = '{namespace="traffic", persistentvolumeclaim=~"postgres-[0-9]+"}';
  expect(groups.at(-1)!.rules[0]!.expr).toBe(
    `min by (namespace, persistentvolumeclaim) (kubelet_volume_stats_available_bytes${volumes} / kubelet_volume_stats_capacity_bytes${volumes}) < 0.15`,
  );
});

it('detects manifests that Kubernetes or the operators would reject', async () => {
  const text = await render('production');
  const faults = await validateManifests(
    text
      .replace('minReplicaCount:', 'minimumReplicas:')
      .replace('terminationGracePeriodSeconds: 15', 'terminationGracePeriodSeconds: soon')
      .replace('jobLabel:', 'labelOfJobs:'),
  );
  expect(faults.join('\n')).toMatch(/Deployment.*terminationGracePeriodSeconds/);
  expect(faults.join('\n')).toMatch(/ScaledObject.*minimumReplicas/);
  expect(faults.join('\n')).toMatch(/ServiceMonitor.*labelOfJobs/);
});

function getEnvironments(text: string): Map<string, Map<string, string>> {
  const workloads = parseManifests(text).filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  return new Map(
    workloads.map(({ metadata, spec }) => {
      const env = spec.template.spec.containers[0].env;
      return [
        metadata.labels['app.kubernetes.io/component']!,
        new Map(env.map(({ name, value }) => [name, value] as const)),
      ];
    }),
  );
}

describe('settings in docs/configuration.md', () => {
  // A null value removes one of the chart's default keys.
  const {
    secrets: { keys: KEYS },
  } = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as { secrets: { keys: object } };
  const noKeys = { keys: Object.fromEntries(Object.keys(KEYS).map((name) => [name, null])) };
  const names = [...readServicesOfSettings().keys()];
  /** Settings that can't come from Secrets, because the chart itself sets or reads them. */
  const SET_BY_CHART = new Set(['HOST', 'PORT', 'CATALOG_URL', 'RULES_URL', 'PUBLIC_URL']);
  const readers = (environment: Map<string, Map<string, string>>, name: string, value: string): string[] =>
    [...environment].flatMap(([service, env]) => (env.get(name) === value ? [service] : [])).toSorted();

  it('passes each setting in the values to exactly the services that read it', async () => {
    const values = {
      LOG_LEVEL: 'debug',
      PORT: 4000,
      PUBLIC_URL: 'https://traffic.example',
      CLICKHOUSE_URL: 'https://clickhouse.example',
      CLICKHOUSE_DATABASE: 'visits',
      CLICKHOUSE_CLUSTER: 'visits',
    };
    const settings = Object.fromEntries(names.map((name) => [name, `${name} of {service}`]));
    const environment = getEnvironments(
      await render('small', {
        settings: { ...settings, ...values },
        secrets: noKeys,
        services: { gateway: { secretKeys: null } },
      }),
    );
    for (const [name, services] of readServicesOfSettings()) {
      const found = services.filter((service) => {
        const own = { ...settings, ...values }[name]!;
        return environment.get(service)?.get(name) === String(own).replace('{service}', service);
      });
      expect([name, found]).toEqual([name, services]);
      expect([...environment].flatMap(([service, env]) => (env.has(name) ? [service] : [])).toSorted()).toEqual(
        services,
      );
    }
  });

  it('mounts each setting from a Secret in exactly the services that read it', async () => {
    const secrets = names.filter((name) => !SET_BY_CHART.has(name));
    const keys = Object.fromEntries(secrets.map((name) => [name, `of-{service}/${name}`]));
    const { settings } = parse(await readFile(toExamplePath('small'), 'utf8')) as { settings: object };
    const text = await render('small', {
      // A setting can't be both in `settings` and in a Secret, so clear the example's settings.
      settings: {
        ...Object.fromEntries(Object.keys(settings).map((name) => [name, ''])),
        PUBLIC_URL: 'https://a.example',
      },
      secrets: { keys },
      services: { gateway: { secretKeys: null } },
    });
    const environment = getEnvironments(text);
    for (const name of secrets) {
      const path = `/run/secrets/${name.toLowerCase().replaceAll('_', '-')}`;
      const services = readServicesOfSettings().get(name);
      expect([name, readers(environment, `${name}_FILE`, path)]).toEqual([name, services]);
    }
  });

  it('allows services to override settings, even with false, 0, or an empty value', async () => {
    const settings = { KAFKA_TLS: true, KAFKA_TOPIC_PARTITIONS: 6, LOG_LEVEL: 'warn', OUTBOX_MAX_BYTES: 8_589_934_592 };
    const own = { KAFKA_TLS: false, KAFKA_TOPIC_PARTITIONS: 0, LOG_LEVEL: 'debug' };
    const keys = { METRICS_TOKEN: '' };
    const services = {
      ingest: { settings: own, secretKeys: keys },
      gateway: { secretKeys: { SECRET_KEY: 'signing' } },
    };
    const environment = getEnvironments(await render('small', { settings, services }));
    const ingest = environment.get('ingest')!;
    expect(Object.keys(own).map((name) => ingest.get(name))).toEqual(['false', '0', 'debug']);
    expect(ingest.has('METRICS_TOKEN_FILE')).toBe(false);
    expect(environment.get('enrichment')!.get('KAFKA_TLS')).toBe('true');
    expect(environment.get('gateway')!.get('OUTBOX_MAX_BYTES')).toBe('8589934592');
    // The gateway receives SECRET_KEY only if it's configured.
    expect(environment.get('gateway')!.has('SECRET_KEY_FILE')).toBe(true);
    expect(
      getEnvironments(await render('small'))
        .get('gateway')!
        .has('SECRET_KEY_FILE'),
    ).toBe(false);
  });

  it.each<[string, object, string]>([
    ['a setting that no service reads', { settings: { RETENTION_DAY: 3 } }, 'RETENTION_DAY'],
    [
      'a service-specific setting that the service ignores',
      { services: { ingest: { settings: { RETENTION_DAY: 3 } } } },
      'RETENTION_DAY',
    ],
    [
      'a secret that no service reads',
      { secrets: { keys: { SECRET: 'x' } } },
      'Unknown setting SECRET: no service reads it.',
    ],
    ['a missing database URL', { settings: { DATABASE_URL: '' } }, 'settings.DATABASE_URL is required'],
    [
      'a setting that is configured twice',
      { settings: { SECRET_KEY: 'x' } },
      'is set in both settings and secrets.keys',
    ],
    [
      'a ServiceMonitor without a metrics token',
      { monitoring: { serviceMonitor: { enabled: true } }, secrets: { keys: { METRICS_TOKEN: '' } } },
      'METRICS_TOKEN',
    ],
    ['a Gateway without a name', { gateway: { enabled: true } }, 'parentRefs'],
  ])('rejects chart values with %s', async (_, values, fault) => {
    await expect(render('small', values)).rejects.toThrow(fault);
  });
});

it('defines a schema for exactly the values in values.yaml', async () => {
  const schema = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8')) as { properties: object };
  const values = parse(await readFile(join(CHART, 'values.yaml'), 'utf8')) as object;
  expect(Object.keys(schema.properties).toSorted()).toEqual([...Object.keys(values), 'global'].toSorted());
});
