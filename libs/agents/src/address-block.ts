import ipaddr from 'ipaddr.js';
import { parseAddress, type Address } from './address.js';

/** A CIDR block. `first` and `last` are inclusive. */
export interface AddressBlock {
  family: 4 | 6;
  prefixLength: number;
  first: Address['value'];
  last: Address['value'];
}

/**
 * Parses `192.0.2.0/24`, `2001:db8::/32` or a single address. Bits after the prefix are ignored, as in `192.0.2.7/24`.
 *
 * Returns null if the text is malformed or contains an IPv4-mapped address.
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

export const covers = (block: AddressBlock, address: Address): boolean =>
  block.family === address.family && block.first <= address.value && address.value <= block.last;

/** Returns the canonical text of a block, such as `192.0.2.0/24`. */
export function cidr({ family, first, prefixLength }: AddressBlock): string {
  return `${addressText(family, first)}/${prefixLength}`;
}

/** Returns the fewest blocks with the same addresses. IPv4 comes first, and each family is sorted by address. */
export function mergeBlocks(blocks: readonly AddressBlock[]): AddressBlock[] {
  const sorted = blocks.toSorted(byPosition);
  const merged: AddressBlock[] = [];
  for (let block of sorted) {
    const before = merged.at(-1);
    // CIDR blocks never overlap partly, so the previous block contains this one.
    if (before?.family === block.family && block.first <= before.last) continue;
    for (let half = before; half !== undefined && areHalves(half, block); half = merged.at(-1)) {
      merged.pop();
      block = blockOf(block.first, block.prefixLength - 1);
    }
    merged.push(block);
  }
  return merged;
}

/** Sorts by address, with enclosing blocks first. */
const byPosition = (a: AddressBlock, b: AddressBlock): number =>
  a.family - b.family || (a.first < b.first ? -1 : Number(a.first > b.first)) || a.prefixLength - b.prefixLength;

/** Returns true if two disjoint blocks, in order, are the halves of a block with a prefix one bit shorter. */
function areHalves(one: AddressBlock, other: AddressBlock): boolean {
  if (one.family !== other.family || one.prefixLength !== other.prefixLength) return false;
  return blockOf(other.first, other.prefixLength - 1).first === one.first;
}

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

/** @param digits 32 hexadecimal digits. The prefix may end within a digit. */
function ipv6Block(digits: string, prefixLength: number): AddressBlock {
  if (prefixLength === 128) return { family: 6, prefixLength, first: digits, last: digits };
  const whole = prefixLength >> 2;
  const hostBits = 0xf >> (prefixLength & 3);
  const split = Number.parseInt(digits.charAt(whole), 16);
  const end = (digit: number, fill: string) => digits.slice(0, whole) + digit.toString(16) + fill.repeat(31 - whole);
  return { family: 6, prefixLength, first: end(split & ~hostBits, '0'), last: end(split | hostBits, 'f') };
}
