import type { Address } from './address.js';
import type { ProxyRanges } from './proxy-ranges.js';
import { parseHops, type Hop } from './forwarding-headers.js';
import type { HeaderMap } from './headers.js';

/** Trusted proxies: all addresses in `ranges`, or the nearest `hops` entries regardless of their address. */
export type TrustedProxies = { ranges: Pick<ProxyRanges, 'contains'> } | { hops: number };

/**
 * Counts the trusted proxies at the start of a chain. An entry without an address ends the count unless it is one of the
 * trusted `hops`.
 *
 * @param chain Entries in order, nearest first.
 */
export function countTrustedProxies(chain: readonly Hop[], trusted: TrustedProxies): number {
  if ('hops' in trusted) return Math.min(trusted.hops, chain.length);
  let count = 0;
  for (const hop of chain) {
    if (hop === null || !trusted.ranges.contains(hop)) break;
    count += 1;
  }
  return count;
}

export interface ConnectionOrigin {
  address: Address;
  /** Number of trusted proxies between this address and the server. */
  proxies: number;
  /** True if `X-Forwarded-For` contains more entries, which are untrusted. */
  hasUntrustedEntries: boolean;
}

/**
 * Determines the origin of a connection from the `X-Forwarded-For` entries that trusted proxies appended.
 *
 * Falls back to the farthest trusted proxy if the chain ends there or the next entry isn't an address. So every
 * connection has an address for rate limiting.
 */
export function findConnectionOrigin(peer: Address, headers: HeaderMap, trusted: TrustedProxies): ConnectionOrigin {
  const chain: Hop[] = [peer, ...(parseHops(headers, 'x-forwarded-for') ?? [])];
  const proxies = Math.min(countTrustedProxies(chain, trusted), chain.length - 1);
  const address = chain.slice(0, proxies + 1).findLast((hop) => hop !== null) ?? peer;
  return { address, proxies, hasUntrustedEntries: chain.length > proxies + 1 };
}
