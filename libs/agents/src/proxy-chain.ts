import type { Address } from './address.js';
import type { ProxyRanges } from './address-ranges.js';
import { hopsOf, type Hop } from './forwarding-headers.js';
import type { HeaderMap } from './headers.js';

/** Which proxies are believed: those with an address in the ranges, or the nearest `hops` whatever their address. */
export type TrustedProxies = { ranges: Pick<ProxyRanges, 'contains'> } | { hops: number };

/**
 * Returns how many entries of a chain, nearest first, are trusted proxies before the first entry that is not. An entry
 * without an address is never a proxy.
 */
export function proxiesPassed(chain: readonly Hop[], trusted: TrustedProxies): number {
  if ('hops' in trusted) return Math.min(trusted.hops, chain.length);
  let passed = 0;
  for (const hop of chain) {
    if (hop === null || !trusted.ranges.contains(hop)) break;
    passed += 1;
  }
  return passed;
}

export interface ConnectionOrigin {
  address: Address;
  /** Trusted proxies between the address and us. */
  proxies: number;
  /** Whether `X-Forwarded-For` says more than is believed: the address is not a trusted proxy, and named others. */
  hasUntrustedEntries: boolean;
}

/**
 * Finds who is behind a connection, through trusted proxies only, by what each of them appended to `X-Forwarded-For`.
 * Where the chain ends, or goes on with an entry that is not an address, it is the furthest proxy: somebody is
 * always counted.
 *
 * @param peer of the connection
 */
export function connectionOrigin(peer: Address, headers: HeaderMap, trusted: TrustedProxies): ConnectionOrigin {
  const chain: Hop[] = [peer, ...(hopsOf(headers, 'x-forwarded-for') ?? [])];
  const proxies = Math.min(proxiesPassed(chain, trusted), chain.length - 1);
  const address = chain.slice(0, proxies + 1).findLast((hop) => hop !== null) ?? peer;
  return { address, proxies, hasUntrustedEntries: chain.length > proxies + 1 };
}
