import type { Agent, CompiledCatalog } from '#libs/catalog';
import { configurationText } from './configuration-text.js';

/**
 * Returns a HAProxy map file. Each line consists of an expression, a space, and 1 to block or 0 to allow matching
 * agents. The first match decides.
 *
 * The instructions use `req.fhdr`, because `req.hdr` splits the User-Agent at commas.
 */
export function haproxy(listed: readonly Agent[], catalog: CompiledCatalog): string {
  return configurationText(listed, catalog, {
    dialect: 'pcre',
    usage: [
      'Save as /etc/haproxy/agent-traffic.map and add to each frontend that should block agents (one line):',
      '    http-request deny deny_status 403 if { req.fhdr(User-Agent),map_reg(/etc/haproxy/agent-traffic.map,0) 1 } !{ path /robots.txt }',
      "Agents that can't read /robots.txt may assume that everything is allowed (RFC 9309).",
    ],
    before: '',
    rule: ({ expression, target }) => `(?i)${expression.replaceAll(' ', '\\x20')} ${target ?? 0}\n`,
    after: '',
    indentation: '',
  });
}
