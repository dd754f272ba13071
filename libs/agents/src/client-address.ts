import { parseAddress, type Address } from './address.js';
import {
  parseHops,
  LIST_HEADERS,
  PEER_HEADERS,
  SINGLE_HEADERS,
  extractNat64Address,
  type Hop,
} from './forwarding-headers.js';
import type { HeaderMap } from './headers.js';
import { hasConfiguredPath, getProjectRanges, type ProjectProxies } from './project-proxies.js';
import { countTrustedProxies } from './proxy-chain.js';
import {
  hasNetworkMark,
  hasUnlistedNetworkMark,
  getTrustedHeader,
  type NetworkSelection,
  type ProxyNetwork,
  type ProxyNetworks,
} from './proxy-networks.js';
import { INTERNAL_RANGES, isUndecidedAddress } from './special-purpose-addresses.js';
import type { ClientAddressNote, ClientAddressReason } from './vocabulary.js';

export interface ClientAddress {
  /** Canonical text (dotted decimal or RFC 5952), or `null` if unknown. */
  address: string | null;
  /** Lowercase name of the header that determined the result, or `null` if it wasn't a header. */
  source: string | null;
  reason: ClientAddressReason;
  /** Caveat for the site's owner about how reliable the address is. */
  note?: ClientAddressNote;
  /**
   * Nearest address in a proxy network, if the visitor's address is unknown. Some networks run agents from their own
   * addresses.
   */
  network_address?: string;
}

/**
 * Determines the visitor's address from the headers that the site received (RFC 7239, RFC 9110).
 *
 * Visitors can forge these headers, but proxies overwrite them or append to the right. So lists are read from the right,
 * and the first entry that isn't a trusted proxy is the visitor. If headers contradict each other, the address is
 * unknown, because one of them must be forged.
 *
 * If the connection's peer is known, headers are only used if it is a trusted proxy. Any other peer is the visitor.
 *
 * @param headers Headers as returned by {@link normalizeHeaders}.
 * @param proxies Valid proxy settings of the project.
 * @param networks Known proxy networks. All of them are trusted unless the project lists its own.
 * @param peer Peer address of the connection to the site's server, or `null` if unknown.
 */
export function resolveClientAddress(
  headers: HeaderMap,
  proxies: ProjectProxies,
  networks: ProxyNetworks,
  peer: string | null = null,
): ClientAddress {
  const found = resolveVisitor(headers, proxies, networks, peer);
  if (found.reason === 'only_trusted_proxies' || found.reason === 'no_address_header') {
    const nearest = findNearestNetworkAddress(headers, found.source, networks, peer);
    return nearest === null ? found : { ...found, network_address: nearest };
  }
  if (found.source !== null && found.address !== null && !hasConfiguredPath(proxies)) found.note = 'unconfirmed_header';
  return found;
}

function findNearestNetworkAddress(
  headers: HeaderMap,
  source: string | null,
  networks: ProxyNetworks,
  peer: string | null,
): string | null {
  const connection = peer === null ? null : parseAddress(peer);
  const hops = [connection, ...(source === null ? [] : (parseHops(headers, source) ?? []))];
  return hops.find((hop) => hop !== null && networks.find(hop) !== null)?.text ?? null;
}

