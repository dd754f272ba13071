import parseForwarded from 'forwarded-parse';
import { parseHost, type Address } from './address.js';
import type { HeaderMap } from './headers.js';

/** Headers that every proxy on the way appends to, its peer's address last. */
export const LIST_HEADERS = ['x-forwarded-for', 'forwarded'] as const;

/** Headers with one address that the site's own proxy sets to the address of its peer, which may be another proxy. */
export const PEER_HEADERS: ReadonlySet<string> = new Set(['x-real-ip', 'x-client-ip', 'x-cluster-client-ip']);

/** Headers with one address that a CDN or hosting platform sets to the address of its visitor. */
const VISITOR_HEADERS = [
  'cf-connecting-ip',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'cloudfront-viewer-address',
  'do-connecting-ip',
  'x-azure-clientip',
  'x-appengine-user-ip',
  'x-nf-client-connection-ip',
];

export const SINGLE_HEADERS: readonly string[] = [...PEER_HEADERS, ...VISITOR_HEADERS];

/** Headers that proxies tell of a request with, of those that are read here or known by name. */
export const FORWARDING_HEADERS: ReadonlySet<string> = new Set([
  ...LIST_HEADERS,
  ...SINGLE_HEADERS,
  'x-forwarded-host',
  'x-forwarded-proto',
  'client-ip',
  'via',
]);
/** What others are called. */
const FORWARDING_PART = /forwarded-|original-|envoy-|connecting-ip|client-ip|real-ip/;

/** Returns whether a header says that somebody else is behind a connection. Its name is in lower case. */
export const isForwardingHeader = (name: string): boolean => FORWARDING_HEADERS.has(name) || FORWARDING_PART.test(name);

/** An entry that names no address (`unknown`, `_hidden`, garbage) is `null`: it counts as missing, but keeps its place. */
export type Hop = Address | null;

/** Only the right end matters: what lies further left than this was written by the visitor or by nobody we know. */
const MAX_ENTRIES = 20;
/** Characters, for the same reason: empty entries don't count, and lists are read more than once. */
const MAX_LENGTH = 4_096;

/**
 * The entries of a header from right to left, nearest proxy first, at most 20, of at most 4,096 characters; what goes on
 * further left is one entry without an address. `null` when the header is absent or empty.
 */
export function hopsOf(headers: HeaderMap, name: string): Hop[] | null {
  const value = headers[name];
  if (value === undefined || value === '') return null;
  if (name === 'forwarded') return forwardedHops(value);
  // Always `address:port`, and IPv6 without brackets.
  if (name === 'cloudfront-viewer-address') return [parseHost(value.slice(0, Math.max(value.lastIndexOf(':'), 0)))];
  const hops = listHops(value);
  return hops.length === 0 ? null : hops;
}

function listHops(value: string): Hop[] {
  // As nearly all are.
  if (value.length <= MAX_LENGTH && !value.includes(',')) {
    const only = value.trim();
    return only === '' ? [] : [parseHost(only)];
  }
  const hops: Hop[] = [];
  let end = value.length;
  while (end >= 0 && hops.length < MAX_ENTRIES) {
    const comma = end === 0 ? -1 : value.lastIndexOf(',', end - 1);
    if (comma < value.length - MAX_LENGTH - 1) {
      // It reaches beyond what is read, or is all that is left of something that does.
      hops.push(null);
      break;
    }
    const entry = value.slice(comma + 1, end).trim();
    // RFC 9110 section 5.6.1.2: empty list elements are ignored.
    if (entry !== '') hops.push(parseHost(entry));
    end = comma;
  }
  return hops;
}

/** RFC 7239. A header that can't be read as a whole is one entry without an address: a visitor may have left a quote open. */
function forwardedHops(value: string): Hop[] {
  if (value.length > MAX_LENGTH) return [null];
  try {
    const elements = parseForwarded(value).slice(-MAX_ENTRIES).toReversed();
    return elements.map((element) => (element['for'] === undefined ? null : parseHost(element['for'])));
  } catch {
    return [null];
  }
}
