/** Runs Traefik from PyPI, because Debian does not package it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Access } from '../../apps/web/src/ui/snippet-part.ts';
import { PROXIES } from '../../apps/web/src/pages/policy/robots/proxy-parts.ts';
import { freePort } from '../kit/instance.ts';
import { ensurePython } from '../stack/python.ts';
import { ServerProcess } from '../stack/server-process.ts';

export interface RunningProxy {
  url: string;
  dispose: () => Promise<void>;
}

/**
 * Starts Traefik in front of a site, configured with the dashboard's snippets.
 *
 * @param access Instance that verifies requests, or null to forward them unverified.
 */
export async function startTraefik(access: Access | null, upstream: string): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-traefik-'));
  const [port, entryPointPort] = [await freePort(), await freePort()];
  const parts = access === null ? [] : PROXIES['traefik']!.parts(access);
  const [staticConfiguration, dynamic, router] = parts.map(({ text }) =>
    parse(text.replaceAll('8089', String(entryPointPort))),
  );
  const files = {
    'traefik.yaml': {
      entryPoints: { ...staticConfiguration?.entryPoints, web: { address: `127.0.0.1:${port}` } },
      providers: { file: { filename: join(folder, 'dynamic.yaml') } },
      global: { checkNewVersion: false, sendAnonymousUsage: false },
    },
    'dynamic.yaml': {
      http: {
        ...dynamic?.http,
        routers: {
          ...dynamic?.http.routers,
          site: { entryPoints: ['web'], rule: 'PathPrefix(`/`)', service: 'site', ...router },
        },
        services: { ...dynamic?.http.services, site: { loadBalancer: { servers: [{ url: upstream }] } } },
      },
    },
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), stringify(content));
  const python = await ensurePython(join(import.meta.dirname, 'requirements.txt'));
  const url = `http://127.0.0.1:${port}`;
  const traefik = new ServerProcess({
    command: join(dirname(python), 'traefik'),
    args: [`--configFile=${join(folder, 'traefik.yaml')}`],
    port,
    // Traefik accepts connections before it has loaded its routes.
    isReady: async () => (await fetch(url)).status !== 404,
  });
  await traefik.start();
  return {
    url,
    dispose: async () => {
      await traefik.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
