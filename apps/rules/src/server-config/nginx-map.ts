import type { Agent, CompiledCatalog } from '#libs/catalog';
import { configurationText } from './configuration-text.js';

const BEFORE = `
map $http_user_agent $agent_traffic_agent {
    default 0;
`;
const AFTER = `}

# Agents that can't read /robots.txt may assume that everything is allowed (RFC 9309).
map $uri $agent_traffic_refused {
    default $agent_traffic_agent;
    /robots.txt 0;
}
`;

/**
 * Returns two nginx maps. The first matching expression decides. A `$` in an expression is safe, because nginx only
 * expands variables in map values.
 */
export function nginxMap(listed: readonly Agent[], catalog: CompiledCatalog): string {
  return configurationText(listed, catalog, {
    dialect: 'pcre',
    usage: [
      'Save as /etc/nginx/conf.d/agent-traffic.conf, or include it in http { }. Add to each server block that should block agents:',
      '    if ($agent_traffic_refused) { return 403; }',
      'To speed it up, add "pcre_jit on;" at the top of nginx.conf.',
    ],
    before: BEFORE,
    rule: ({ expression, target }) => `    "~*${expression}" ${target ?? 0};\n`,
    after: AFTER,
    indentation: '    ',
  });
}
