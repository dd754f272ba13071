import type { UntrustedForwarder } from '#libs/platform';
import { ok, warning, type Finding } from './finding.js';

export interface ForwardersReport {
  service: string;
  untrusted_forwarders: UntrustedForwarder[];
}

const SUBJECT = 'trusted proxies';

/**
 * Warns about forwarding headers from untrusted addresses. All visitors behind a proxy that isn't in TRUSTED_PROXIES
 * share one client address.
 */
export function checkProxies(reports: readonly ForwardersReport[]): Finding[] {
  const findings = reports.flatMap(({ service, untrusted_forwarders: forwarders }) =>
    forwarders.map(({ address, requests }) =>
      warning(
        SUBJECT,
        `${service}: the untrusted address ${address} sent X-Forwarded-For in ${requests} request(s)`,
        `If it is your proxy, add ${address} to TRUSTED_PROXIES for ${service}. Until then, all visitors behind it share one sign-in rate limit. If you don't recognize the address, don't add it, because anyone can send this header.`,
      ),
    ),
  );
  return findings.length > 0 ? findings : [ok(SUBJECT, 'no forwarding headers from untrusted addresses')];
}
