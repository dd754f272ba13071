import { parseCidr, type AddressBlock } from './address-block.js';
import type { Address } from './address.js';

export interface AddressRanges {
  contains(address: Address): boolean;
}

/** The most specific block containing an address. */
export interface AddressMatch<L> {
  /** Block as written in its list, e.g. `192.0.2.0/24`. */
  range: string;
  prefixLength: number;
  list: L;
}

export interface AddressIndex<L> extends AddressRanges {
  /**
   * Returns the most specific block containing the address, or `null` if no block contains it. If lists contain the
   * same block, the first list wins.
   */
  find(address: Address): AddressMatch<L> | null;
}

/**
 * Compiles lists of CIDR blocks for fast lookups.
 * @throws {RangeError} if a block is invalid. The message contains the first invalid block.
 */
export function compileAddressIndex<L>(lists: readonly { list: L; ranges: readonly string[] }[]): AddressIndex<L> {
  const entries: Record<4 | 6, Entry<L>[]> = { 4: [], 6: [] };
  for (const { list, ranges } of lists) {
    for (const range of ranges) {
      const block = parseCidr(range);
      if (block === null) throw new RangeError(`Invalid CIDR block: ${range}`);
      const { family, prefixLength, first, last } = block;
      entries[family].push({ prefixLength, first, last, range, list });
    }
  }
  const ipv4 = new BlockTable(entries[4], 1);
  const ipv6 = new BlockTable(entries[6], 4);
  const getTable = ({ family }: Address): BlockTable<L> => (family === 4 ? ipv4 : ipv6);
  return {
    contains: (address) => getTable(address).findRow(address) !== -1,
    find: (address) => getTable(address).find(address),
  };
}

type Entry<L> = Omit<AddressBlock, 'family'> & { range: string; list: L };

/** Address being looked up, as 32-bit words. Shared by all lookups to avoid allocations. */
const lookupKey = new Uint32Array(4);

/**
 * Blocks in one address family, sorted by first address, with wider blocks first.
 *
 * CIDR blocks are either nested or disjoint. So a lookup starts at the last block that begins at or before the address,
 * and then walks up through its enclosing blocks.
 */
class BlockTable<L> {
  /** Number of 32-bit words in an address. */
  private readonly width: 1 | 4;
  private readonly firsts: Uint32Array;
  private readonly lasts: Uint32Array;
  /** Row of each block's smallest enclosing block, or -1. */
  private readonly enclosingRows: Int32Array;
  private readonly prefixLengths: Uint8Array;
  private readonly ranges: string[];
  private readonly lists: L[];

  constructor(entries: Entry<L>[], width: 1 | 4) {
    const rows = sortAndDeduplicate(entries);
    this.width = width;
    this.firsts = new Uint32Array(rows.length * width);
    this.lasts = new Uint32Array(rows.length * width);
    this.enclosingRows = new Int32Array(rows.length);
    this.prefixLengths = Uint8Array.from(rows, ({ prefixLength }) => prefixLength);
    this.ranges = rows.map(({ range }) => range);
    this.lists = rows.map(({ list }) => list);
    let enclosingRow = -1;
    for (const [row, { first, last }] of rows.entries()) {
      writeWords(this.firsts, row * width, first);
      writeWords(this.lasts, row * width, last);
      while (enclosingRow !== -1 && rows[enclosingRow]!.last < first) enclosingRow = this.enclosingRows[enclosingRow]!;
      this.enclosingRows[row] = enclosingRow;
      enclosingRow = row;
    }
  }

  find(address: Address): AddressMatch<L> | null {
    const row = this.findRow(address);
    if (row === -1) return null;
    return { range: this.ranges[row]!, prefixLength: this.prefixLengths[row]!, list: this.lists[row]! };
  }

  /** Returns the row of the most specific block containing the address, or -1. */
  findRow({ value }: Address): number {
    writeWords(lookupKey, 0, value);
    let low = 0;
    let high = this.prefixLengths.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.isAfterKey(this.firsts, middle)) high = middle;
      else low = middle + 1;
    }
    let row = low - 1;
    while (row !== -1 && !this.isKeyOrAfter(this.lasts, row)) row = this.enclosingRows[row]!;
    return row;
  }

  private isAfterKey(words: Uint32Array, row: number): boolean {
    for (let word = 0, offset = row * this.width; word < this.width; word++, offset++) {
      if (words[offset] !== lookupKey[word]) return words[offset]! > lookupKey[word]!;
    }
    return false;
  }

  private isKeyOrAfter(words: Uint32Array, row: number): boolean {
    for (let word = 0, offset = row * this.width; word < this.width; word++, offset++) {
      if (words[offset] !== lookupKey[word]) return words[offset]! > lookupKey[word]!;
    }
    return true;
  }
}

/** Sorts blocks and removes duplicates. The first of several equal blocks wins. */
function sortAndDeduplicate<L>(entries: Entry<L>[]): Entry<L>[] {
  const sorted = entries.sort((a, b) =>
    a.first < b.first ? -1 : a.first > b.first ? 1 : a.prefixLength - b.prefixLength,
  );
  return sorted.filter(({ first, prefixLength }, index) => {
    const previous = sorted[index - 1];
    return previous === undefined || previous.first !== first || previous.prefixLength !== prefixLength;
  });
}

function writeWords(words: Uint32Array, offset: number, value: Address['value']): void {
  if (typeof value === 'number') {
    words[offset] = value;
    return;
  }
  for (let word = 0; word < 4; word++) {
    let bits = 0;
    for (let digit = word * 8; digit < word * 8 + 8; digit++) {
      const code = value.charCodeAt(digit);
      // '0' to '9' are 48 to 57, and 'a' to 'f' are 97 to 102.
      bits = (bits << 4) | (code < 58 ? code - 48 : code - 87);
    }
    words[offset + word] = bits;
  }
}