function resolveVisitor(
  headers: HeaderMap,
  proxies: ProjectProxies,
  networks: ProxyNetworks,
  peer: string | null,
): ClientAddress {
  const parsed = peer === null ? null : parseAddress(peer);
  if (peer !== null && parsed === null) return toUnknownAddress('malformed');
  const connection = parsed === null ? null : extractNat64Address(parsed);
  // Visitors connect to the site directly, so the peer is the visitor. If its address is internal, an unknown proxy
  // hides the visitor's address.
  if (proxies.mode === 'none') {
    return connection === null || INTERNAL_RANGES.contains(connection)
      ? toUnknownAddress('no_header_believed')
      : toClientAddress(connection, null, 'connection_peer');
  }
  const path = getProxyPath(proxies, networks);
  // Unless the peer is a proxy, it is the visitor. If the project configures the number of hops, the peer is known to
  // be one of these proxies.
  if (connection !== null && proxies.hops === undefined && !path.isProxy(connection)) {
    const reason = findPeerDoubt(connection, headers, path, networks);
    return reason === null ? toClientAddress(connection, null, 'connection_peer') : toUnknownAddress(reason);
  }
  if (proxies.header !== undefined) return fromConfiguredHeader(headers, proxies.header.toLowerCase(), proxies, path);

  const hasOwnEntry = isBehindOwnEntry(connection, headers, path);
  let firstResult: ClientAddress | null = null;
  let listedHops: readonly Hop[] = [];
  for (const name of LIST_HEADERS) {
    const hops = parseHops(headers, name);
    if (hops === null) continue;
    const found = fromList(hops, name, proxies, path, hasOwnEntry);
    if (firstResult !== null && found.address !== firstResult.address) {
      if (isConfirmedByEdge(firstResult, connection, headers, path)) continue;
      return toUnknownAddress('headers_disagree');
    }
    listedHops = firstResult === null ? hops : [...listedHops, ...hops];
    firstResult ??= found;
  }
  if (proxies.hops !== undefined) return firstResult ?? toUnknownAddress('no_address_header');
  if (firstResult === null)
    return fromSingleHeaders(headers, path, connection === null ? null : networks.find(connection));
  if (firstResult.address === null) return firstResult;
  const agreement = isConfirmedByEdge(firstResult, connection, headers, path)
    ? 'agree'
    : checkAgreement(headers, firstResult.address, listedHops, path, networks);
  if (agreement === 'disagree') return toUnknownAddress('headers_disagree');
  if (agreement === 'agree') return firstResult;
  const doubtReason = findEntryDoubt(firstResult.address, listedHops, { headers, path, networks, hasOwnEntry });
  return doubtReason === null ? firstResult : toUnknownAddress(doubtReason, firstResult.source);
}

/** Trusted proxies between visitors and the site. */
interface ProxyPath {
  isProxy(address: Address): boolean;
  networks: NetworkSelection;
  /** Whether the project configures its proxy networks, either by name or by their header. */
  isNamed: boolean;
}

const defaultPaths = new WeakMap<ProxyNetworks, ProxyPath>();

function getProxyPath(proxies: ProjectProxies, networks: ProxyNetworks): ProxyPath {
  if (proxies.networks !== undefined || proxies.header !== undefined || proxies.ranges !== undefined) {
    return createProxyPath(proxies, networks);
  }
  let path = defaultPaths.get(networks);
  if (path === undefined) defaultPaths.set(networks, (path = createProxyPath({}, networks)));
  return path;
}

function createProxyPath(proxies: ProjectProxies, networks: ProxyNetworks): ProxyPath {
  const own = getProjectRanges(proxies);
  const names = proxies.networks ?? findOperators(proxies.header, networks);
  const selection = names === null ? networks.all : networks.selectOperators(names);
  return {
    networks: selection,
    isNamed: names !== null,
    isProxy: (address) =>
      INTERNAL_RANGES.contains(address) || selection.contains(address) || (own?.contains(address) ?? false),
  };
}

/** Returns the operator of the network that sets a header. A project that trusts the header also trusts the network. */
function findOperators(header: string | undefined, networks: ProxyNetworks): string[] | null {
  const network = header === undefined ? null : networks.findByHeader(header.toLowerCase());
  return network === null ? null : [network.operator];
}

function toUnknownAddress(reason: ClientAddressReason, source: string | null = null): ClientAddress {
  return { address: null, source, reason };
}

function toClientAddress(hop: Hop, source: string | null, reason: ClientAddressReason): ClientAddress {
  if (hop === null) return toUnknownAddress('malformed', source);
  return isUndecidedAddress(hop)
    ? toUnknownAddress('special_purpose_address', source)
    : { address: hop.text, source, reason };
}

