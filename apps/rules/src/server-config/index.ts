import type { Agent, CompiledCatalog } from '#libs/catalog';
import { apache } from './apache.js';
import { caddy } from './caddy.js';
import { haproxy } from './haproxy.js';
import { nginxMap } from './nginx-map.js';

/**
 * Returns a server configuration snippet that blocks the listed agents with status 403 and allows everyone else. It
 * recognizes agents by User-Agent like the identification engine. /robots.txt is always allowed. The output is
 * deterministic.
 *
 * @param listed Agents to block. Must be object-identical to the catalog's agents.
 */
type ServerConfig = (listed: readonly Agent[], catalog: CompiledCatalog) => string;

export const SERVER_CONFIGS: Record<'nginx-map' | 'apache' | 'caddy' | 'haproxy', ServerConfig> = {
  'nginx-map': nginxMap,
  apache,
  caddy,
  haproxy,
};
