/** Runs HAProxy in front of a site, configured with the dashboard's snippets. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Access } from '../../apps/web/src/ui/snippet-part.ts';
import { PROXIES } from '../../apps/web/src/pages/policy/robots/proxy-parts.ts';
import { freePort } from '../kit/instance.ts';
import { ensureCommands, findCommand } from '../stack/packages.ts';
import { ServerProcess } from '../stack/server-process.ts';
import type { RunningProxy } from './traefik.ts';

/** @param access Instance that verifies requests, or null to forward them unverified. */
export async function startHaproxy(access: Access | null, upstream: string): Promise<RunningProxy> {
  await ensureCommands({ haproxy: 'haproxy' });
  const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-haproxy-'));
  const [port, localPort] = [await freePort(), await freePort()];
  const parts = access === null ? [] : PROXIES['haproxy']!.parts(access);
  const [script = '', sections = '', frontend = ''] = parts.map(({ text }) =>
    text.replaceAll('8089', String(localPort)).replaceAll('/etc/haproxy', folder),
  );
  await writeFile(join(folder, 'agent-traffic.lua'), script);
  const file = join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    `${sections}
defaults
  mode http
  timeout client 30s
  timeout server 30s
  timeout connect 5s
frontend site
  bind 127.0.0.1:${port}
  ${frontend}
  default_backend site
backend site
  server site ${new URL(upstream).host}
`,
  );
  const haproxy = new ServerProcess({ command: (await findCommand('haproxy'))!, args: ['-db', '-f', file], port });
  await haproxy.start();
  return {
    url: `http://127.0.0.1:${port}`,
    dispose: async () => {
      await haproxy.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
