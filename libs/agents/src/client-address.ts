import { parseAddress, type Address } from './address.js';
import { hopsOf, LIST_HEADERS, PEER_HEADERS, SINGLE_HEADERS, untranslated, type Hop } from './forwarding-headers.js';
import type { HeaderMap } from './headers.js';
import { isStatedPath, projectRanges, type ProjectProxies } from './project-proxies.js';
import { proxiesPassed } from './proxy-chain.js';
import {
  isMarked,
  isMarkedUnlisted,
  trustedHeader,
  type NetworkSelection,
  type ProxyNetwork,
  type ProxyNetworks,
} from './proxy-networks.js';
import { INTERNAL_RANGES, isUndecidedAddress } from './special-purpose-addresses.js';
import type { ClientAddressNote, ClientAddressReason } from './vocabulary.js';

export interface ClientAddress {
  /** Canonical text: dotted decimal, or RFC 5952. `null` if unknown. */
  address: string | null;
  /** Lowercase name of the header that decided. `null` if none did. */
  source: string | null;
  reason: ClientAddressReason;
  /** Note to the site's owner about how far the address can be trusted. */
  note?: ClientAddressNote;
  /** Nearest address of a proxy network, if only proxies are known. Some networks run their own agents. */
  network_address?: string;
}

/**
 * Finds the visitor's address in the headers that the site received (RFC 7239, RFC 9110).
 *
 * Visitors can forge these headers, but proxies append on the right, or overwrite. So lists are read from the right,
 * past trusted proxies only, up to the first other entry. If headers contradict each other, the address is unknown,
 * because one of them must be forged.
 *
 * If the peer of the connection is known, headers only count if it is a trusted proxy. They can't change the address of
 * any other peer.
 *
 * @param headers Headers as returned by {@link normalizeHeaders}.
 * @param proxies Project setting, which must be valid.
 * @param networks Known proxy networks. Trusts those named by the project, or all if it names none.
 * @param peer Address of the connection as seen by the site's server, or `null` if unknown.
 */
export function clientAddress(
  headers: HeaderMap,
  proxies: ProjectProxies,
  networks: ProxyNetworks,
  peer: string | null = null,
): ClientAddress {
  const found = resolved(headers, proxies, networks, peer);
  if (found.reason === 'only_trusted_proxies' || found.reason === 'no_address_header') {
    const nearest = nearestNetworkAddress(headers, found.source, networks, peer);
    return nearest === null ? found : { ...found, network_address: nearest };
  }
  if (found.source !== null && found.address !== null && !isStatedPath(proxies)) found.note = 'unconfirmed_header';
  return found;
}

function nearestNetworkAddress(
  headers: HeaderMap,
  source: string | null,
  networks: ProxyNetworks,
  peer: string | null,
): string | null {
  const connection = peer === null ? null : parseAddress(peer);
  const hops = [connection, ...(source === null ? [] : (hopsOf(headers, source) ?? []))];
  return hops.find((hop) => hop !== null && networks.find(hop) !== null)?.text ?? null;
}

function resolved(
  headers: HeaderMap,
  proxies: ProjectProxies,
  networks: ProxyNetworks,
  peer: string | null,
): ClientAddress {
  const parsed = peer === null ? null : parseAddress(peer);
  if (peer !== null && parsed === null) return unknown('malformed');
  const connection = parsed === null ? null : untranslated(parsed);
  // An internal peer isn't the visitor: a proxy in between hides the visitor's address.
  if (proxies.mode === 'none') {
    return connection === null || INTERNAL_RANGES.contains(connection)
      ? unknown('no_header_believed')
      : chosen(connection, null, 'connection_peer');
  }
  const path = pathOf(proxies, networks);
  // If the number of proxies is configured, the peer is one of them.
  if (connection !== null && proxies.hops === undefined && !path.isProxy(connection)) {
    const reason = hiddenProxy(connection, headers, path, networks);
    return reason === null ? chosen(connection, null, 'connection_peer') : unknown(reason);
  }
  if (proxies.header !== undefined) return fromConfiguredHeader(headers, proxies.header.toLowerCase(), proxies, path);

  const hasOwnEntry = isBehindOwnEntry(connection, headers, path);
  let first: ClientAddress | null = null;
  let listed: readonly Hop[] = [];
  for (const name of LIST_HEADERS) {
    const hops = hopsOf(headers, name);
    if (hops === null) continue;
    const found = fromList(hops, name, proxies, path, hasOwnEntry);
    if (first !== null && found.address !== first.address) {
      if (isVouchedFor(first, connection, headers, path)) continue;
      return unknown('headers_disagree');
    }
    listed = first === null ? hops : [...listed, ...hops];
    first ??= found;
  }
  if (proxies.hops !== undefined) return first ?? unknown('no_address_header');
  if (first === null) return fromSingles(headers, path, connection === null ? null : networks.find(connection));
  if (first.address === null) return first;
  const agreement = isVouchedFor(first, connection, headers, path)
    ? 'agree'
    : agreementOf(headers, first.address, listed, path, networks);
  if (agreement === 'disagree') return unknown('headers_disagree');
  if (agreement === 'agree') return first;
  const doubt = doubtOf(first.address, listed, { headers, path, networks, hasOwnEntry });
  return doubt === null ? first : unknown(doubt, first.source);
}

