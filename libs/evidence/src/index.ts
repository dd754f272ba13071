export { CachedDns, type CachedDnsOptions } from './dns-resolver.js';
export { dnsServersSetting, type DnsServers } from './dns-servers.js';
