import { parseAddress, type Address } from './address.js';
import { parseHops, LIST_HEADERS, PEER_HEADERS } from './forwarding-headers.js';
import type { HeaderMap } from './headers.js';
import type { ProjectProxies } from './project-proxies.js';
import { hasNetworkMark, type ProxyNetworks } from './proxy-networks.js';
import { INTERNAL_RANGES } from './special-purpose-addresses.js';

/** Request received by a site. `peer` is `null` if the site doesn't report it. */
interface ReceivedRequest {
  headers: HeaderMap;
  peer: string | null;
}

export interface DetectedPath {
  proxies: ProjectProxies;
  /** Number of requests that agree on this path. */
  requests: number;
}

/** Minimum number of requests. Fewer could all come from a single visitor. */
const MIN_REQUESTS = 5;
/** Minimum share of requests that must agree. Some visitors forge headers, so not all requests do. */
const MIN_SHARE = 0.8;
/**
 * Maximum number of peers to accept as the site's own proxies. If there are more, they must be visitors or an unknown
 * network.
 */
const MAX_OWN_PROXIES = 3;

/**
 * Path that a request took: `direct`, or the operators of the networks it passed through. Empty if it only passed
 * through the site's own proxies.
 */
type RequestPath = 'direct' | readonly string[];

/**
 * Detects the path that nearly all requests take to the site. Returns `null` if there are too few requests, or if they
 * disagree.
 */
export function detectPath(requests: readonly ReceivedRequest[], networks: ProxyNetworks): DetectedPath | null {
  const requestsByPath = new Map<string, ReceivedRequest[]>();
  for (const request of requests) {
    const requestPath = toRequestPath(request, networks);
    if (requestPath === null) continue;
    const key = JSON.stringify(requestPath);
    const pathRequests = requestsByPath.get(key);
    if (pathRequests === undefined) requestsByPath.set(key, [request]);
    else pathRequests.push(request);
  }
  const total = [...requestsByPath.values()].reduce((sum, { length }) => sum + length, 0);
  for (const [key, pathRequests] of requestsByPath) {
    if (pathRequests.length < MIN_REQUESTS || pathRequests.length < total * MIN_SHARE) continue;
    const requestPath = JSON.parse(key) as RequestPath;
    const proxies = requestPath === 'direct' ? detectDirectPath(pathRequests) : { networks: [...requestPath] };
    return proxies && { proxies, requests: pathRequests.length };
  }
  return null;
}

/** Returns the path that a request took, or `null` if the request doesn't reveal it. */
function toRequestPath({ headers, peer }: ReceivedRequest, networks: ProxyNetworks): RequestPath | null {
  const connection = peer === null ? null : parseAddress(peer);
  const listedHops = LIST_HEADERS.flatMap((name) => parseHops(headers, name) ?? []);
  const isPublic = connection !== null && !INTERNAL_RANGES.contains(connection);
  if (isPublic && networks.find(connection) === null) {
    return networks.all.unlisted.some((network) => hasNetworkMark(headers, network)) ? null : 'direct';
  }
  const passedOperators = findPassedNetworks(isPublic ? [connection, ...listedHops] : listedHops, networks);
  // Hosting platforms forward requests from internal addresses, but add their own header.
  const operators = passedOperators.size > 0 ? passedOperators : new Set(findMarkedOperators(headers, networks));
  if (operators.size > 0) return [...operators].toSorted();
  return listedHops.length > 0 || [...PEER_HEADERS].some((name) => headers[name] !== undefined) ? [] : null;
}

function findPassedNetworks(hops: readonly (Address | null)[], networks: ProxyNetworks): Set<string> {
  const operators = new Set<string>();
  for (const hop of hops) {
    if (hop === null) break;
    const network = networks.find(hop);
    if (network !== null) operators.add(network.operator);
    else if (!INTERNAL_RANGES.contains(hop)) break;
  }
  return operators;
}

const findMarkedOperators = (headers: HeaderMap, networks: ProxyNetworks): string[] =>
  networks.known.filter((network) => hasNetworkMark(headers, network)).map(({ operator }) => operator);

/**
 * Returns the proxy settings for requests from public peers outside of known networks. The site has no proxy unless
 * nearly all requests were forwarded. If they were, a few distinct peers must be the site's own proxies. With more
 * peers, the path is unknown, and the result is `null`.
 */
function detectDirectPath(requests: readonly ReceivedRequest[]): ProjectProxies | null {
  const peers = [...new Set(requests.map(({ peer }) => peer!))];
  const forwardedRequests = requests.filter(({ headers }) => LIST_HEADERS.some((name) => headers[name] !== undefined));
  if (forwardedRequests.length < requests.length * MIN_SHARE) return { mode: 'none' };
  return peers.length > MAX_OWN_PROXIES ? null : { networks: [], ranges: peers.toSorted() };
}
