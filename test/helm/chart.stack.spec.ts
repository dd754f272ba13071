import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { CHART, chartTools, example, EXAMPLES, golden, lint, manifestsOf, render } from './chart.ts';
import { readServicesOfSettings } from './documented-settings.ts';
import { schemaLocation } from './schemas.ts';

const run = promisify(execFile);
const BUILD_TIMEOUT_MS = 600_000;
const DEPLOY = join(CHART, '..');

beforeAll(() => chartTools(), BUILD_TIMEOUT_MS);

/** @returns what kubeconform finds wrong, with the name of each manifest. */
async function faultsOf(text: string): Promise<string[]> {
  const args = ['-strict', '-output', 'json', '-schema-location', await schemaLocation()];
  const checking = run(join(await chartTools(), 'kubeconform'), args, { maxBuffer: 2 ** 26 });
  checking.child.stdin!.end(text);
  // It ends with 1 where something is wrong.
  const { stdout } = await checking.catch((error: { stdout: string }) => error);
  const { resources = [] } = JSON.parse(stdout) as { resources?: { kind: string; name: string; msg: string }[] };
  return resources.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`);
}

describe.each(EXAMPLES)('with the values of %s, the chart', (name) => {
  it('passes helm lint', async () => {
    expect(await lint(name)).toContain('0 chart(s) failed');
  });

  it('renders what it rendered before', async () => {
    const file = join(import.meta.dirname, 'golden', `${name}.yaml`);
    const rendered = golden(await render(name));
    if (process.env['UPDATE_SAMPLES'] === 'true') await writeFile(file, rendered);
    expect(rendered).toBe(await readFile(file, 'utf8'));
  });

  it('renders manifests that Kubernetes and the operators take', async () => {
    expect(await faultsOf(await render(name))).toEqual([]);
  });
});

it('has the alerts and dashboards of deploy, for the operator and the sidecar to find', async () => {
  const manifests = manifestsOf(await render('production'));
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

it('lets nobody in to a service that nobody is named for', async () => {
  const values = {
    networkPolicy: { metricsFrom: [], publicFrom: [{ podSelector: { matchLabels: { app: 'proxy' } } }] },
  };
  const policies = manifestsOf(await render('small', values)).filter(({ kind }) => kind === 'NetworkPolicy');
  expect(policies).toHaveLength(7);
  for (const { metadata, spec } of policies) {
    const { name } = metadata;
    // Without `from`, Kubernetes takes a rule to be about everybody.
    expect([name, spec.ingress.filter(({ from }) => (from ?? []).length === 0)]).toEqual([name, []]);
    if (/-(?:enrichment|ingest|migrate)$/.test(name)) expect([name, spec.ingress]).toEqual([name, []]);
  }
});

it('passes on what OpenTelemetry itself reads, which knows no files of secrets', async () => {
  const values = {
    settings: { OTEL_SERVICE_NAME: 'shop-{service}' },
    secrets: { keys: { OTEL_EXPORTER_OTLP_HEADERS: 'otel/headers', OTEL_EXPORTER_OTLP_CERTIFICATE: 'otel/ca.crt' } },
  };
  const text = await render('small', values);
  expect(await faultsOf(text)).toEqual([]);
  const gateway = manifestsOf(text).find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-gateway'),
  )!;
  const { env } = gateway.spec.template.spec.containers[0];
  expect(env.filter(({ name }: { name: string }) => /^OTEL_(?:SERVICE|EXPORTER_OTLP_[HC])/.test(name))).toEqual([
    { name: 'OTEL_SERVICE_NAME', value: 'shop-gateway' },
    { name: 'OTEL_EXPORTER_OTLP_HEADERS', valueFrom: { secretKeyRef: { name: 'otel', key: 'headers' } } },
    { name: 'OTEL_EXPORTER_OTLP_CERTIFICATE', value: '/run/secrets/otel-exporter-otlp-certificate' },
  ]);
});

it('finds manifests that they do not take', async () => {
  const text = await render('production');
  const faults = await faultsOf(
    text
      .replace('minReplicaCount:', 'minimumReplicas:')
      .replace('terminationGracePeriodSeconds: 15', 'terminationGracePeriodSeconds: soon')
      .replace('jobLabel:', 'labelOfJobs:'),
  );
  expect(faults.join('\n')).toMatch(/Deployment.*terminationGracePeriodSeconds/);
  expect(faults.join('\n')).toMatch(/ScaledObject.*minimumReplicas/);
  expect(faults.join('\n')).toMatch(/ServiceMonitor.*labelOfJobs/);
});

/** Names of the environment by component: those of settings, and those of files. */
function environmentOf(text: string): Map<string, Map<string, string>> {
  const workloads = manifestsOf(text).filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
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

describe('every setting of docs/configuration.md', () => {
  // Null takes away a key, which is a default of the chart.
  const {
    secrets: { keys: KEYS },
  } = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as { secrets: { keys: object } };
  const noKeys = { keys: Object.fromEntries(Object.keys(KEYS).map((name) => [name, null])) };
  const names = [...readServicesOfSettings().keys()];
  /** No secrets: the chart says them, or reads them itself. */
  const OF_THE_CHART = new Set(['HOST', 'PORT', 'CATALOG_URL', 'RULES_URL', 'PUBLIC_URL']);
  const readers = (environment: Map<string, Map<string, string>>, name: string, value: string): string[] =>
    [...environment].flatMap(([service, env]) => (env.get(name) === value ? [service] : [])).toSorted();

  it('can be set by values, and reaches the services that read it', async () => {
    const values = { LOG_LEVEL: 'debug', PORT: 4000, PUBLIC_URL: 'https://traffic.example' };
    const settings = Object.fromEntries(names.map((name) => [name, `${name} of {service}`]));
    const environment = environmentOf(
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

  it('can be read from a Secret, by those services alone', async () => {
    const secrets = names.filter((name) => !OF_THE_CHART.has(name));
    const keys = Object.fromEntries(secrets.map((name) => [name, `of-{service}/${name}`]));
    const { settings } = parse(await readFile(example('small'), 'utf8')) as { settings: object };
    const text = await render('small', {
      // What the example sets can't come from a Secret, too.
      settings: {
        ...Object.fromEntries(Object.keys(settings).map((name) => [name, ''])),
        PUBLIC_URL: 'https://a.example',
      },
      secrets: { keys },
      services: { gateway: { secretKeys: null } },
    });
    const environment = environmentOf(text);
    for (const name of secrets) {
      const path = `/run/secrets/${name.toLowerCase().replaceAll('_', '-')}`;
      const services = readServicesOfSettings().get(name);
      expect([name, readers(environment, `${name}_FILE`, path)]).toEqual([name, services]);
    }
  });

  it('can be another one for a service, also off, 0 or none', async () => {
    const settings = { KAFKA_TLS: true, KAFKA_TOPIC_PARTITIONS: 6, LOG_LEVEL: 'warn', OUTBOX_MAX_BYTES: 8_589_934_592 };
    const own = { KAFKA_TLS: false, KAFKA_TOPIC_PARTITIONS: 0, LOG_LEVEL: 'debug' };
    const keys = { METRICS_TOKEN: '' };
    const services = {
      ingest: { settings: own, secretKeys: keys },
      gateway: { secretKeys: { SECRET_KEY: 'signing' } },
    };
    const environment = environmentOf(await render('small', { settings, services }));
    const ingest = environment.get('ingest')!;
    expect(Object.keys(own).map((name) => ingest.get(name))).toEqual(['false', '0', 'debug']);
    expect(ingest.has('METRICS_TOKEN_FILE')).toBe(false);
    expect(environment.get('enrichment')!.get('KAFKA_TLS')).toBe('true');
    expect(environment.get('gateway')!.get('OUTBOX_MAX_BYTES')).toBe('8589934592');
    // The gateway takes the key of secrets only where it is told to.
    expect(environment.get('gateway')!.has('SECRET_KEY_FILE')).toBe(true);
    expect(
      environmentOf(await render('small'))
        .get('gateway')!
        .has('SECRET_KEY_FILE'),
    ).toBe(false);
  });

  it.each<[string, object, string]>([
    ['a setting that nobody reads', { settings: { RETENTION_DAY: 3 } }, 'RETENTION_DAY'],
    ['none of the database', { settings: { DATABASE_URL: '' } }, 'Set settings.DATABASE_URL'],
    ['one in two ways', { settings: { SECRET_KEY: 'x' } }, 'is in settings and in the keys of secrets'],
    [
      'metrics without their token',
      { monitoring: { serviceMonitor: { enabled: true } }, secrets: { keys: { METRICS_TOKEN: '' } } },
      'METRICS_TOKEN',
    ],
    ['a Gateway that is not named', { gateway: { enabled: true } }, 'parentRefs'],
  ])('cannot be %s', async (_, values, fault) => {
    await expect(render('small', values)).rejects.toThrow(fault);
  });
});

it('has a schema for every value of values.yaml, and none that is not there', async () => {
  const schema = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8')) as { properties: object };
  const values = parse(await readFile(join(CHART, 'values.yaml'), 'utf8')) as object;
  expect(Object.keys(schema.properties).toSorted()).toEqual([...Object.keys(values), 'global'].toSorted());
});
