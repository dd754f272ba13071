import { compileAddressIndex, type AddressRanges } from './address-index.js';

/** Ranges that hold trusted proxies. */
export type ProxyRanges = AddressRanges;

/**
 * Compiles CIDR blocks of proxies for looking up.
 * @throws {RangeError} naming the first block that can't be read.
 */
export function compileProxyRanges(cidrs: readonly string[]): ProxyRanges {
  return compileAddressIndex([{ list: null, ranges: cidrs }]);
}

/** Loopback, link-local, private (RFC 1918, RFC 4193), shared (RFC 6598) and unspecified addresses. */
export const INTERNAL_RANGES = compileProxyRanges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::/128',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]);
