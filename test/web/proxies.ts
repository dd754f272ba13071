/** Runs real proxies that verify each request with an instance. The dashboard's snippets configure them. */
import type { Access } from '../../apps/web/src/ui/snippet-part.ts';
import { PROXIES } from '../../apps/web/src/pages/policy/robots/proxy-parts.ts';
import { freePort } from '../kit/instance.ts';
import { WebServer } from '../rules/web-servers.ts';

/** Proxies available as Debian packages. */
export const VERIFYING_PROXIES = ['nginx', 'caddy'] as const;
export type VerifyingProxy = (typeof VERIFYING_PROXIES)[number];

export interface ProxyOptions {
  /** URL that receives requests for `/site/`. */
  upstream?: string;
  /** Changes each snippet before use. */
  changeSnippet?: (text: string) => string;
}

/**
 * Starts a site behind a proxy.
 *
 * @param access Instance that verifies requests, or null to forward them unverified.
 */
export async function startProxy(
  kind: VerifyingProxy,
  access: Access | null,
  { upstream, changeSnippet: change = (text) => text }: ProxyOptions = {},
): Promise<WebServer> {
  const parts = access === null ? ['', '', ''] : PROXIES[kind]!.parts(access).map(({ text }) => change(text));
  if (kind === 'nginx') {
    const [http, server, location] = parts;
    const site = upstream && `location /site/ { proxy_pass ${upstream}; ${location} }`;
    return WebServer.start('nginx', `map $uri $agent_traffic_refused { default 0; }\n${http}`, {
      site: `${server}\n${site ?? ''}`,
    });
  }
  const port = String(await freePort());
  const [block, otherSite] = parts.map((text) => text.replaceAll('3999', port));
  return WebServer.start('caddy', '# nothing', {
    site: `${block}\n${upstream === undefined ? '' : `reverse_proxy /site/* ${upstream}`}`,
    otherSites: otherSite!,
  });
}
