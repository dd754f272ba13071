import { compileProxyRanges, parseCidr, type Address, type AddressBlock } from '#libs/agents';

const WIDEST = { 4: 8, 6: 16 };

/**
 * Why a list can't be what its publisher means, in words; `null` when it can. A list is kept back when it is empty,
 * holds a block wider than /8 (IPv4) or /16 (IPv6), or has shrunk by more than half; blocks that were only merged into
 * wider ones are not lost.
 *
 * @param previous the last good list; empty when there is none.
 * @throws {TypeError} naming a block of either that can't be read.
 */
export function sanityFault(next: readonly string[], previous: readonly string[]): string | null {
  if (next.length === 0) return 'it is empty';
  const wide = next.find((range) => isTooWide(block(range)));
  if (wide !== undefined) return `${wide} is too wide`;
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

function isTooWide({ family, prefixLength }: AddressBlock): boolean {
  return prefixLength < WIDEST[family];
}

function block(range: string): AddressBlock {
  const read = parseCidr(range);
  if (read === null) throw new TypeError(`not a CIDR block: ${range}`);
  return read;
}
