import type { Agent, CompiledCatalog } from '#libs/catalog';
import { configurationText } from './configuration-text.js';

const BEFORE = `
map {header.User-Agent} {agent_traffic_agent} {
	default 0
`;
/** Checks the original path, because it may have been rewritten. */
const AFTER = `}

# Agents that can't read /robots.txt may assume that everything is allowed (RFC 9309).
@agent_traffic_refused {
	not vars {http.request.orig_uri.path} /robots.txt
	vars {agent_traffic_agent} 1
}
error @agent_traffic_refused "Forbidden" 403
`;

/** Returns a Caddy map, in which the first matching expression decides, and an error directive for blocked agents. */
export function caddy(listed: readonly Agent[], catalog: CompiledCatalog): string {
  return configurationText(listed, catalog, {
    dialect: 're2',
    usage: [
      'Save as /etc/caddy/agent-traffic.caddy and add to each site block that should block agents:',
      '    import /etc/caddy/agent-traffic.caddy',
      'By default, handle, handle_path and route blocks run first. To run this before them, add to the global options:',
      '    order error after map',
    ],
    before: BEFORE,
    rule: ({ expression, target }) => `\t"~(?i)${expression}" ${target ?? 0}\n`,
    after: AFTER,
    indentation: '\t',
  });
}
