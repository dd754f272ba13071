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
  if (address.family === 6) return ipv6Block(address.value, prefixLength);
  const size = 2 ** (32 - prefixLength);
  const first = address.value - (address.value % size);
  return { family: 4, prefixLength, first, last: first + size - 1 };
}

/** Whether the address is one of the block's. */
export const covers = (block: AddressBlock, address: Address): boolean =>
  block.family === address.family && block.first <= address.value && address.value <= block.last;

/** The canonical text of a block, e.g. `192.0.2.0/24`. */
export function cidr({ family, first, prefixLength }: AddressBlock): string {
  return `${addressText(family, first)}/${prefixLength}`;
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
