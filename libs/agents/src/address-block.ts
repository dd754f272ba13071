import ipaddr from 'ipaddr.js';
import { parseAddress, type Address } from './address.js';

/** CIDR block. Both `first` and `last` are inclusive. */
export interface AddressBlock {
  family: 4 | 6;
  prefixLength: number;
  first: Address['value'];
  last: Address['value'];
}

/**
 * Parses a CIDR block or a single address. Host bits are ignored, so `192.0.2.7/24` is parsed as `192.0.2.0/24`.
 *
 * @returns null if the text is malformed or contains an IPv4-mapped IPv6 address.
 */
export function parseCidr(text: string): AddressBlock | null {
  const slash = text.indexOf('/');
  const address = parseAddress(slash === -1 ? text : text.slice(0, slash));
  if (address === null || (address.family === 4 && text.includes(':'))) return null;
  const bits = address.family === 4 ? 32 : 128;
  const prefix = slash === -1 ? String(bits) : text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bits) return null;
  const prefixLength = Number(prefix);
  return toBlock(address.value, prefixLength);
}

export const covers = (block: AddressBlock, address: Address): boolean =>
  block.family === address.family && block.first <= address.value && address.value <= block.last;

/** Formats a block in canonical form, such as `192.0.2.0/24`. */
export function formatCidr({ family, first, prefixLength }: AddressBlock): string {
  return `${formatAddress(family, first)}/${prefixLength}`;
}

/**
 * Merges blocks into the smallest list that covers the same addresses. IPv4 blocks come first, and each family is
 * sorted by address.
 */
export function mergeBlocks(blocks: readonly AddressBlock[]): AddressBlock[] {
  const sorted = blocks.toSorted(compareBlocks);
  const merged: AddressBlock[] = [];
  for (let block of sorted) {
    const previous = merged.at(-1);
    // CIDR blocks never overlap partially, so the previous block contains this one.
    if (previous?.family === block.family && block.first <= previous.last) continue;
    for (let half = previous; half !== undefined && areSiblings(half, block); half = merged.at(-1)) {
      merged.pop();
      block = toBlock(block.first, block.prefixLength - 1);
    }
    merged.push(block);
  }
  return merged;
}

/** Sorts by address. Of blocks that start at the same address, the largest comes first. */
export const compareBlocks = (a: AddressBlock, b: AddressBlock): number =>
  a.family - b.family || (a.first < b.first ? -1 : Number(a.first > b.first)) || a.prefixLength - b.prefixLength;

/** Returns true if two disjoint, sorted blocks are the two halves of a larger block. */
function areSiblings(one: AddressBlock, other: AddressBlock): boolean {
  if (one.family !== other.family || one.prefixLength !== other.prefixLength) return false;
  return toBlock(other.first, other.prefixLength - 1).first === one.first;
}

function toBlock(value: Address['value'], prefixLength: number): AddressBlock {
  if (typeof value === 'string') return ipv6Block(value, prefixLength);
  const size = 2 ** (32 - prefixLength);
  const first = value - (value % size);
  return { family: 4, prefixLength, first, last: first + size - 1 };
}

function formatAddress(family: 4 | 6, value: number | string): string {
  if (family === 4) return [24, 16, 8, 0].map((bits) => (Number(value) >>> bits) & 255).join('.');
  const parts = String(value).match(/.{4}/g)!;
  return new ipaddr.IPv6(parts.map((part) => Number.parseInt(part, 16))).toRFC5952String();
}

/** @param digits 32 hexadecimal digits. The prefix may end in the middle of a digit. */
function ipv6Block(digits: string, prefixLength: number): AddressBlock {
  if (prefixLength === 128) return { family: 6, prefixLength, first: digits, last: digits };
  const fullDigits = prefixLength >> 2;
  const hostBits = 0xf >> (prefixLength & 3);
  const splitDigit = Number.parseInt(digits.charAt(fullDigits), 16);
  const boundaryAddress = (digit: number, fill: string) =>
    digits.slice(0, fullDigits) + digit.toString(16) + fill.repeat(31 - fullDigits);
  return {
    family: 6,
    prefixLength,
    first: boundaryAddress(splitDigit & ~hostBits, '0'),
    last: boundaryAddress(splitDigit | hostBits, 'f'),
  };
}
