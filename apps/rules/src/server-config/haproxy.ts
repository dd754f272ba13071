import type { Agent, CompiledCatalog } from '#libs/catalog';
import { configurationText } from './configuration-text.js';

/**
 * Returns a map file for HAProxy. Each line has an expression and, after a space, 1 if matching agents are refused. The
 * first match decides.
 *
 * The instructions use `req.fhdr` because `req.hdr` splits a User-Agent at its commas.
 */
export function haproxy(listed: readonly Agent[], catalog: CompiledCatalog): string {
  return configurationText(listed, catalog, {
    dialect: 'pcre',
    usage: [
      'Save as /etc/haproxy/agent-traffic.map, and write into each frontend that refuses (one line):',
      '    http-request deny deny_status 403 if { req.fhdr(User-Agent),map_reg(/etc/haproxy/agent-traffic.map,0) 1 } !{ path /robots.txt }',
      "Who can't read /robots.txt may take everything for allowed (RFC 9309).",
    ],
    before: '',
    rule: ({ expression, refuses }) => `(?i)${expression.replaceAll(' ', '\\x20')} ${refuses ? 1 : 0}\n`,
    after: '',
    indentation: '',
  });
}
