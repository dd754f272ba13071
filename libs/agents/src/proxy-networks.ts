import { LRUCache } from 'lru-cache';
import { compileAddressIndex } from './address-index.js';
import type { Address } from './address.js';
import { PEER_HEADERS, SINGLE_HEADERS } from './forwarding-headers.js';
import type { HeaderMap } from './headers.js';

export interface ProxyNetwork {
  operator: string;
  ranges: readonly string[];
  /** Whether the edges also use addresses outside of `ranges`. */
  has_other_ranges?: boolean;
  /** Whether the network connects to sites only from internal addresses, as hosting platforms do. */
  has_internal_peers?: boolean;
  /** Lowercase name of the header that the edges set to the visitor's address. Null if they only append to a list. */
  client_address_header: string | null;
  /** Whether visitors can set that header themselves, in which case it can't be trusted. */
  visitors_set_header?: boolean;
  /** Lowercase headers that the edges add to requests: `name`, or `name: text` if the value must contain the text. */
  marks?: readonly string[];
  /** Whether the network appends its own address to `X-Forwarded-For`, after the visitor's address. */
  appends_own_address?: boolean;
}

export interface NetworkSelection {
  contains(address: Address): boolean;
  /** Returns true for an edge that appends its own address to `X-Forwarded-For`. */
  appendsOwnAddress(address: Address): boolean;
  /** Single-address headers that the networks' edges or the site's own proxies set. */
  headers: ReadonlySet<string>;
  /** Networks whose edges can't all be recognized by address. */
  unlisted: readonly ProxyNetwork[];
  /** Names of the headers that the edges of `unlisted` networks add. */
  unlistedMarks: ReadonlySet<string>;
  /** Networks that append their own address to `X-Forwarded-For`. */
  selfAppending: readonly ProxyNetwork[];
}

export interface ProxyNetworks {
  known: readonly ProxyNetwork[];
  /** Selection of all known networks. Used for projects that don't configure any. */
  all: NetworkSelection;
  /** Selects the networks of the given operators, ignoring case. Unknown operators are skipped. */
  selectOperators(operators: readonly string[]): NetworkSelection;
  /** Returns the network that sets a header, or null if no network does or visitors can set it themselves. */
  findByHeader(name: string): ProxyNetwork | null;
  find(address: Address): ProxyNetwork | null;
}

const isUnlisted = ({
  ranges,
  has_other_ranges: hasOtherRanges,
  has_internal_peers: isInternal,
}: ProxyNetwork): boolean => isInternal !== true && (ranges.length === 0 || hasOtherRanges === true);

/** Returns the header that contains the visitor's address, or null if none exists or visitors can set it themselves. */
export const getTrustedHeader = ({
  client_address_header: header,
  visitors_set_header: canVisitorsSet,
}: ProxyNetwork): string | null => (canVisitorsSet === true ? null : header);

const MAX_SELECTIONS = 1_000;

/**
 * Compiles proxy networks for fast lookups.
 *
 * @throws {RangeError} if a block is invalid. The message contains the first invalid block.
 */
export function compileProxyNetworks(networks: readonly ProxyNetwork[]): ProxyNetworks {
  const index = compileAddressIndex(networks.map((network) => ({ list: network, ranges: network.ranges })));
  const find = (address: Address): ProxyNetwork | null => index.find(address)?.list ?? null;
  const selections = new LRUCache<string, NetworkSelection>({ max: MAX_SELECTIONS });
  return {
    known: networks,
    find,
    findByHeader: (name) => networks.find((network) => getTrustedHeader(network) === name) ?? null,
    all: {
      ...createSelection(networks, find),
      contains: (address) => index.contains(address),
      headers: new Set([...SINGLE_HEADERS, ...listTrustedHeaders(networks)]),
    },
    selectOperators(operators) {
      const key = operators.join('\n').toLowerCase();
      let selection = selections.get(key);
      if (selection === undefined) {
        const names = new Set(key.split('\n'));
        const selected = networks.filter(({ operator }) => names.has(operator.toLowerCase()));
        selection = createSelection(selected, find);
        selections.set(key, selection);
      }
      return selection;
    },
  };
}

function createSelection(
  networks: readonly ProxyNetwork[],
  find: (address: Address) => ProxyNetwork | null,
): NetworkSelection {
  const members = new Set(networks);
  const selfAppendingNetworks = networks.filter(({ appends_own_address: appends }) => appends === true);
  return {
    contains: (address) => members.has(find(address)!),
    appendsOwnAddress: (address) => selfAppendingNetworks.length > 0 && selfAppendingNetworks.includes(find(address)!),
    headers: new Set([...PEER_HEADERS, ...listTrustedHeaders(networks)]),
    unlisted: networks.filter(isUnlisted),
    unlistedMarks: new Set(
      networks
        .filter(isUnlisted)
        .flatMap(getMarks)
        .map(({ name }) => name),
    ),
    selfAppending: selfAppendingNetworks,
  };
}

const listTrustedHeaders = (networks: readonly ProxyNetwork[]): string[] =>
  networks.flatMap((network) => getTrustedHeader(network) ?? []);

interface Mark {
  name: string;
  /** Lowercase text that the value must contain. Null matches any value. */
  text: string | null;
}

const compiledMarks = new WeakMap<ProxyNetwork, readonly Mark[]>();

function getMarks(network: ProxyNetwork): readonly Mark[] {
  const cachedMarks = compiledMarks.get(network);
  if (cachedMarks !== undefined) return cachedMarks;
  const { client_address_header: header, marks = [] } = network;
  const compiled = [...(header === null ? [] : [header]), ...marks].map((mark) => {
    const [name = '', text = null] = mark.split(': ', 2);
    return { name, text };
  });
  compiledMarks.set(network, compiled);
  return compiled;
}

/** Returns true if a request may have come through a network whose edges can't all be recognized by address. */
export function hasUnlistedNetworkMark(
  headers: HeaderMap,
  { unlisted, unlistedMarks: names }: NetworkSelection,
): boolean {
  for (const name of Object.keys(headers)) {
    if (names.has(name)) return unlisted.some((network) => hasNetworkMark(headers, network));
  }
  return false;
}

/** Returns true if a request contains a header that the network's edges add. Visitors can forge such headers. */
export function hasNetworkMark(headers: HeaderMap, network: ProxyNetwork): boolean {
  for (const { name, text } of getMarks(network)) {
    const value = headers[name];
    if (value !== undefined && (text === null || value.toLowerCase().includes(text))) return true;
  }
  return false;
}
