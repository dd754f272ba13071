import { goAccessDirective } from '../directives/goaccess-directive.js';
import { templateFormat } from '../line-template.js';

/**
 * Traefik's common format. Extends the combined format with the request number, router, server URL and duration
 * (doc.traefik.io/traefik/observe/logs-and-access-logs).
 */
export const traefikCommon = templateFormat(
  {
    name: 'traefik-common',
    title: 'Traefik, common',
    verifiedBy: 'addresses',
    limits:
      'No host. Headers are limited to user agent and referer, and accesslog.fields.headers.names must keep them. Behind proxies that Traefik trusts, the client comes from X-Forwarded-For. The JSON format also contains the peer.',
  },
  goAccessDirective('%h - %^ [%x] "%r" %s %b "%R" "%u" %^ "%^" "%^" %Lms'),
);
