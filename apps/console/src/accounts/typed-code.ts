import { hash, randomInt } from 'node:crypto';

/** Without letters and digits that look alike (Crockford's alphabet). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Returns a code to type, of 80 random bits: `7K2M-…`. */
export function newTypedCode(): string {
  const group = (): string => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** Returns the SHA-256 of a code however it was typed: in small letters, without hyphens, with an O for a zero. */
export function hashTypedCode(code: string): Buffer {
  const plain = code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return hash('sha256', plain, 'buffer');
}
