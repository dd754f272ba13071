import { parseCidr, type AddressBlock } from './address-block.js';
import type { Address } from './address.js';

export interface AddressRanges {
  contains(address: Address): boolean;
}

/** Block that contains an address. */
export interface AddressMatch<L> {
  /** Block as written in its list, e.g. `192.0.2.0/24`. */
  range: string;
  prefixLength: number;
  list: L;
}

export interface AddressIndex<L> extends AddressRanges {
  /**
   * Returns the most specific block, or `null` if none contains the address. If blocks are equal, the first one wins.
   */
  find(address: Address): AddressMatch<L> | null;
}

/**
 * Compiles lists of CIDR blocks for fast lookups.
 * @throws {RangeError} if a block is invalid. The message contains the first one.
 */
export function compileAddressIndex<L>(lists: readonly { list: L; ranges: readonly string[] }[]): AddressIndex<L> {
  const entries: Record<4 | 6, Entry<L>[]> = { 4: [], 6: [] };
  for (const { list, ranges } of lists) {
    for (const range of ranges) {
      const block = parseCidr(range);
      if (block === null) throw new RangeError(`Not a CIDR block: ${range}`);
      const { family, prefixLength, first, last } = block;
      entries[family].push({ prefixLength, first, last, range, list });
    }
  }
  const ipv4 = new BlockTable(entries[4], 1);
  const ipv6 = new BlockTable(entries[6], 4);
  const tableOf = ({ family }: Address): BlockTable<L> => (family === 4 ? ipv4 : ipv6);
  return {
    contains: (address) => tableOf(address).rowOf(address) !== -1,
    find: (address) => tableOf(address).find(address),
  };
}

type Entry<L> = Omit<AddressBlock, 'family'> & { range: string; list: L };

/** Address to look up, as 32-bit words. Reused so that lookups don't allocate. */
const key = new Uint32Array(4);

/**
 * Blocks of one address family, sorted by first address, wider blocks first. CIDR blocks are nested or disjoint. So the
 * search starts with the last block whose first address isn't after the given one, and continues with its enclosing
 * blocks.
 */
class BlockTable<L> {
  /** Number of 32-bit words per address. */
  private readonly width: 1 | 4;
  private readonly firsts: Uint32Array;
  private readonly lasts: Uint32Array;
  /** Row of the smallest enclosing block for each row, or -1. */
  private readonly around: Int32Array;
  private readonly prefixLengths: Uint8Array;
  private readonly ranges: string[];
  private readonly lists: L[];

  constructor(entries: Entry<L>[], width: 1 | 4) {
    const rows = distinct(entries);
    this.width = width;
    this.firsts = new Uint32Array(rows.length * width);
    this.lasts = new Uint32Array(rows.length * width);
    this.around = new Int32Array(rows.length);
    this.prefixLengths = Uint8Array.from(rows, ({ prefixLength }) => prefixLength);
    this.ranges = rows.map(({ range }) => range);
    this.lists = rows.map(({ list }) => list);
    let outer = -1;
    for (const [row, { first, last }] of rows.entries()) {
      writeWords(this.firsts, row * width, first);
      writeWords(this.lasts, row * width, last);
      while (outer !== -1 && rows[outer]!.last < first) outer = this.around[outer]!;
      this.around[row] = outer;
      outer = row;
    }
  }

  find(address: Address): AddressMatch<L> | null {
    const row = this.rowOf(address);
    if (row === -1) return null;
    return { range: this.ranges[row]!, prefixLength: this.prefixLengths[row]!, list: this.lists[row]! };
  }

  /** Returns the row of the most specific block, or -1. */
  rowOf({ value }: Address): number {
    writeWords(key, 0, value);
    let low = 0;
    let high = this.prefixLengths.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.isAfterKey(this.firsts, middle)) high = middle;
      else low = middle + 1;
    }
    let row = low - 1;
    while (row !== -1 && !this.isKeyOrAfter(this.lasts, row)) row = this.around[row]!;
    return row;
  }

  private isAfterKey(words: Uint32Array, row: number): boolean {
    for (let word = 0, at = row * this.width; word < this.width; word++, at++) {
      if (words[at] !== key[word]) return words[at]! > key[word]!;
    }
    return false;
  }

  private isKeyOrAfter(words: Uint32Array, row: number): boolean {
    for (let word = 0, at = row * this.width; word < this.width; word++, at++) {
      if (words[at] !== key[word]) return words[at]! > key[word]!;
    }
    return true;
  }
}

/** Sorts blocks and removes duplicates, keeping the first of each. */
function distinct<L>(entries: Entry<L>[]): Entry<L>[] {
  const sorted = entries.sort((a, b) =>
    a.first < b.first ? -1 : a.first > b.first ? 1 : a.prefixLength - b.prefixLength,
  );
  return sorted.filter(({ first, prefixLength }, index) => {
    const previous = sorted[index - 1];
    return previous === undefined || previous.first !== first || previous.prefixLength !== prefixLength;
  });
}

function writeWords(words: Uint32Array, at: number, value: Address['value']): void {
  if (typeof value === 'number') {
    words[at] = value;
    return;
  }
  for (let word = 0; word < 4; word++) {
    let bits = 0;
    for (let digit = word * 8; digit < word * 8 + 8; digit++) {
      const code = value.charCodeAt(digit);
      // '0' to '9' are 48 to 57, 'a' to 'f' 97 to 102.
      bits = (bits << 4) | (code < 58 ? code - 48 : code - 87);
    }
    words[at + word] = bits;
  }
}
