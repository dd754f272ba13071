import type { Address } from './address.js';
import type { ProxyRanges } from './address-ranges.js';
import { hopsOf, type Hop } from './forwarding-headers.js';
import type { HeaderMap } from './headers.js';

/** Trusted proxies: those in the address ranges, or the nearest `hops` entries regardless of their address. */
export type TrustedProxies = { ranges: Pick<ProxyRanges, 'contains'> } | { hops: number };

/**
 * Returns the number of trusted proxies at the start of a chain, which is ordered nearest first. With ranges, an entry
 * without an address is never trusted.
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
  /** Number of trusted proxies between the address and this server. */
  proxies: number;
  /** True if `X-Forwarded-For` has further entries, which are untrusted. */
  hasUntrustedEntries: boolean;
}

/**
 * Returns the origin of a connection, using only the `X-Forwarded-For` entries that trusted proxies appended.
 *
 * Falls back to the furthest trusted proxy if the chain ends or continues with an entry that isn't an address. So every
 * connection has an address to count.
 *
 * @param peer Address of the connection's peer.
 */
export function connectionOrigin(peer: Address, headers: HeaderMap, trusted: TrustedProxies): ConnectionOrigin {
  const chain: Hop[] = [peer, ...(hopsOf(headers, 'x-forwarded-for') ?? [])];
  const proxies = Math.min(proxiesPassed(chain, trusted), chain.length - 1);
  const address = chain.slice(0, proxies + 1).findLast((hop) => hop !== null) ?? peer;
  return { address, proxies, hasUntrustedEntries: chain.length > proxies + 1 };
}
