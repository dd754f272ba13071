import { compileProxyRanges, parseCidr, type Address, type AddressBlock } from '#libs/agents';

const MIN_PREFIX_LENGTHS = { 4: 8, 6: 16 };
/** About ten times the length of the longest real list. Every identification process caches all lists in memory. */
const MAX_BLOCKS = 100_000;
const MAX_IPV4_ADDRESSES = 2 ** 30;

/**
 * Returns the reason that a list is implausible, or null if it passes all checks. A list is implausible if it:
 * - is empty or has more than 100,000 blocks,
 * - contains a block wider than /8 (IPv4) or /16 (IPv6),
 * - covers more than a quarter of the IPv4 address space, or
 * - has lost more than half of its blocks. Blocks merged into wider ones don't count as lost.
 *
 * @param previous The last accepted list, or an empty array.
 * @throws {TypeError} if a block can't be parsed.
 */
export function findSanityFault(next: readonly string[], previous: readonly string[]): string | null {
  if (next.length === 0) return 'it is empty';
  if (next.length > MAX_BLOCKS) return `it has ${next.length} blocks (maximum: ${MAX_BLOCKS})`;
  const tooWideRange = next.find((range) => isTooWide(parseBlock(range)));
  if (tooWideRange !== undefined) return `${tooWideRange} is too wide`;
  if (countIpv4Addresses(next) > MAX_IPV4_ADDRESSES) return 'it covers more than a quarter of all IPv4 addresses';
  if (next.length * 2 >= previous.length) return null;
  const ranges = compileProxyRanges(next);
  const isRetained = (old: string): boolean => {
    const { family, first, last } = parseBlock(old);
    const containsAddress = (value: number | string) => ranges.contains({ family, value, text: '' } as Address);
    return containsAddress(first) && containsAddress(last);
  };
  if (previous.filter(isRetained).length * 2 >= previous.length) return null;
  return `it has shrunk from ${previous.length} blocks to ${next.length}`;
}

/** Counts IPv4 addresses. Addresses in overlapping blocks are counted more than once. */
const countIpv4Addresses = (ranges: readonly string[]): number =>
  ranges
    .map(parseBlock)
    .reduce((sum, { family, prefixLength }) => sum + (family === 4 ? 2 ** (32 - prefixLength) : 0), 0);

function isTooWide({ family, prefixLength }: AddressBlock): boolean {
  return prefixLength < MIN_PREFIX_LENGTHS[family];
}

function parseBlock(range: string): AddressBlock {
  const parsed = parseCidr(range);
  if (parsed === null) throw new TypeError(`not a CIDR block: ${range}`);
  return parsed;
}
