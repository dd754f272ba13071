/** Real proxies that verify each request through an instance, configured with the dashboard's snippets. */
import type { Access } from '../../apps/web/src/ui/snippet-part.ts';
import { PROXIES } from '../../apps/web/src/pages/robots/proxy-parts.ts';
import { WebServer } from '../rules/web-servers.ts';

/** Proxies that Debian packages. */
export const ASKING = ['nginx', 'caddy'] as const;
export type Asking = (typeof ASKING)[number];

export interface SiteOptions {
  /** URL that receives requests for `/site/`. */
  upstream?: string;
  /** Edits each snippet before it is used. */
  change?: (text: string) => string;
}

/**
 * Starts a site behind a proxy.
 *
 * @param access null for a proxy that doesn't verify requests
 */
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
