import { LRUCache } from 'lru-cache';
import { compileAddressIndex } from './address-index.js';
import type { Address } from './address.js';
import { PEER_HEADERS, SINGLE_HEADERS } from './forwarding-headers.js';
import type { HeaderMap } from './headers.js';

export interface ProxyNetwork {
  operator: string;
  ranges: readonly string[];
  /** True if its edges also use addresses outside `ranges`. */
  has_other_ranges?: boolean;
  /** True if it connects to sites only from internal addresses, as hosting platforms do. */
  has_internal_peers?: boolean;
  /** Lowercase name of the header in which its edges send the visitor's address. Null if they only append to a list. */
  client_address_header: string | null;
  /** True if visitors can set that header themselves, so it proves nothing. */
  visitors_set_header?: boolean;
  /**
   * Headers that its edges add to requests: a lowercase name, optionally with a part of the value, as in `name: text`.
   */
  marks?: readonly string[];
  /** True if it appends its own address to `X-Forwarded-For`, after the address of its visitor. */
  appends_own_address?: boolean;
}

export interface NetworkSelection {
  contains(address: Address): boolean;
  /** Returns whether an address belongs to an edge that appends its own address to `X-Forwarded-For`. */
  appendsOwnAddress(address: Address): boolean;
  /** Single-address headers set by their edges, or by the site's own proxies. */
  headers: ReadonlySet<string>;
  /**
   * Networks whose edges can't all be recognized by address. `unlistedMarks` are the names of the headers that their
   * edges add.
   */
  unlisted: readonly ProxyNetwork[];
  unlistedMarks: ReadonlySet<string>;
  withOwnEntry: readonly ProxyNetwork[];
}

export interface ProxyNetworks {
  known: readonly ProxyNetwork[];
  /** All known networks. Used for projects that don't name any. */
  all: NetworkSelection;
  /** Returns the networks of these operators, ignoring case. Skips unknown operators. */
  named(operators: readonly string[]): NetworkSelection;
  /**
   * Returns the network that sets a header. Returns null if none is known, or if visitors can set the header
   * themselves.
   */
  withHeader(name: string): ProxyNetwork | null;
  find(address: Address): ProxyNetwork | null;
}

const isUnlisted = ({ ranges, has_other_ranges: others, has_internal_peers: isInternal }: ProxyNetwork): boolean =>
  isInternal !== true && (ranges.length === 0 || others === true);

/** Returns the header in which only the network's edges can set the visitor's address. */
export const trustedHeader = ({
  client_address_header: header,
  visitors_set_header: isOpen,
}: ProxyNetwork): string | null => (isOpen === true ? null : header);

const MAX_SELECTIONS = 1_000;

/**
 * Compiles proxy networks for lookup.
 *
 * @throws {RangeError} with the first block that can't be parsed.
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
  /** Lowercase part of the value. Null matches any value. */
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

/** Returns whether a request may have come through a network whose edges can't all be recognized by address. */
export function isMarkedUnlisted(headers: HeaderMap, { unlisted, unlistedMarks: names }: NetworkSelection): boolean {
  for (const name of Object.keys(headers)) {
    if (names.has(name)) return unlisted.some((network) => isMarked(headers, network));
  }
  return false;
}

/** Returns whether a request has a header that the network's edges add. Visitors can send such headers, too. */
export function isMarked(headers: HeaderMap, network: ProxyNetwork): boolean {
  for (const { name, text } of marksOf(network)) {
    const value = headers[name];
    if (value !== undefined && (text === null || value.toLowerCase().includes(text))) return true;
  }
  return false;
}
