import { bool } from '#libs/platform';
import { dnsServersSetting, type DnsServers } from './dns-servers.js';
import type { EvidenceOptions } from './evidence.module.js';

/** Environment settings for processes that identify visitors. Spread them into a `readEnvironment` specification. */
export const evidenceSettings = {
  DNS_SERVERS: dnsServersSetting({
    default: 'system',
    desc: "DNS servers for reverse DNS: the system's, off, or comma-separated addresses",
  }),
  ALLOW_TEST_KEYS: bool({ default: false, desc: 'Accepts the test keys published in the RFCs, for trying things out' }),
};

export function evidenceOptions(settings: { DNS_SERVERS: DnsServers; ALLOW_TEST_KEYS: boolean }): EvidenceOptions {
  return { dnsServers: settings.DNS_SERVERS, allowTestKeys: settings.ALLOW_TEST_KEYS };
}
