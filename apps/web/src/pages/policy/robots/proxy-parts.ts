import type { Access, SnippetPart } from '../../../ui/snippet-part.js';
import { caddyParts } from './caddy-parts.ts';
import { envoyParts } from './envoy-parts.ts';
import { haproxyParts } from './haproxy-parts.ts';
import { nginxParts } from './nginx-parts.ts';
import { traefikParts } from './traefik-parts.ts';

/** Configuration snippets by proxy. They check requests before they reach the site. */
export const PROXIES: Record<string, { label: string; parts: (access: Access) => SnippetPart[] }> = {
  nginx: { label: 'nginx', parts: nginxParts },
  caddy: { label: 'Caddy', parts: caddyParts },
  traefik: { label: 'Traefik', parts: traefikParts },
  envoy: { label: 'Envoy', parts: envoyParts },
  haproxy: { label: 'HAProxy', parts: haproxyParts },
};
