import { parseAddress, type Address } from './address.js';
import { hopsOf, LIST_HEADERS, PEER_HEADERS } from './forwarding-headers.js';
import type { HeaderMap } from './headers.js';
import type { ProjectProxies } from './project-proxies.js';
import { isMarked, type ProxyNetworks } from './proxy-networks.js';
import { INTERNAL_RANGES } from './special-purpose-addresses.js';

/** Request as received by a site, and the peer of its connection if the site reported it. */
interface ReceivedRequest {
  headers: HeaderMap;
  peer: string | null;
}

export interface DetectedPath {
  proxies: ProjectProxies;
  /** Number of requests that took this path. */
  requests: number;
}

/** Fewer requests could all be from one visitor. */
const MIN_REQUESTS = 5;
/** Visitors can forge headers, so nearly all requests must agree. */
const MIN_SHARE = 0.8;
/** A site has few proxies but many visitors. */
const MAX_OWN_PROXIES = 3;

/** Path of one request: direct, or the operators of the networks it passed. Empty for the site's own proxies only. */
type Way = 'direct' | readonly string[];

/**
 * Returns the path that nearly all requests took. Returns `null` if there are too few requests, or if they disagree.
 */
export function detectedPath(requests: readonly ReceivedRequest[], networks: ProxyNetworks): DetectedPath | null {
  const ways = new Map<string, ReceivedRequest[]>();
  for (const request of requests) {
    const way = wayOf(request, networks);
    if (way === null) continue;
    const key = JSON.stringify(way);
    const same = ways.get(key);
    if (same === undefined) ways.set(key, [request]);
    else same.push(request);
  }
  const total = [...ways.values()].reduce((sum, { length }) => sum + length, 0);
  for (const [key, same] of ways) {
    if (same.length < MIN_REQUESTS || same.length < total * MIN_SHARE) continue;
    const way = JSON.parse(key) as Way;
    const proxies = way === 'direct' ? directPath(same) : { networks: [...way] };
    return proxies && { proxies, requests: same.length };
  }
  return null;
}

/** Returns the networks between a visitor and the site, or `null` if the request doesn't reveal them. */
function wayOf({ headers, peer }: ReceivedRequest, networks: ProxyNetworks): Way | null {
  const connection = peer === null ? null : parseAddress(peer);
  const listed = LIST_HEADERS.flatMap((name) => hopsOf(headers, name) ?? []);
  const isPublic = connection !== null && !INTERNAL_RANGES.contains(connection);
  if (isPublic && networks.find(connection) === null) {
    return networks.all.unlisted.some((network) => isMarked(headers, network)) ? null : 'direct';
  }
  const passed = passedNetworks(isPublic ? [connection, ...listed] : listed, networks);
  // Hosting platforms forward requests from internal addresses, but add their own header.
  const operators = passed.size > 0 ? passed : new Set(markedOperators(headers, networks));
  if (operators.size > 0) return [...operators].toSorted();
  return listed.length > 0 || [...PEER_HEADERS].some((name) => headers[name] !== undefined) ? [] : null;
}

function passedNetworks(hops: readonly (Address | null)[], networks: ProxyNetworks): Set<string> {
  const operators = new Set<string>();
  for (const hop of hops) {
    if (hop === null) break;
    const network = networks.find(hop);
    if (network !== null) operators.add(network.operator);
    else if (!INTERNAL_RANGES.contains(hop)) break;
  }
  return operators;
}

const markedOperators = (headers: HeaderMap, networks: ProxyNetworks): string[] =>
  networks.known.filter((network) => isMarked(headers, network)).map(({ operator }) => operator);

/**
 * Returns the proxy setting for requests from public peers outside of known networks. If nearly all requests were
 * forwarded, a few peers are the site's own proxies, while many leave the path unknown (`null`). Otherwise, the site
 * has no proxy.
 */
function directPath(requests: readonly ReceivedRequest[]): ProjectProxies | null {
  const peers = [...new Set(requests.map(({ peer }) => peer!))];
  const forwarding = requests.filter(({ headers }) => LIST_HEADERS.some((name) => headers[name] !== undefined));
  if (forwarding.length < requests.length * MIN_SHARE) return { mode: 'none' };
  return peers.length > MAX_OWN_PROXIES ? null : { networks: [], ranges: peers.toSorted() };
}
