/** Renders the chart in deploy/helm with Helm. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import { buildGoTools } from '../stack/go-modules.ts';

const run = promisify(execFile);
export const CHART = join(import.meta.dirname, '../../deploy/helm');
export const EXAMPLES = ['small', 'production', 'external'] as const;
/** Oldest supported Kubernetes version. Without a cluster, Helm would assume an even older version. */
const KUBERNETES = ['--kube-version', '1.30.0'];

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  /** File contents by name. Only set in ConfigMaps. */
  data?: Record<string, string>;
  /** Workloads have `template`. Network policies have `ingress` and `egress`. */
  spec: { template: PodTemplate; ingress: NetworkRule[]; egress: NetworkRule[] };
}

export interface PodTemplate {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  spec: Pod;
}

interface Pod {
  serviceAccountName?: string;
  topologySpreadConstraints?: object[];
  initContainers?: object[];
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  securityContext: object;
  containers: [Container];
  volumes: { projected: { sources: { secret: { name: string; items: { key: string; path: string }[] } }[] } }[];
}

interface Container {
  env: { name: string; value: string }[];
  securityContext: object;
  resources: { limits: { memory: string } };
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  readinessProbe: { httpGet: object };
  livenessProbe: { httpGet: object };
}

interface NetworkRule {
  from?: NetworkPeer[];
  to?: NetworkPeer[];
}

export interface NetworkPeer {
  podSelector?: { matchLabels: Record<string, string> };
}

export const toExamplePath = (name: string): string => join(CHART, 'examples', `${name}.yaml`);

/** Builds `helm` and `kubeconform`. @returns the folder that contains them */
export const chartTools = (): Promise<string> =>
  buildGoTools(join(import.meta.dirname, 'tools'), {
    helm: 'helm.sh/helm/v3/cmd/helm',
    kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform',
  });

async function helm(...args: string[]): Promise<string> {
  const { stdout } = await run(join(await chartTools(), 'helm'), args, { maxBuffer: 2 ** 26 });
  return stdout;
}

/** Secret values by Secret name and key. */
type Secrets = Record<string, Record<string, string>>;

/** Runs `work` with a fake Kubernetes API that contains only these Secrets, in the `traffic` namespace. */
async function runWithFakeCluster<T>(secrets: Secrets, work: (url: string) => Promise<T>): Promise<T> {
  const core = {
    groupVersion: 'v1',
    resources: [{ name: 'secrets', kind: 'Secret', namespaced: true, verbs: ['get'] }],
  };
  const responses: Record<string, object> = {
    '/version': { major: '1', minor: '30', gitVersion: 'v1.30.0' },
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
    '/api/v1': { kind: 'APIResourceList', ...core },
  };
  for (const [name, values] of Object.entries(secrets)) {
    const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, btoa(value)]));
    const metadata = { name, namespace: 'traffic', uid: `uid-of-${name}` };
    responses[`/api/v1/namespaces/traffic/secrets/${name}`] = { apiVersion: 'v1', kind: 'Secret', metadata, data };
  }
  const server = createServer(({ url = '' }, response) => {
    const resource = responses[url.split('?', 1)[0]!];
    response.writeHead(resource === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(resource ?? { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/**
 * Renders the chart with `helm template`.
 *
 * @param name Name of the example whose values are used.
 * @param values Overrides for the example's values.
 * @param secrets Secrets that exist in the cluster. By default, Helm runs without a cluster.
 */
export async function render(name: string, values: object = {}, secrets?: Secrets): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-chart-'));
  try {
    await writeFile(join(folder, 'values.yaml'), stringify(values));
    const files = ['--values', toExamplePath(name), '--values', join(folder, 'values.yaml')];
    const args = ['template', 'agent-traffic', CHART, '--namespace', 'traffic', ...KUBERNETES, ...files];
    if (secrets === undefined) return await helm(...args);
    return await runWithFakeCluster(secrets, async (url) => {
      const config = join(folder, 'kubeconfig');
      await writeFile(config, stringify(createKubeconfig(url)));
      return helm(...args, '--dry-run=server', '--kubeconfig', config);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const createKubeconfig = (server: string): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'test',
  clusters: [{ name: 'test', cluster: { server } }],
  contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  users: [{ name: 'test', user: {} }],
});

export const lint = (name: string): Promise<string> =>
  helm('lint', CHART, '--strict', ...KUBERNETES, '--values', toExamplePath(name));

export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).flatMap((document) => (document.toJS() as Manifest | null) ?? []);

/** Normalizes manifests for golden files. Sorts them and omits labels, alert rules, and file contents. */
export function normalizeManifests(text: string): string {
  const manifests = parseManifests(text).map(({ metadata: { labels: _labels, ...metadata }, ...rest }) => {
    const { apiVersion, kind, ...body } = rest;
    if (kind === 'PrometheusRule') return { apiVersion, kind, metadata, spec: 'deploy/prometheus/alerts.yml' };
    if (kind === 'ConfigMap') return { apiVersion, kind, metadata, data: Object.keys(body.data!) };
    return { apiVersion, kind, metadata, ...body };
  });
  const sortKey = ({ kind, metadata }: { kind: string; metadata: { name: string } }): string =>
    `${kind} ${metadata.name}`;
  manifests.sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
  return manifests.map((manifest) => stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');
}
