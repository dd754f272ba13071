import ipaddr from 'ipaddr.js';
import { parseAddress, type Address } from './address.js';

/** First and last address of a CIDR block, both inclusive. */
export interface AddressBlock {
  family: 4 | 6;
  prefixLength: number;
  first: Address['value'];
  last: Address['value'];
}

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
  return blockOf(address.value, prefixLength);
}

/** Whether the address is one of the block's. */
export const covers = (block: AddressBlock, address: Address): boolean =>
  block.family === address.family && block.first <= address.value && address.value <= block.last;

/** The canonical text of a block, e.g. `192.0.2.0/24`. */
export function cidr({ family, first, prefixLength }: AddressBlock): string {
  return `${addressText(family, first)}/${prefixLength}`;
}

/**
 * Returns the fewest blocks that hold the same addresses, IPv4 first, each family in order. 20,000 blocks take some
 * hundredths of a second.
 */
export function mergeBlocks(blocks: readonly AddressBlock[]): AddressBlock[] {
  const sorted = blocks.toSorted(byPosition);
  const merged: AddressBlock[] = [];
  for (let block of sorted) {
    const before = merged.at(-1);
    // Blocks nest or are disjoint.
    if (before?.family === block.family && block.first <= before.last) continue;
    for (let half = before; half !== undefined && areHalves(half, block); half = merged.at(-1)) {
      merged.pop();
      block = blockOf(block.first, block.prefixLength - 1);
    }
    merged.push(block);
  }
  return merged;
}

/** Blocks around others come first. */
const byPosition = (a: AddressBlock, b: AddressBlock): number =>
  a.family - b.family || (a.first < b.first ? -1 : Number(a.first > b.first)) || a.prefixLength - b.prefixLength;

/** Whether two disjoint blocks, in order, are all of the block that is one bit wider. */
function areHalves(one: AddressBlock, other: AddressBlock): boolean {
  if (one.family !== other.family || one.prefixLength !== other.prefixLength) return false;
  return blockOf(other.first, other.prefixLength - 1).first === one.first;
}

/** The block of an address. */
function blockOf(value: Address['value'], prefixLength: number): AddressBlock {
  if (typeof value === 'string') return ipv6Block(value, prefixLength);
  const size = 2 ** (32 - prefixLength);
  const first = value - (value % size);
  return { family: 4, prefixLength, first, last: first + size - 1 };
}

function addressText(family: 4 | 6, value: number | string): string {
  if (family === 4) return [24, 16, 8, 0].map((bits) => (Number(value) >>> bits) & 255).join('.');
  return new ipaddr.IPv6([...Buffer.from(String(value), 'hex')]).toRFC5952String();
}

/** @param digits 32 hexadecimal digits, of which the one that the prefix ends in is part network and part host. */
function ipv6Block(digits: string, prefixLength: number): AddressBlock {
  if (prefixLength === 128) return { family: 6, prefixLength, first: digits, last: digits };
  const whole = prefixLength >> 2;
  const hostBits = 0xf >> (prefixLength & 3);
  const split = Number.parseInt(digits.charAt(whole), 16);
  const end = (digit: number, fill: string) => digits.slice(0, whole) + digit.toString(16) + fill.repeat(31 - whole);
  return { family: 6, prefixLength, first: end(split & ~hostBits, '0'), last: end(split | hostBits, 'f') };
}
