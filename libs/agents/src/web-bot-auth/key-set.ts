import { createHash, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** Algorithms of RFC 9421 that are accepted; each key is for one of them. */
export type SignatureAlgorithm = 'ed25519' | 'rsa-pss-sha512' | 'ecdsa-p256-sha256' | 'ecdsa-p384-sha384';

/** A public key of a key directory. */
export interface VerificationKey {
  /** RFC 7638 thumbprint, base64url, worked out from the key itself. */
  id: string;
  algorithm: SignatureAlgorithm;
  key: KeyObject;
  /** Milliseconds since the epoch; `null` without a bound. */
  notBefore: number | null;
  expires: number | null;
  /** One of the RFCs' published keys: their private parts are known to everybody. */
  isTestKey: boolean;
}

/** Keys by {@link VerificationKey.id}. */
export type KeySet = ReadonlyMap<string, VerificationKey>;

const ALGORITHMS: Partial<Record<string, SignatureAlgorithm>> = {
  'OKP Ed25519': 'ed25519',
  'EC P-256': 'ecdsa-p256-sha256',
  'EC P-384': 'ecdsa-p384-sha384',
  'RSA ': 'rsa-pss-sha512',
};
const MOST_KEYS = 32;
/** Larger than any date in seconds that makes sense: such a date is in milliseconds. */
const LEAST_MILLISECONDS = 1e11;

/**
 * Reads a JSON Web Key Set, or a bare JSON Web Key. Keys that can't be used are left out.
 * @throws {TypeError} when it is neither.
 */
export function readKeySet(body: string | unknown): KeySet {
  const value: unknown = typeof body === 'string' ? JSON.parse(body) : body;
  if (typeof value !== 'object' || value === null) throw new TypeError('it is no key set: not a JSON object');
  const keys: unknown = 'kty' in value ? [value] : 'keys' in value ? value.keys : null;
  if (!Array.isArray(keys)) throw new TypeError('it is no key set: there is no array of keys');
  if (keys.length > MOST_KEYS) throw new TypeError(`it has more than ${MOST_KEYS} keys`);
  const read = keys.map(verificationKey).filter((key) => key !== null);
  return new Map(read.map((key) => [key.id, key]));
}

function verificationKey(jwk: Record<string, unknown>): VerificationKey | null {
  try {
    const key = createPublicKey({ format: 'jwk', key: jwk as JsonWebKey });
    const bare = key.export({ format: 'jwk' }) as Record<string, string>;
    const algorithm = ALGORITHMS[`${bare['kty']} ${bare['crv'] ?? ''}`];
    if (algorithm === undefined) return null;
    const sorted = Object.fromEntries(Object.entries(bare).sort(([one], [other]) => (one < other ? -1 : 1)));
    const id = createHash('sha256').update(JSON.stringify(sorted)).digest('base64url');
    const [notBefore, expires] = [time(jwk['nbf']), time(jwk['exp'])];
    return { id, algorithm, key, notBefore, expires, isTestKey: false };
  } catch {
    return null;
  }
}

function time(value: unknown): number | null {
  if (typeof value !== 'number') return null;
  return value > LEAST_MILLISECONDS ? value : value * 1_000;
}
