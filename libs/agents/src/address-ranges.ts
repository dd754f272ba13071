import { parseAddress, type Address } from './address.js';

/** First and last address of a CIDR block, both inclusive. */
export interface AddressBlock {
  family: 4 | 6;
  prefixLength: number;
  first: Address['value'];
  last: Address['value'];
}

/** A set of address ranges, compiled for looking up. */
export interface AddressRanges {
  contains(address: Address): boolean;
}

/** Ranges that hold trusted proxies. */
export type ProxyRanges = AddressRanges;

/**
 * Reads `192.0.2.0/24`, `2001:db8::/32` or a single address; `null` when malformed. Bits set past the prefix are
 * ignored, as in `192.0.2.7/24`. Blocks of IPv4-mapped addresses are not accepted.
 */
export function parseCidr(text: string): AddressBlock | null {
  const slash = text.indexOf('/');
  const address = parseAddress(slash === -1 ? text : text.slice(0, slash));
  if (address === null || (address.family === 4 && text.includes(':'))) return null;
  const bits = address.family === 4 ? 32 : 128;
  const prefix = slash === -1 ? String(bits) : text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bits) return null;
  const prefixLength = Number(prefix);
  if (address.family === 4) {
    const size = 2 ** (32 - prefixLength);
    const first = address.value - (address.value % size);
    return { family: 4, prefixLength, first, last: first + size - 1 };
  }
  const mask = (1n << BigInt(128 - prefixLength)) - 1n;
  const first = (BigInt(`0x${address.value}`) >> BigInt(128 - prefixLength)) << BigInt(128 - prefixLength);
  return { family: 6, prefixLength, first: hex(first), last: hex(first | mask) };
}

function hex(value: bigint): string {
  return value.toString(16).padStart(32, '0');
}

/**
 * Compiles CIDR blocks into sorted, merged intervals looked up by binary search.
 * @throws {RangeError} naming the first block that can't be read.
 */
export function compileProxyRanges(cidrs: readonly string[]): ProxyRanges {
  const blocks = cidrs.map((cidr) => {
    const block = parseCidr(cidr);
    if (block === null) throw new RangeError(`Not a CIDR block: ${cidr}`);
    return block;
  });
  const ipv4 = merged(blocks.filter((block) => block.family === 4) as Interval<number>[]);
  const ipv6 = merged(blocks.filter((block) => block.family === 6) as Interval<string>[]);
  return {
    contains: (address) => (address.family === 4 ? holds(ipv4, address.value) : holds(ipv6, address.value)),
  };
}

interface Interval<T> {
  first: T;
  last: T;
}

interface Intervals<T> {
  firsts: T[];
  lasts: T[];
}

/** CIDR blocks nest or are disjoint, so dropping the nested ones leaves disjoint intervals. */
function merged<T extends number | string>(blocks: Interval<T>[]): Intervals<T> {
  const sorted = blocks.toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : a.last > b.last ? -1 : 1));
  const intervals: Intervals<T> = { firsts: [], lasts: [] };
  for (const block of sorted) {
    const end = intervals.lasts.at(-1);
    if (end !== undefined && block.last <= end) continue;
    intervals.firsts.push(block.first);
    intervals.lasts.push(block.last);
  }
  return intervals;
}

function holds<T extends number | string>({ firsts, lasts }: Intervals<T>, value: T): boolean {
  let low = 0;
  let high = firsts.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (value < firsts[middle]!) high = middle - 1;
    else if (value > lasts[middle]!) low = middle + 1;
    else return true;
  }
  return false;
}
