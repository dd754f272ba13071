import { goAccessDirective } from '../directives/goaccess-directive.js';
import { templateFormat } from '../line-template.js';

/**
 * Traefik's common format: the combined one, and behind it the request's number, the router, the server's URL and the time
 * (doc.traefik.io/traefik/observe/logs-and-access-logs).
 */
export const traefikCommon = templateFormat(
  {
    name: 'traefik-common',
    title: 'Traefik, common',
    verifiedBy: 'addresses',
    limits:
      'No host. Of the headers, only the user agent and the referer, if accesslog.fields.headers.names keeps them. Behind proxies that Traefik trusts, the client is what X-Forwarded-For says: JSON has the peer, too.',
  },
  goAccessDirective('%h - %^ [%x] "%r" %s %b "%R" "%u" %^ "%^" "%^" %Lms'),
);
