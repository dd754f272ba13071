import type { Agent, CompiledCatalog } from '#libs/catalog';
import { configurationText } from './configuration-text.js';

const BEFORE = `
map $http_user_agent $agent_traffic_agent {
    default 0;
`;
const AFTER = `}

# Who can't read /robots.txt may take everything for allowed (RFC 9309).
map $uri $agent_traffic_refused {
    default $agent_traffic_agent;
    /robots.txt 0;
}
`;

/**
 * Returns two maps for nginx. The first matching expression decides. nginx expands variables in the values of a map,
 * but not in its expressions.
 */
export function nginxMap(listed: readonly Agent[], catalog: CompiledCatalog): string {
  return configurationText(listed, catalog, {
    dialect: 'pcre',
    usage: [
      'Save as /etc/nginx/conf.d/agent-traffic.conf, or include it within http { }. In each server block that refuses:',
      '    if ($agent_traffic_refused) { return 403; }',
      'At the top of nginx.conf, "pcre_jit on;" makes it faster.',
    ],
    before: BEFORE,
    rule: ({ expression, refuses }) => `    "~*${expression}" ${refuses ? 1 : 0};\n`,
    after: AFTER,
    indentation: '    ',
  });
}
