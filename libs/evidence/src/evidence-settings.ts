import { bool } from '#libs/platform';
import { dnsServersSetting, type DnsServers } from './dns-servers.js';
import type { EvidenceOptions } from './evidence.module.js';

/** Settings for processes that identify visitors. Spread them into a specification for `readEnvironment`. */
export const evidenceSettings = {
  DNS_SERVERS: dnsServersSetting({
    default: 'system',
    desc: "Name servers for reverse DNS: the system's, off, or addresses separated by commas",
  }),
  ALLOW_TEST_KEYS: bool({ default: false, desc: 'Admits the keys that the RFCs publish, for trying things out' }),
};

export function evidenceOptions(settings: { DNS_SERVERS: DnsServers; ALLOW_TEST_KEYS: boolean }): EvidenceOptions {
  return { dnsServers: settings.DNS_SERVERS, allowTestKeys: settings.ALLOW_TEST_KEYS };
}
