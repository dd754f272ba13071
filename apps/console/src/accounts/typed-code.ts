import { hash, randomInt } from 'node:crypto';

/** Crockford's base32 alphabet, which has no letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Creates a code that is easy to type and contains 80 random bits: `7K2M-…`. */
export function createTypedCode(): string {
  const group = (): string => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** Returns the SHA-256 of a code. Ignores case, hyphens and spaces, and treats look-alikes such as O and 0 as equal. */
export function hashTypedCode(code: string): Buffer {
  const plain = code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return hash('sha256', plain, 'buffer');
}
