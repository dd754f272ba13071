import type { Agent, CompiledCatalog } from '#libs/catalog';
import { apache } from './apache.js';
import { caddy } from './caddy.js';
import { haproxy } from './haproxy.js';
import { nginxMap } from './nginx-map.js';

/**
 * Returns part of a server's configuration that refuses the listed agents with status 403 and lets everyone else
 * through. It recognizes agents by User-Agent, as identification does. Anyone can read /robots.txt. The same input
 * always gives the same text.
 *
 * @param listed Agents of the catalog. Must be the same objects.
 */
type ServerConfig = (listed: readonly Agent[], catalog: CompiledCatalog) => string;

export const SERVER_CONFIGS: Record<'nginx-map' | 'apache' | 'caddy' | 'haproxy', ServerConfig> = {
  'nginx-map': nginxMap,
  apache,
  caddy,
  haproxy,
};
