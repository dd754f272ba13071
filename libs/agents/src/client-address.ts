import { INTERNAL_RANGES, type ProxyRanges } from './address-ranges.js';
import { parseAddress, type Address } from './address.js';
import { hopsOf, LIST_HEADERS, PEER_HEADERS, SINGLE_HEADERS, type Hop } from './forwarding-headers.js';
import type { HeaderMap } from './headers.js';
import { projectRanges, type ProjectProxies } from './project-proxies.js';
import { proxiesPassed } from './proxy-chain.js';
import type { ClientAddressReason } from './vocabulary.js';

export interface ClientAddress {
  /** Canonical text: dotted IPv4, or RFC 5952. `null` when unknown. */
  address: string | null;
  /** The header that was believed, in lower case. */
  source: string | null;
  reason: ClientAddressReason;
}

/**
 * Finds the visitor's address in the headers that the site received.
 *
 * A visitor can put anything into these headers; a proxy only appends on the right, or overwrites. So lists are read
 * from the right, past trusted proxies only, and stop at the first other entry, whatever it is. Headers that contradict
 * each other leave the address unknown, because one of them is forged and we can't see which. RFC 7239, RFC 9110.
 *
 * Where the site says who the peer of its connection was, headers count only behind a trusted proxy: they cannot change the
 * address of any other peer.
 *
 * @param headers as {@link normalizeHeaders} gives them
 * @param proxies the project's setting, free of faults
 * @param trusted published ranges of content delivery networks; internal ranges are always trusted
 * @param peer address of the connection, as the site's own server saw it; `null` when that is not known
 */
export function clientAddress(
  headers: HeaderMap,
  proxies: ProjectProxies,
  trusted: ProxyRanges,
  peer: string | null = null,
): ClientAddress {
  const connection = peer === null ? null : parseAddress(peer);
  if (peer !== null && connection === null) return unknown('malformed');
  // An internal peer is nobody's address on the internet: something in between hides the visitor's.
  if (proxies.mode === 'none') {
    return connection === null || INTERNAL_RANGES.contains(connection)
      ? unknown('no_header_believed')
      : chosen(connection, null, 'connection_peer');
  }
  const own = projectRanges(proxies);
  const isProxy = (address: Address): boolean =>
    INTERNAL_RANGES.contains(address) || trusted.contains(address) || (own?.contains(address) ?? false);
  // A number of proxies says of the peer that it is one, whatever its address.
  if (connection !== null && proxies.hops === undefined && !isProxy(connection)) {
    return chosen(connection, null, 'connection_peer');
  }
  if (proxies.header !== undefined)
    return fromConfiguredHeader(headers, proxies.header.toLowerCase(), proxies, isProxy);

  let first: ClientAddress | null = null;
  let listed: readonly Hop[] = [];
  for (const name of LIST_HEADERS) {
    const hops = hopsOf(headers, name);
    if (hops === null) continue;
    const found = fromList(hops, name, proxies, isProxy);
    if (first !== null && found.address !== first.address) return unknown('headers_disagree');
    listed = first === null ? hops : [...listed, ...hops];
    first ??= found;
  }
  if (first === null) return proxies.hops === undefined ? fromSingles(headers, isProxy) : unknown('no_address_header');
  if (first.address === null || proxies.hops !== undefined) return first;
  return singlesAgree(headers, first.address, listed, isProxy) ? first : unknown('headers_disagree');
}

type IsProxy = (address: Address) => boolean;

function unknown(reason: ClientAddressReason, source: string | null = null): ClientAddress {
  return { address: null, source, reason };
}

function chosen(hop: Hop, source: string | null, reason: ClientAddressReason): ClientAddress {
  return hop === null ? unknown('malformed', source) : { address: hop.text, source, reason };
}

function fromConfiguredHeader(
  headers: HeaderMap,
  name: string,
  proxies: ProjectProxies,
  isProxy: IsProxy,
): ClientAddress {
  const hops = hopsOf(headers, name);
  if (hops === null) return unknown('no_address_header');
  // A single address is the visitor's even when it is an internal one: the project says so.
  const isList = name === 'forwarded' || name === 'x-forwarded-for' || hops.length > 1;
  return isList ? fromList(hops, name, proxies, isProxy) : chosen(hops[0]!, name, 'configured_header');
}

function fromList(hops: Hop[], name: string, proxies: ProjectProxies, isProxy: IsProxy): ClientAddress {
  if (proxies.hops !== undefined) {
    // The first of the proxies is the peer of the site, which is not an entry.
    const hop = hops[proxiesPassed(hops, { hops: proxies.hops - 1 })];
    return hop === undefined ? unknown('too_few_entries', name) : chosen(hop, name, 'configured_hops');
  }
  const client = hops[proxiesPassed(hops, { ranges: { contains: isProxy } })];
  const reason = proxies.header === undefined ? 'forwarded_list' : 'configured_header';
  return client === undefined ? unknown('only_trusted_proxies', name) : chosen(client, name, reason);
}

/**
 * Without a list every single-address header counts, so all of them must be readable and equal: the site's proxy sets
 * one of them, and a visitor could add another.
 */
function fromSingles(headers: HeaderMap, isProxy: IsProxy): ClientAddress {
  let found: { address: Address; name: string } | null = null;
  for (const name of SINGLE_HEADERS) {
    for (const hop of hopsOf(headers, name) ?? []) {
      if (hop === null) return unknown('malformed', name);
      if (found !== null && found.address.text !== hop.text) return unknown('headers_disagree');
      found ??= { address: hop, name };
    }
  }
  if (found === null) return unknown('no_address_header');
  return isProxy(found.address)
    ? unknown('only_trusted_proxies', found.name)
    : chosen(found.address, found.name, 'single_header');
}

/** Whether no single-address header contradicts what the lists say. One that can't be read counts as missing. */
function singlesAgree(headers: HeaderMap, address: string, listed: readonly Hop[], isProxy: IsProxy): boolean {
  // Loops, because functions for each of the names would be most of what a visit allocates here.
  for (const name of SINGLE_HEADERS) {
    const hops = hopsOf(headers, name);
    if (hops === null) continue;
    for (const hop of hops) {
      if (hop === null || hop.text === address) continue;
      if (!PEER_HEADERS.has(name) || !isPassedProxy(hop, listed, isProxy)) return false;
    }
  }
  return true;
}

/**
 * The site's own proxy may report a proxy in front of it as its peer. That agrees with the list where the peer is a
 * public proxy, or an entry of the list. An internal peer outside the list means that nobody appended to the list, so
 * it may be the visitor's own.
 */
function isPassedProxy(peer: Address, listed: readonly Hop[], isProxy: IsProxy): boolean {
  if (!isProxy(peer)) return false;
  if (!INTERNAL_RANGES.contains(peer)) return true;
  return listed.some((hop) => hop?.text === peer.text);
}
