import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/**
 * Credential prefixes:
 * - `agt_`: project access token, which reports visits
 * - `agk_`: API key
 * - `agi_`: project invitation
 * - `agr_`: password reset
 * - `agl_`: shared link to a project's overview
 */
export const CREDENTIAL_PREFIXES = ['agt_', 'agk_', 'agi_', 'agr_', 'agl_'] as const;
type CredentialPrefix = (typeof CREDENTIAL_PREFIXES)[number];

/** Generates a credential from the prefix, 32 random characters (190 bits) and a checksum that detects typos. */
export function generateCredential(prefix: CredentialPrefix): string {
  let random = '';
  for (let index = 0; index < RANDOM_LENGTH; index += 1) random += ALPHABET[randomInt(ALPHABET.length)];
  return prefix + random + checksum(prefix + random);
}

/**
 * Returns true if the text has the prefix of our credentials but an invalid length or checksum. Use it to detect typos
 * and truncated values.
 */
export function isMalformedCredential(text: string, prefix: CredentialPrefix): boolean {
  if (!text.startsWith(prefix)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return (
    text.length !== prefix.length + RANDOM_LENGTH + CHECKSUM_LENGTH || checksum(body) !== text.slice(-CHECKSUM_LENGTH)
  );
}

/** Returns the SHA-256 hash used to look up a credential. A fast hash is safe because credentials have high entropy. */
export function hashCredential(credential: string): Buffer {
  return hash('sha256', credential, 'buffer');
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = ALPHABET[value % ALPHABET.length] + digits;
    value = Math.floor(value / ALPHABET.length);
  }
  return digits;
}
