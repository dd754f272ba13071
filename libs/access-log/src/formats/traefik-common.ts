import { goAccessDirective } from '../directives/goaccess-directive.js';
import { templateFormat } from '../line-template.js';

/**
 * Traefik's common format: the combined format, followed by the request number, router, server URL and duration
 * (doc.traefik.io/traefik/observe/logs-and-access-logs).
 */
export const traefikCommon = templateFormat(
  {
    name: 'traefik-common',
    title: 'Traefik, common',
    verifiedBy: 'addresses',
    limits:
      'No host. Only the headers user agent and referer, if accesslog.fields.headers.names keeps them. Behind proxies that Traefik trusts, the client comes from X-Forwarded-For. JSON also has the peer.',
  },
  goAccessDirective('%h - %^ [%x] "%r" %s %b "%R" "%u" %^ "%^" "%^" %Lms'),
);
