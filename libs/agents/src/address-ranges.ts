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
