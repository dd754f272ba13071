import type { Agent, CompiledCatalog } from '#libs/catalog';
import { configurationText } from './configuration-text.js';

const BEFORE = `
map {header.User-Agent} {agent_traffic_agent} {
	default 0
`;
/** Compares the original path, because it may have been rewritten. */
const AFTER = `}

# Who can't read /robots.txt may take everything for allowed (RFC 9309).
@agent_traffic_refused {
	not vars {http.request.orig_uri.path} /robots.txt
	vars {agent_traffic_agent} 1
}
error @agent_traffic_refused "Forbidden" 403
`;

/** Returns a map for Caddy, in which the first matching expression decides, and an error for refused agents. */
export function caddy(listed: readonly Agent[], catalog: CompiledCatalog): string {
  return configurationText(listed, catalog, {
    dialect: 're2',
    usage: [
      'Save as /etc/caddy/agent-traffic.caddy, and write into each site block that refuses:',
      '    import /etc/caddy/agent-traffic.caddy',
      'Where a site has handle, handle_path or route blocks, they would come first. Put this into the global options:',
      '    order error after map',
    ],
    before: BEFORE,
    rule: ({ expression, refuses }) => `\t"~(?i)${expression}" ${refuses ? 1 : 0}\n`,
    after: AFTER,
    indentation: '\t',
  });
}