/** Proxies between a visitor and a site. */
interface Path {
  isProxy(address: Address): boolean;
  networks: NetworkSelection;
  /** Whether the project names its networks, either directly or by their header. */
  isNamed: boolean;
}

const defaultPaths = new WeakMap<ProxyNetworks, Path>();

function pathOf(proxies: ProjectProxies, networks: ProxyNetworks): Path {
  if (proxies.networks !== undefined || proxies.header !== undefined || proxies.ranges !== undefined) {
    return newPath(proxies, networks);
  }
  let path = defaultPaths.get(networks);
  if (path === undefined) defaultPaths.set(networks, (path = newPath({}, networks)));
  return path;
}

function newPath(proxies: ProjectProxies, networks: ProxyNetworks): Path {
  const own = projectRanges(proxies);
  const names = proxies.networks ?? operatorsOf(proxies.header, networks);
  const selection = names === null ? networks.all : networks.named(names);
  return {
    networks: selection,
    isNamed: names !== null,
    isProxy: (address) =>
      INTERNAL_RANGES.contains(address) || selection.contains(address) || (own?.contains(address) ?? false),
  };
}

/** Returns the operator that sets a header. A project that trusts the header thereby names the network. */
function operatorsOf(header: string | undefined, networks: ProxyNetworks): string[] | null {
  const network = header === undefined ? null : networks.withHeader(header.toLowerCase());
  return network === null ? null : [network.operator];
}

function unknown(reason: ClientAddressReason, source: string | null = null): ClientAddress {
  return { address: null, source, reason };
}

function chosen(hop: Hop, source: string | null, reason: ClientAddressReason): ClientAddress {
  if (hop === null) return unknown('malformed', source);
  return isUndecidedAddress(hop) ? unknown('special_purpose_address', source) : { address: hop.text, source, reason };
}

/** Returns why a peer that isn't a trusted proxy may still be a proxy, or `null` if it's the visitor. */
function hiddenProxy(
  peer: Address,
  headers: HeaderMap,
  { networks: selection, isNamed }: Path,
  networks: ProxyNetworks,
): ClientAddressReason | null {
  if (!isNamed) return isMarkedUnlisted(headers, selection) ? 'unlisted_network' : null;
  if (selection.unlisted.length > 0) return 'unlisted_network';
  return networks.find(peer) === null ? null : 'unnamed_network';
}

/** Returns why a list entry that isn't a trusted proxy may still be a proxy, or `null` if it's the visitor. */
function doubtOf(
  address: string,
  listed: readonly Hop[],
  {
    headers,
    path: { networks: selection, isNamed },
    networks,
    hasOwnEntry,
  }: { headers: HeaderMap; path: Path; networks: ProxyNetworks; hasOwnEntry: boolean },
): ClientAddressReason | null {
  const client = listed.find((hop) => hop?.text === address)!;
  if (isNamed && networks.find(client!) !== null) return 'unnamed_network';
  // The leftmost entry can only be the visitor.
  if (listed.at(-1)?.text === address) return null;
  const isSkipped = hasOwnEntry || listed.some((hop) => hop !== null && selection.appendsOwnAddress(hop));
  const isPossible = (network: ProxyNetwork): boolean =>
    !(isSkipped && network.appends_own_address === true) && (isNamed || isMarked(headers, network));
  return selection.unlisted.some(isPossible) ? 'unlisted_network' : null;
}

function fromConfiguredHeader(headers: HeaderMap, name: string, proxies: ProjectProxies, path: Path): ClientAddress {
  const hops = hopsOf(headers, name);
  if (hops === null) return unknown('no_address_header');
  // A single internal address is the visitor's, because the project trusts this header.
  const isList = name === 'forwarded' || name === 'x-forwarded-for' || hops.length > 1;
  return isList ? fromList(hops, name, proxies, path, false) : chosen(hops[0]!, name, 'configured_header');
}

function fromList(hops: Hop[], name: string, proxies: ProjectProxies, path: Path, hasOwnEntry: boolean): ClientAddress {
  if (proxies.hops !== undefined) {
    // The nearest proxy is the site's peer, which isn't in the list.
    const hop = hops[proxiesPassed(hops, { hops: proxies.hops - 1 })];
    return hop === undefined ? unknown('too_few_entries', name) : chosen(hop, name, 'configured_hops');
  }
  const client = clientOf(hops, path, hasOwnEntry);
  const reason = proxies.header === undefined ? 'forwarded_list' : 'configured_header';
  return client === undefined ? unknown('only_trusted_proxies', name) : chosen(client, name, reason);
}

