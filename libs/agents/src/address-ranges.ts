import { compileAddressIndex, type AddressRanges } from './address-index.js';

export type ProxyRanges = AddressRanges;

/**
 * Compiles the CIDR blocks of proxies.
 * @throws {RangeError} if a block is invalid. The message contains the first one.
 */
export function compileProxyRanges(cidrs: readonly string[]): ProxyRanges {
  return compileAddressIndex([{ list: null, ranges: cidrs }]);
}
