/** Real proxies that ask an instance about each request, as the dashboard's lines tell them to. */
import type { Access } from '../../apps/web/src/ui/snippet-part.ts';
import { PROXIES } from '../../apps/web/src/pages/robots/proxy-parts.ts';
import { WebServer } from '../rules/web-servers.ts';

/** Those that Debian has. */
export const ASKING = ['nginx', 'caddy'] as const;
export type Asking = (typeof ASKING)[number];

export interface SiteOptions {
  /** Where `/site/` is passed on to. */
  upstream?: string;
  /** Changes the lines first. */
  change?: (text: string) => string;
}

/** Starts a site in front of which a proxy asks; `null` does not ask. */
export function startProxy(
  kind: Asking,
  access: Access | null,
  { upstream, change = (text) => text }: SiteOptions = {},
): Promise<WebServer> {
  const parts = access === null ? ['', '', ''] : PROXIES[kind]!.parts(access).map(({ text }) => change(text));
  if (kind === 'nginx') {
    const [http, server, location] = parts;
    const site = upstream && `location /site/ { proxy_pass ${upstream}; ${location} }`;
    return WebServer.start('nginx', `map $uri $agent_traffic_refused { default 0; }\n${http}`, {
      site: `${server}\n${site ?? ''}`,
    });
  }
  const [block] = parts;
  return WebServer.start('caddy', '# nothing', {
    site: `${block}\n${upstream === undefined ? '' : `reverse_proxy /site/* ${upstream}`}`,
  });
}
