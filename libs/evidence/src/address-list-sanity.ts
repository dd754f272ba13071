import { compileProxyRanges, parseCidr, type Address, type AddressBlock } from '#libs/agents';

const WIDEST = { 4: 8, 6: 16 };
/** The longest lists have some ten thousand; every process that identifies holds them all, and compiles them anew when one changes. */
const MAX_BLOCKS = 100_000;
/** A quarter of all: ten times what the largest have. */
const MAX_IPV4_ADDRESSES = 2 ** 30;

/**
 * Why a list can't be what its publisher means, in words; `null` when it can. A list is kept back when it is empty,
 * holds very many blocks, a block wider than /8 (IPv4) or /16 (IPv6), or a quarter of IPv4, or has shrunk by more than half; blocks that were only merged into
 * wider ones are not lost.
 *
 * @param previous the last good list; empty when there is none.
 * @throws {TypeError} naming a block of either that can't be read.
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

/** Those of blocks within others count again. */
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
