import { goAccessDirective } from '../directives/goaccess-directive.js';
import { templateFormat } from '../line-template.js';

const FORWARDED = 'x-forwarded-for';

/**
 * Envoy's default format (envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage).
 *
 * The format doesn't contain the peer address. The client is the last X-Forwarded-For entry, which Envoy adds.
 */
export const envoy = templateFormat(
  {
    name: 'envoy',
    title: 'Envoy, default',
    verifiedBy: 'addresses',
    limits:
      'Headers are limited to user agent and X-Forwarded-For. The client is the last X-Forwarded-For entry, which Envoy adds if use_remote_address is set.',
  },
  goAccessDirective('[%x] "%r" %s %^ %^ %b %L %^ "~h{, }" "%u" "%^" "%v" "%^"'),
  (fields) => {
    const addresses = fields.takeHeader(FORWARDED)?.split(/, ?/) ?? [];
    fields.set('client', addresses.pop() ?? '');
    fields.set({ header: FORWARDED }, addresses.join(', '));
  },
);
