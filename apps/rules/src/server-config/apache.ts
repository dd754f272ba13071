import type { Agent, CompiledCatalog } from '#libs/catalog';
import { configurationText } from './configuration-text.js';

/** What was asked for counts, whatever it was rewritten to. */
const BEFORE = `
# Who can't read /robots.txt may take everything for allowed (RFC 9309).
<If "%{REQUEST_URI} == '/robots.txt' || %{THE_REQUEST} =~ m#^\\S+ /robots\\.txt[? ]#">
</If>
`;

/**
 * Conditional sections for Apache 2.4, of which the first that fits decides. They come after all other sections, in the
 * server's configuration, a virtual host and .htaccess alike, and only ever deny: nobody is granted what is refused
 * elsewhere. Variables set by SetEnvIf wouldn't do, since .htaccess sets them after the conditions were looked at.
 */
export function apache(listed: readonly Agent[], catalog: CompiledCatalog): string {
  return configurationText(listed, catalog, {
    dialect: 'pcre',
    usage: [
      'Apache 2.4. Save as /etc/apache2/agent-traffic.conf and write, in the server or a virtual host:',
      '    Include /etc/apache2/agent-traffic.conf',
      'Or paste it into .htaccess (AllowOverride All), where it is read anew at each request, which is slow.',
    ],
    before: BEFORE,
    rule: ({ expression, refuses }) =>
      `<ElseIf "%{HTTP_USER_AGENT} =~ m#${expression}#i">\n${refuses ? '    Require all denied\n' : ''}</ElseIf>\n`,
    after: '',
    indentation: '',
  });
}
