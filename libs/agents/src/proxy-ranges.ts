import { compileAddressIndex, type AddressRanges } from './address-index.js';

export type ProxyRanges = AddressRanges;

/** @throws {RangeError} if a block is invalid. The message contains the first invalid block. */
export function compileProxyRanges(cidrs: readonly string[]): ProxyRanges {
  return compileAddressIndex([{ list: null, ranges: cidrs }]);
}
