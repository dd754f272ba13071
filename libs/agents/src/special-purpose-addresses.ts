import { compileAddressIndex, type AddressRanges } from './address-index.js';
import type { Address } from './address.js';

/**
 * Role of a special-purpose block when determining the visitor's address:
 * - `internal`: Skipped, because proxies in internal networks use these addresses.
 * - `example`: Reserved for documentation. Treated like a regular visitor's address.
 * - `undecided`: Can't belong to a visitor or proxy, so the client address is unknown.
 */
type Role = 'internal' | 'example' | 'undecided';

type Block = [cidr: string, name: string, role: Role];

/**
 * IANA IPv4 Special-Purpose Address Registry (https://www.iana.org/assignments/iana-ipv4-special-registry), plus
 * multicast. Compiled on 2026-11-28 from RFC 6890, RFC 8190 and copies of the registry.
 */
const IPV4: readonly Block[] = [
  ['0.0.0.0/8', 'This network', 'internal'],
  ['10.0.0.0/8', 'Private use', 'internal'],
  ['100.64.0.0/10', 'Shared address space', 'internal'],
  ['127.0.0.0/8', 'Loopback', 'internal'],
  ['169.254.0.0/16', 'Link-local', 'internal'],
  ['172.16.0.0/12', 'Private use', 'internal'],
  // Includes IPv4 service continuity, dummy, PCP and TURN anycast, and NAT64 discovery addresses.
  ['192.0.0.0/24', 'IETF protocol assignments', 'undecided'],
  ['192.0.2.0/24', 'Documentation', 'example'],
  ['192.31.196.0/24', 'AS112', 'undecided'],
  ['192.52.193.0/24', 'AMT', 'undecided'],
  ['192.88.99.0/24', '6to4 relay anycast', 'undecided'],
  ['192.168.0.0/16', 'Private use', 'internal'],
  ['192.175.48.0/24', 'AS112', 'undecided'],
  ['198.18.0.0/15', 'Benchmarking', 'undecided'],
  ['198.51.100.0/24', 'Documentation', 'example'],
  ['203.0.113.0/24', 'Documentation', 'example'],
  ['224.0.0.0/4', 'Multicast', 'undecided'],
  ['240.0.0.0/4', 'Reserved', 'undecided'],
];

/**
 * IANA IPv6 Special-Purpose Address Registry (https://www.iana.org/assignments/iana-ipv6-special-registry), plus
 * multicast and deprecated prefixes. Compiled on 2026-11-28 from RFC 6890, RFC 8190, RFC 8215, RFC 9602, RFC 9637,
 * RFC 9780 and copies of the registry. Excludes IPv4-mapped addresses (::ffff:0:0/96), because {@link parseAddress}
 * converts them to IPv4.
 */
const IPV6: readonly Block[] = [
  // Only 2000::/3 is global unicast.
  ['::/3', 'Not global unicast', 'undecided'],
  ['4000::/2', 'Not global unicast', 'undecided'],
  ['8000::/1', 'Not global unicast', 'undecided'],
  ['::/128', 'Unspecified', 'internal'],
  ['::1/128', 'Loopback', 'internal'],
  ['64:ff9b::/96', 'IPv4-IPv6 translation', 'undecided'],
  ['64:ff9b:1::/48', 'Local IPv4-IPv6 translation', 'undecided'],
  ['100::/64', 'Discard-only', 'undecided'],
  ['100:0:0:1::/64', 'Dummy prefix', 'undecided'],
  // Includes Teredo, benchmarking, AMT, ORCHID, ORCHIDv2 and DRIP addresses.
  ['2001::/23', 'IETF protocol assignments', 'undecided'],
  ['2001:db8::/32', 'Documentation', 'example'],
  ['2002::/16', '6to4', 'undecided'],
  ['2620:4f:8000::/48', 'AS112', 'undecided'],
  ['3fff::/20', 'Documentation', 'example'],
  ['5f00::/16', 'Segment routing', 'undecided'],
  ['fc00::/7', 'Unique local', 'internal'],
  ['fe80::/10', 'Link-local', 'internal'],
  ['fec0::/10', 'Site-local', 'undecided'],
  ['ff00::/8', 'Multicast', 'undecided'],
];

const BLOCKS = [...IPV4, ...IPV6];
const compileRanges = (isIncluded: (role: Role) => boolean): AddressRanges =>
  compileAddressIndex([{ list: null, ranges: BLOCKS.filter(([, , role]) => isIncluded(role)).map(([cidr]) => cidr) }]);
const roleIndex = compileAddressIndex(BLOCKS.map(([cidr, , role]) => ({ list: role, ranges: [cidr] })));

/** Loopback, link-local, private (RFC 1918, RFC 4193), shared (RFC 6598) and unspecified addresses. */
export const INTERNAL_RANGES = compileRanges((role) => role === 'internal');

/** Returns true for global unicast addresses, which can belong to publicly reachable hosts. */
export const isPublicAddress = (address: Address): boolean => !roleIndex.contains(address);

/** Returns true for addresses that can't belong to a visitor or a proxy. */
export const isUndecidedAddress = (address: Address): boolean =>
  roleIndex.contains(address) && roleIndex.find(address)?.list === 'undecided';
