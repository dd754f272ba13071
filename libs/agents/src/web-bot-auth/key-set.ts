import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { TEST_KEYS, thumbprint, type Jwk } from './thumbprint.js';

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

const MAX_KEYS = 32;
/** Checking takes longer with the square of the length; longer keys than this are for nobody. */
const RSA_BITS = { least: 2_048, most: 8_192 };
const LARGEST_EXPONENT = 2n ** 32n;
/** As seconds, later than the year 5000: RFC 7519 has seconds, but milliseconds are published too. */
const FIRST_MILLISECONDS = 1e11;

const CURVES: ReadonlyMap<unknown, SignatureAlgorithm> = new Map([
  ['P-256', 'ecdsa-p256-sha256'],
  ['P-384', 'ecdsa-p384-sha384'],
]);

/**
 * Reads a key directory: a JWK set (RFC 7517 section 5), or a single JWK, as JSON or as what JSON says.
 *
 * Of its first 32 keys those count that can check signatures by an accepted algorithm; the others, and unknown members
 * (`kid` and `alg`, which are often wrong, included), are ignored. Of keys with equal thumbprints the first counts.
 * @throws {SyntaxError} for anything that is not a key set.
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
  // A key whose private part is published proves nothing.
  if ('d' in jwk || (jwk['use'] !== undefined && jwk['use'] !== 'sig')) return null;
  const notBefore = instant(jwk['nbf']);
  const expires = instant(jwk['exp']);
  const key = publicKey(jwk);
  const algorithm = key === null ? null : algorithmOf(key);
  if (key === null || algorithm === null || notBefore === undefined || expires === undefined) return null;
  // From the key as it was read, so that other ways to write its members lead to the same thumbprint.
  const id = thumbprint(key.export({ format: 'jwk' }) as Jwk);
  return { id, algorithm, key, notBefore, expires, isTestKey: TEST_KEYS.has(id) };
}

/** Milliseconds since the epoch; `undefined` for anything that is not a time. */
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
