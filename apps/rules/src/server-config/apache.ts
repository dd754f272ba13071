import type { Agent, CompiledCatalog } from '#libs/catalog';
import { configurationText } from './configuration-text.js';

/** Also matches the original request line, because the path may have been rewritten. */
const BEFORE = `
# Who can't read /robots.txt may take everything for allowed (RFC 9309).
<If "%{REQUEST_URI} == '/robots.txt' || %{THE_REQUEST} =~ m#^\\S+ /robots\\.txt[? ]#">
</If>
`;

/**
 * Returns conditional sections for Apache 2.4. The first match decides.
 *
 * Apache applies them after all other sections, both in the server's configuration and in .htaccess. They only deny, so
 * they never grant access that is refused elsewhere. Variables set by SetEnvIf don't work, because .htaccess sets them
 * after conditions are evaluated.
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
