import type { Agent, CompiledCatalog } from '#libs/catalog';
import { apache } from './apache.js';
import { caddy } from './caddy.js';
import { haproxy } from './haproxy.js';
import { nginxMap } from './nginx-map.js';

/**
 * Part of a server's configuration that refuses whom the engine takes, by the User-Agent, for one of the listed agents,
 * with 403, and lets all others through. /robots.txt stays readable for everybody. The same input gives the same text.
 *
 * @param listed agents of the catalog, the very objects.
 */
type ServerConfig = (listed: readonly Agent[], catalog: CompiledCatalog) => string;

/** By the format's name in the interface. */
export const SERVER_CONFIGS: Record<'nginx-map' | 'apache' | 'caddy' | 'haproxy', ServerConfig> = {
  'nginx-map': nginxMap,
  apache,
  caddy,
  haproxy,
};
