import { compileProxyRanges, parseCidr, type Address, type AddressBlock } from '#libs/agents';

const WIDEST = { 4: 8, 6: 16 };
/** About ten times the longest real list. Every process that identifies visitors keeps all lists in memory. */
const MAX_BLOCKS = 100_000;
const MAX_IPV4_ADDRESSES = 2 ** 30;

/**
 * Returns why a list is implausible, or `null` if it looks right. A list is implausible if it:
 * - is empty or has more than 100,000 blocks,
 * - contains a block wider than /8 (IPv4) or /16 (IPv6),
 * - covers more than a quarter of the IPv4 address space, or
 * - has lost more than half of its blocks. Blocks that were merged into wider ones don't count as lost.
 *
 * @param previous the last accepted list, or an empty one.
 * @throws {TypeError} naming the block, if one can't be parsed.
 */
export function sanityFault(next: readonly string[], previous: readonly string[]): string | null {
  if (next.length === 0) return 'it is empty';
  if (next.length > MAX_BLOCKS) return `it has ${next.length} blocks, more than ${MAX_BLOCKS}`;
  const wide = next.find((range) => isTooWide(block(range)));
  if (wide !== undefined) return `${wide} is too wide`;
  if (ipv4Addresses(next) > MAX_IPV4_ADDRESSES) return 'it holds more than a quarter of all IPv4 addresses';
  if (next.length * 2 >= previous.length) return null;
  const ranges = compileProxyRanges(next);
  const isKept = (old: string): boolean => {
    const { family, first, last } = block(old);
    const holds = (value: number | string) => ranges.contains({ family, value, text: '' } as Address);
    return holds(first) && holds(last);
  };
  if (previous.filter(isKept).length * 2 >= previous.length) return null;
  return `it has shrunk from ${previous.length} blocks to ${next.length}`;
}

/** Overlapping blocks count more than once. */
const ipv4Addresses = (ranges: readonly string[]): number =>
  ranges.map(block).reduce((sum, { family, prefixLength }) => sum + (family === 4 ? 2 ** (32 - prefixLength) : 0), 0);

function isTooWide({ family, prefixLength }: AddressBlock): boolean {
  return prefixLength < WIDEST[family];
}

function block(range: string): AddressBlock {
  const read = parseCidr(range);
  if (read === null) throw new TypeError(`not a CIDR block: ${range}`);
  return read;
}
