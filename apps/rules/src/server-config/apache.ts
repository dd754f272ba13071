import type { Agent, CompiledCatalog } from '#libs/catalog';
import { configurationText } from './configuration-text.js';

/**
 * Lets everyone fetch /robots.txt. The original request line is also checked, because the site may have rewritten the
 * path.
 */
const BEFORE = `
# Agents that can't read /robots.txt may assume that everything is allowed (RFC 9309).
<If "%{REQUEST_URI} == '/robots.txt' || %{THE_REQUEST} =~ m#^\\S+ /robots\\.txt[? ]#">
</If>
`;

/**
 * Returns conditional sections for Apache 2.4. The first match decides.
 *
 * Apache applies these sections after all others, both in the server configuration and in .htaccess. They only deny
 * access, so they never grant access that is denied elsewhere. SetEnvIf wouldn't work, because in .htaccess it sets
 * variables after conditions are evaluated.
 */
export function apache(listed: readonly Agent[], catalog: CompiledCatalog): string {
  return configurationText(listed, catalog, {
    dialect: 'pcre',
    usage: [
      'Apache 2.4. Save as /etc/apache2/agent-traffic.conf and add to the server configuration or a virtual host:',
      '    Include /etc/apache2/agent-traffic.conf',
      'Alternatively, paste it into .htaccess (AllowOverride All). This is slow, because Apache reads .htaccess on every request.',
    ],
    before: BEFORE,
    rule: ({ expression, target }) =>
      `<ElseIf "%{HTTP_USER_AGENT} =~ m#${expression}#i">\n${target === null ? '' : '    Require all denied\n'}</ElseIf>\n`,
    after: '',
    indentation: '',
  });
}
