import { LRUCache } from 'lru-cache';
import { compileAddressIndex } from './address-index.js';
import type { Address } from './address.js';
import { PEER_HEADERS, SINGLE_HEADERS } from './forwarding-headers.js';
import type { HeaderMap } from './headers.js';

/** A content delivery network, load balancer or hosting platform that passes visitors on to sites. */
export interface ProxyNetwork {
  operator: string;
  /** CIDR blocks of its edges; empty if none are known. */
  ranges: readonly string[];
  /** Whether its edges also have other addresses. */
  has_other_ranges?: boolean;
  /** Whether it reaches its sites only from internal addresses, as hosting platforms do. */
  has_internal_peers?: boolean;
  /** Header in which its edges report the visitor's address, in lower case; null if they only append to a list. */
  client_address_header: string | null;
  /** Whether visitors can set that header themselves, so that it proves nothing. */
  visitors_set_header?: boolean;
  /** Headers that its edges add to requests: a name in lower case, or `name: text` for a part of the value. */
  marks?: readonly string[];
  /** Whether it appends its own address to `X-Forwarded-For`, after its visitor's. */
  appends_own_address?: boolean;
}

/** The proxy networks that may be in front of a site. */
export interface NetworkSelection {
  /** Whether an address belongs to an edge of these networks. */
  contains(address: Address): boolean;
  /** Whether an address belongs to an edge that appends its own address to `X-Forwarded-For`. */
  appendsOwnAddress(address: Address): boolean;
  /** Single-address headers that their edges, or proxies of the site itself, set. */
  headers: ReadonlySet<string>;
  /** Networks of which not every edge is known by its address. */
  unlisted: readonly ProxyNetwork[];
  /** Names of headers by which these can be told. */
  unlistedMarks: ReadonlySet<string>;
  /** Networks that append their own address to `X-Forwarded-For`. */
  withOwnEntry: readonly ProxyNetwork[];
}

export interface ProxyNetworks {
  known: readonly ProxyNetwork[];
  /** Every known network: what a project that doesn't name any is judged by. */
  all: NetworkSelection;
  /** The networks with these operators, ignoring case. Unknown ones are passed over. */
  named(operators: readonly string[]): NetworkSelection;
  /** The network that sets a header; null if none is known, or if visitors can set it themselves. */
  withHeader(name: string): ProxyNetwork | null;
  /** The network of an edge, by its address. */
  find(address: Address): ProxyNetwork | null;
}

const isUnlisted = ({ ranges, has_other_ranges: others, has_internal_peers: isInternal }: ProxyNetwork): boolean =>
  isInternal !== true && (ranges.length === 0 || others === true);

/** The header in which only a network's edges can report the visitor's address. */
export const trustedHeader = ({
  client_address_header: header,
  visitors_set_header: isOpen,
}: ProxyNetwork): string | null => (isOpen === true ? null : header);

/** Projects name few combinations. */
const MAX_SELECTIONS = 1_000;

/**
 * Compiles proxy networks for looking up.
 * @throws {RangeError} naming the first block that can't be read.
 */
export function compileProxyNetworks(networks: readonly ProxyNetwork[]): ProxyNetworks {
  const index = compileAddressIndex(networks.map((network) => ({ list: network, ranges: network.ranges })));
  const find = (address: Address): ProxyNetwork | null => index.find(address)?.list ?? null;
  const selections = new LRUCache<string, NetworkSelection>({ max: MAX_SELECTIONS });
  return {
    known: networks,
    find,
    withHeader: (name) => networks.find((network) => trustedHeader(network) === name) ?? null,
    all: {
      ...selectionOf(networks, find),
      contains: (address) => index.contains(address),
      headers: new Set([...SINGLE_HEADERS, ...headersOf(networks)]),
    },
    named(operators) {
      const key = operators.join('\n').toLowerCase();
      let selection = selections.get(key);
      if (selection === undefined) {
        const names = new Set(key.split('\n'));
        const selected = networks.filter(({ operator }) => names.has(operator.toLowerCase()));
        selection = selectionOf(selected, find);
        selections.set(key, selection);
      }
      return selection;
    },
  };
}

function selectionOf(
  networks: readonly ProxyNetwork[],
  find: (address: Address) => ProxyNetwork | null,
): NetworkSelection {
  const members = new Set(networks);
  const withOwnEntry = networks.filter(({ appends_own_address: appends }) => appends === true);
  return {
    contains: (address) => members.has(find(address)!),
    appendsOwnAddress: (address) => withOwnEntry.length > 0 && withOwnEntry.includes(find(address)!),
    headers: new Set([...PEER_HEADERS, ...headersOf(networks)]),
    unlisted: networks.filter(isUnlisted),
    unlistedMarks: new Set(
      networks
        .filter(isUnlisted)
        .flatMap(marksOf)
        .map(({ name }) => name),
    ),
    withOwnEntry,
  };
}

const headersOf = (networks: readonly ProxyNetwork[]): string[] =>
  networks.flatMap((network) => trustedHeader(network) ?? []);

interface Mark {
  name: string;
  /** Part of the value, in lower case; `null` for any. */
  text: string | null;
}

const compiledMarks = new WeakMap<ProxyNetwork, readonly Mark[]>();

function marksOf(network: ProxyNetwork): readonly Mark[] {
  const known = compiledMarks.get(network);
  if (known !== undefined) return known;
  const { client_address_header: header, marks = [] } = network;
  const compiled = [...(header === null ? [] : [header]), ...marks].map((mark) => {
    const [name = '', text = null] = mark.split(': ', 2);
    return { name, text };
  });
  compiledMarks.set(network, compiled);
  return compiled;
}

/** Returns whether a request may have come through a network of which not every edge is known by its address. */
export function isMarkedUnlisted(headers: HeaderMap, { unlisted, unlistedMarks: names }: NetworkSelection): boolean {
  // A request has fewer headers than there are marks.
  for (const name of Object.keys(headers)) {
    if (names.has(name)) return unlisted.some((network) => isMarked(headers, network));
  }
  return false;
}

/** Returns whether a request has a header that a network's edges add, which visitors can send, too. */
export function isMarked(headers: HeaderMap, network: ProxyNetwork): boolean {
  for (const { name, text } of marksOf(network)) {
    const value = headers[name];
    if (value !== undefined && (text === null || value.toLowerCase().includes(text))) return true;
  }
  return false;
}