/** Returns the reason why an untrusted peer could still be a proxy, or `null` if it must be the visitor. */
function findPeerDoubt(
  peer: Address,
  headers: HeaderMap,
  { networks: selection, isNamed }: ProxyPath,
  networks: ProxyNetworks,
): ClientAddressReason | null {
  if (!isNamed) return hasUnlistedNetworkMark(headers, selection) ? 'unlisted_network' : null;
  if (selection.unlisted.length > 0) return 'unlisted_network';
  return networks.find(peer) === null ? null : 'unnamed_network';
}

/** Returns the reason why an untrusted list entry could still be a proxy, or `null` if it must be the visitor. */
function findEntryDoubt(
  address: string,
  listedHops: readonly Hop[],
  {
    headers,
    path: { networks: selection, isNamed },
    networks,
    hasOwnEntry,
  }: { headers: HeaderMap; path: ProxyPath; networks: ProxyNetworks; hasOwnEntry: boolean },
): ClientAddressReason | null {
  const client = listedHops.find((hop) => hop?.text === address)!;
  if (isNamed && networks.find(client!) !== null) return 'unnamed_network';
  // There are no proxies before the leftmost entry, so it can only be the visitor.
  if (listedHops.at(-1)?.text === address) return null;
  const isSkipped = hasOwnEntry || listedHops.some((hop) => hop !== null && selection.appendsOwnAddress(hop));
  const isPossible = (network: ProxyNetwork): boolean =>
    !(isSkipped && network.appends_own_address === true) && (isNamed || hasNetworkMark(headers, network));
  return selection.unlisted.some(isPossible) ? 'unlisted_network' : null;
}

function fromConfiguredHeader(
  headers: HeaderMap,
  name: string,
  proxies: ProjectProxies,
  path: ProxyPath,
): ClientAddress {
  const hops = parseHops(headers, name);
  if (hops === null) return toUnknownAddress('no_address_header');
  // The project trusts this header, so an address in it counts as the visitor's even if it is internal.
  const isList = name === 'forwarded' || name === 'x-forwarded-for' || hops.length > 1;
  return isList ? fromList(hops, name, proxies, path, false) : toClientAddress(hops[0]!, name, 'configured_header');
}

function fromList(
  hops: Hop[],
  name: string,
  proxies: ProjectProxies,
  path: ProxyPath,
  hasOwnEntry: boolean,
): ClientAddress {
  if (proxies.hops !== undefined) {
    // The nearest proxy is the connection's peer, which isn't in the list.
    const hop = hops[countTrustedProxies(hops, { hops: proxies.hops - 1 })];
    return hop === undefined
      ? toUnknownAddress('too_few_entries', name)
      : toClientAddress(hop, name, 'configured_hops');
  }
  const client = findClient(hops, path, hasOwnEntry);
  const reason = proxies.header === undefined ? 'forwarded_list' : 'configured_header';
  return client === undefined ? toUnknownAddress('only_trusted_proxies', name) : toClientAddress(client, name, reason);
}

/**
 * Returns true if the load balancer in front of the site appends its own address to the list, so the first untrusted
 * entry is the load balancer's.
 */
function isBehindOwnEntry(connection: Address | null, headers: HeaderMap, { networks, isNamed }: ProxyPath): boolean {
  if (networks.selfAppending.length === 0) return false;
  if (connection !== null && !INTERNAL_RANGES.contains(connection)) return networks.appendsOwnAddress(connection);
  return isNamed && networks.selfAppending.some((network) => hasNetworkMark(headers, network));
}

/**
 * Returns the first entry that is neither a trusted proxy nor a load balancer's own address. Returns `null` if a
 * malformed entry comes first, and `undefined` if no entry qualifies.
 */
