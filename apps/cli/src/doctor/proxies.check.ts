import type { UntrustedForwarder } from '#libs/platform';
import { ok, warning, type Finding } from './finding.js';

export interface ForwardersReport {
  service: string;
  untrusted_forwarders: UntrustedForwarder[];
}

const SUBJECT = 'trusted proxies';

/**
 * Warns about forwarding headers from untrusted addresses. All visitors behind a proxy that is missing from
 * TRUSTED_PROXIES share one client address.
 */
export function checkProxies(reports: readonly ForwardersReport[]): Finding[] {
  const findings = reports.flatMap(({ service, untrusted_forwarders: forwarders }) =>
    forwarders.map(({ address, requests }) =>
      warning(
        SUBJECT,
        `${service}: ${address} sent X-Forwarded-For with ${requests} request(s), and is not trusted`,
        `If it is your proxy, add ${address} to TRUSTED_PROXIES of ${service}; without that all of its visitors share one limit of sign-in attempts. If you do not know it, leave it out: anybody can send the header.`,
      ),
    ),
  );
  return findings.length > 0 ? findings : [ok(SUBJECT, 'no forwarding headers from addresses that are not trusted')];
}
