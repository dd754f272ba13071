import type { Agent, CompiledCatalog } from '#libs/catalog';
import { configurationText } from './configuration-text.js';

/**
 * A map file for HAProxy: an expression, a space, and 1 for who is refused; the first that matches decides. `req.fhdr`,
 * because `req.hdr` takes a User-Agent apart at its commas.
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