function findClient(hops: readonly Hop[], { isProxy, networks }: ProxyPath, hasOwnEntry: boolean): Hop | undefined {
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
 * Returns the address from single-address headers, for requests without a list. All of them must be valid and equal,
 * because the site's proxy sets only one of them and the visitor may have added the others.
 */
function fromSingleHeaders(
  headers: HeaderMap,
  { isProxy, networks: selection, isNamed }: ProxyPath,
  network: ProxyNetwork | null,
): ClientAddress {
  let found: { address: Address; name: string } | null = null;
  const trustedHeaders = isNamed ? selection.headers : SINGLE_HEADERS;
  const own = network === null ? null : getTrustedHeader(network);
  for (const name of own === null || trustedHeaders.has(own) ? trustedHeaders : [...trustedHeaders, own]) {
    if (headers[name] === undefined) continue;
    for (const hop of parseHops(headers, name) ?? []) {
      if (hop === null) return toUnknownAddress('malformed', name);
      if (found !== null && found.address.text !== hop.text) return toUnknownAddress('headers_disagree');
      found ??= { address: hop, name };
    }
  }
  if (found === null) return toUnknownAddress('no_address_header');
  return isProxy(found.address)
    ? toUnknownAddress('only_trusted_proxies', found.name)
    : toClientAddress(found.address, found.name, 'single_header');
}

/**
 * Returns true if the peer is an edge of a configured network whose own header matches X-Forwarded-For. The edge is the
 * last proxy before the site and sets both headers, so the visitor must have sent any header that contradicts them.
 */
function isConfirmedByEdge(
  { address, source }: ClientAddress,
  connection: Address | null,
  headers: HeaderMap,
  { networks, isNamed }: ProxyPath,
): boolean {
  if (!isNamed || connection === null || !networks.contains(connection)) return false;
  if (address === null || source !== 'x-forwarded-for') return false;
  const reportedHops = Array.from(networks.headers).flatMap((name) =>
    PEER_HEADERS.has(name) ? [] : (parseHops(headers, name) ?? []),
  );
  return reportedHops.length > 0 && reportedHops.every((hop) => hop?.text === address);
}

/**
 * Compares single-address headers with the address from the lists. Returns `agree` if a network's header contains the
 * same address, and `disagree` if any header contradicts it. Malformed headers are ignored.
 */
function checkAgreement(
  headers: HeaderMap,
  address: string,
  listedHops: readonly Hop[],
  path: ProxyPath,
  networks: ProxyNetworks,
): 'agree' | 'disagree' | 'silent' {
  let agreement: 'agree' | 'silent' = 'silent';
  // Iterates over the headers, because requests have fewer headers than all networks together can set.
  for (const name of Object.keys(headers)) {
    if (!path.networks.headers.has(name)) continue;
    const hops = parseHops(headers, name);
    if (hops === null) continue;
    for (const hop of hops) {
      if (hop === null) continue;
      if (hop.text !== address) {
        if (!isPassedProxy(hop, name, listedHops, path, networks)) return 'disagree';
      } else if (!PEER_HEADERS.has(name)) agreement = 'agree';
    }
  }
  return agreement;
}

/**
 * Returns true if an address in a single-address header is a proxy that the request passed through, so it doesn't
 * contradict the lists.
 *
 * A proxy may report the previous proxy as its peer. Public peers are accepted. An internal peer must also be in a list:
 * if it isn't, no proxy appended to the list and the visitor could have forged it.
 *
 * A network's own header may only contain an edge of another configured network, and that edge must also be in a list.
 * A network only reports its own edge if one of its customers sends requests from there.
 */
function isPassedProxy(
  peer: Address,
  header: string,
  listedHops: readonly Hop[],
  { isProxy, isNamed }: ProxyPath,
  networks: ProxyNetworks,
): boolean {
  if (!isProxy(peer)) return false;
  if (!PEER_HEADERS.has(header)) {
    const network = networks.find(peer);
    if (!isNamed || network === null || network.client_address_header === header) return false;
  } else if (!INTERNAL_RANGES.contains(peer)) return true;
  return listedHops.some((hop) => hop?.text === peer.text);
}
