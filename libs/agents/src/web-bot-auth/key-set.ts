import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { TEST_KEYS, thumbprint, type Jwk } from './thumbprint.js';

/** Accepted RFC 9421 algorithms. Each key has exactly one. */
export type SignatureAlgorithm = 'ed25519' | 'rsa-pss-sha512' | 'ecdsa-p256-sha256' | 'ecdsa-p384-sha384';

export interface VerificationKey {
  /** RFC 7638 thumbprint in base64url, computed from the key. */
  id: string;
  algorithm: SignatureAlgorithm;
  key: KeyObject;
  /** Milliseconds since the epoch. Null means unbounded. */
  notBefore: number | null;
  expires: number | null;
  /** True for keys published in RFCs, whose private parts are public. */
  isTestKey: boolean;
}

export type KeySet = ReadonlyMap<string, VerificationKey>;

const MAX_KEYS = 32;
/** Accepted modulus lengths. Verification time grows quadratically, and nobody needs longer keys. */
const RSA_BITS = { least: 2_048, most: 8_192 };
const LARGEST_EXPONENT = 2n ** 32n;
/**
 * Larger times are in milliseconds. RFC 7519 specifies seconds, but some operators publish milliseconds. This many
 * seconds is after the year 5000.
 */
const FIRST_MILLISECONDS = 1e11;

const CURVES: ReadonlyMap<unknown, SignatureAlgorithm> = new Map([
  ['P-256', 'ecdsa-p256-sha256'],
  ['P-384', 'ecdsa-p384-sha384'],
]);

/**
 * Parses a key directory: a JWK set (RFC 7517, section 5) or a single JWK, as JSON text or parsed JSON.
 *
 * Reads up to 32 keys and keeps the ones for an accepted algorithm. If thumbprints are equal, keeps the first key.
 * Ignores unknown members, and also `kid` and `alg`, which are often wrong.
 *
 * @throws {SyntaxError} if the body isn't a key set.
 */
export function readKeySet(body: unknown): KeySet {
  const value = typeof body === 'string' ? parsed(body) : body;
  if (!isRecord(value)) throw new SyntaxError('A key set is a JSON object');
  const keys = value['keys'] ?? (typeof value['kty'] === 'string' ? [value] : null);
  if (!Array.isArray(keys)) throw new SyntaxError('A key set has an array of keys');
  const set = new Map<string, VerificationKey>();
  for (const jwk of keys.slice(0, MAX_KEYS)) {
    const key = isRecord(jwk) ? verificationKey(jwk) : null;
    if (key !== null && !set.has(key.id)) set.set(key.id, key);
  }
  return set;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError('A key set is JSON', { cause: error });
  }
}

function isRecord(value: unknown): value is Jwk {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function verificationKey(jwk: Jwk): VerificationKey | null {
  // A key with a published private part proves nothing.
  if ('d' in jwk || (jwk['use'] !== undefined && jwk['use'] !== 'sig')) return null;
  const notBefore = instant(jwk['nbf']);
  const expires = instant(jwk['exp']);
  const key = publicKey(jwk);
  const algorithm = key === null ? null : algorithmOf(key);
  if (key === null || algorithm === null || notBefore === undefined || expires === undefined) return null;
  // The exported key is canonical, so different spellings of its members result in the same thumbprint.
  const id = thumbprint(key.export({ format: 'jwk' }) as Jwk);
  return { id, algorithm, key, notBefore, expires, isTestKey: TEST_KEYS.has(id) };
}

/** Returns milliseconds since the epoch, null if there is no value, or undefined if the value isn't a number. */
function instant(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number') return undefined;
  return value > FIRST_MILLISECONDS ? value : value * 1_000;
}

function publicKey({ kty, crv, x, y, n, e }: Jwk): KeyObject | null {
  if (kty !== 'OKP' && kty !== 'EC' && kty !== 'RSA') return null;
  try {
    return createPublicKey({ key: { kty, crv, x, y, n, e } as JsonWebKey, format: 'jwk' });
  } catch {
    return null;
  }
}

function algorithmOf(key: KeyObject): SignatureAlgorithm | null {
  const { modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return 'ed25519';
    case 'ec':
      return CURVES.get((key.export({ format: 'jwk' }) as Jwk)['crv']) ?? null;
    case 'rsa':
      if (modulusLength === undefined || publicExponent === undefined) return null;
      if (modulusLength < RSA_BITS.least || modulusLength > RSA_BITS.most) return null;
      return publicExponent >= 3n && publicExponent < LARGEST_EXPONENT ? 'rsa-pss-sha512' : null;
    default:
      return null;
  }
}