/** Returns whether the first untrusted entry of a list is a load balancer's own address. */
function isBehindOwnEntry(connection: Address | null, headers: HeaderMap, { networks, isNamed }: Path): boolean {
  if (networks.withOwnEntry.length === 0) return false;
  if (connection !== null && !INTERNAL_RANGES.contains(connection)) return networks.appendsOwnAddress(connection);
  return isNamed && networks.withOwnEntry.some((network) => isMarked(headers, network));
}

/**
 * Returns the first entry that is neither a trusted proxy nor a load balancer's own address. Returns `null` for a
 * malformed entry before it, and `undefined` if there is no other entry.
 */
function clientOf(hops: readonly Hop[], { isProxy, networks }: Path, hasOwnEntry: boolean): Hop | undefined {
  let isOwnEntry = hasOwnEntry;
  let isSkipped = false;
  for (const hop of hops) {
    if (hop === null) return null;
    if (isProxy(hop)) isOwnEntry ||= networks.appendsOwnAddress(hop);
    else if (isOwnEntry && !isSkipped) isSkipped = true;
    else return hop;
  }
  return undefined;
}

/**
 * Returns the address in single-address headers, for requests without a list. All of them must be valid and equal: the
 * site's proxy sets one of them, and the visitor may have added another.
 */
function fromSingles(
  headers: HeaderMap,
  { isProxy, networks: selection, isNamed }: Path,
  network: ProxyNetwork | null,
): ClientAddress {
  let found: { address: Address; name: string } | null = null;
  const believed = isNamed ? selection.headers : SINGLE_HEADERS;
  const own = network === null ? null : trustedHeader(network);
  for (const name of own === null || believed.has(own) ? believed : [...believed, own]) {
    if (headers[name] === undefined) continue;
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

/**
 * Returns whether the peer is an edge of a named network whose own header matches X-Forwarded-For. The edge sets both,
 * and is the last proxy before the site. So headers that contradict them were sent by the visitor.
 */
function isVouchedFor(
  { address, source }: ClientAddress,
  connection: Address | null,
  headers: HeaderMap,
  { networks, isNamed }: Path,
): boolean {
  if (!isNamed || connection === null || !networks.contains(connection)) return false;
  if (address === null || source !== 'x-forwarded-for') return false;
  const reported = Array.from(networks.headers).flatMap((name) =>
    PEER_HEADERS.has(name) ? [] : (hopsOf(headers, name) ?? []),
  );
  return reported.length > 0 && reported.every((hop) => hop?.text === address);
}

/**
 * Compares single-address headers with the address from the lists. `agree`: a network's header contains the same
 * address. `disagree`: a header contradicts it. Malformed headers are ignored.
 */
function agreementOf(
  headers: HeaderMap,
  address: string,
  listed: readonly Hop[],
  path: Path,
  networks: ProxyNetworks,
): 'agree' | 'disagree' | 'silent' {
  let agreement: 'agree' | 'silent' = 'silent';
  // A request has fewer headers than the networks can set.
  for (const name of Object.keys(headers)) {
    if (!path.networks.headers.has(name)) continue;
    const hops = hopsOf(headers, name);
    if (hops === null) continue;
    for (const hop of hops) {
      if (hop === null) continue;
      if (hop.text !== address) {
        if (!isPassedProxy(hop, name, listed, path, networks)) return 'disagree';
      } else if (!PEER_HEADERS.has(name)) agreement = 'agree';
    }
  }
  return agreement;
}

/**
 * Returns whether an address in a single-address header is a proxy that the request passed, rather than a
 * contradiction.
 *
 * A proxy may report the previous proxy as its peer. A public peer is accepted. An internal one must also be an entry
 * of a list. Otherwise, no proxy appended to the list, so the visitor may have written it.
 *
 * A network's own header may only contain an edge of another named network, which must also be an entry of a list. The
 * network's own edges are only reported if one of its customers sends requests from there.
 */
function isPassedProxy(
  peer: Address,
  header: string,
  listed: readonly Hop[],
  { isProxy, isNamed }: Path,
  networks: ProxyNetworks,
): boolean {
  if (!isProxy(peer)) return false;
  if (!PEER_HEADERS.has(header)) {
    const network = networks.find(peer);
    if (!isNamed || network === null || network.client_address_header === header) return false;
  } else if (!INTERNAL_RANGES.contains(peer)) return true;
  return listed.some((hop) => hop?.text === peer.text);
}
