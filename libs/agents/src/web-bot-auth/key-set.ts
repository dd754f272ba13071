import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { SignatureAlgorithm } from './signature-algorithm.js';
import { isValidSignature } from './signature-check.js';
import { TEST_KEY_THUMBPRINTS, computeThumbprint, type Jwk } from './thumbprint.js';
import type { KeySet, VerificationKey } from './verification-key.js';

const MAX_KEYS = 32;
/** Accepted modulus lengths in bits. Verification time grows quadratically, and longer keys aren't used in practice. */
const RSA_MODULUS_BITS = { least: 2_048, most: 8_192 };
const MAX_RSA_EXPONENT = 2n ** 32n;
/**
 * Larger times are assumed to be in milliseconds, which some operators publish although RFC 7519 specifies seconds. In
 * seconds, this time is after the year 5000.
 */
const MAX_SECONDS = 1e11;

const CURVES: ReadonlyMap<unknown, SignatureAlgorithm> = new Map([
  ['P-256', 'ecdsa-p256-sha256'],
  ['P-384', 'ecdsa-p384-sha384'],
]);

/**
 * Parses a key directory: a JWK set (RFC 7517, section 5) or a single JWK, as JSON text or parsed JSON.
 *
 * Returns the usable keys among the first 32, by thumbprint. Ignores `kid` and `alg`, which are often wrong.
 *
 * @throws {SyntaxError} if the body isn't a key set.
 */
export function parseKeySet(body: unknown): KeySet {
  const value = typeof body === 'string' ? parseJson(body) : body;
  if (!isRecord(value)) throw new SyntaxError('A key set must be a JSON object');
  const keys = value['keys'] ?? (typeof value['kty'] === 'string' ? [value] : null);
  if (!Array.isArray(keys)) throw new SyntaxError('A key set must contain an array of keys');
  const set = new Map<string, VerificationKey>();
  for (const jwk of keys.slice(0, MAX_KEYS)) {
    const key = isRecord(jwk) ? toVerificationKey(jwk) : null;
    if (key !== null && !set.has(key.id)) set.set(key.id, key);
  }
  return set;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError('A key set must be valid JSON', { cause: error });
  }
}

function isRecord(value: unknown): value is Jwk {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toVerificationKey(jwk: Jwk): VerificationKey | null {
  // A key whose private key is published can't prove anything.
  if ('d' in jwk || (jwk['use'] !== undefined && jwk['use'] !== 'sig')) return null;
  const notBefore = parseTime(jwk['nbf']);
  const expires = parseTime(jwk['exp']);
  const key = toPublicKey(jwk);
  const algorithm = key === null ? null : getAlgorithm(key);
  if (key === null || algorithm === null || notBefore === undefined || expires === undefined) return null;
  // The exported JWK is canonical, so the thumbprint doesn't depend on how its members were encoded.
  const canonical = key.export({ format: 'jwk' }) as Jwk;
  const id = computeThumbprint(canonical);
  return {
    id,
    algorithm,
    jwk: canonical,
    notBefore,
    expires,
    isTestKey: TEST_KEY_THUMBPRINTS.has(id),
    verify: (base, signature) => isValidSignature({ key, algorithm }, base, signature),
  };
}

/** Returns milliseconds since the epoch, null if the value is missing, or undefined if it isn't a number. */
function parseTime(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number') return undefined;
  return value > MAX_SECONDS ? value : value * 1_000;
}

function toPublicKey({ kty, crv, x, y, n, e }: Jwk): KeyObject | null {
  if (kty !== 'OKP' && kty !== 'EC' && kty !== 'RSA') return null;
  try {
    return createPublicKey({ key: { kty, crv, x, y, n, e } as JsonWebKey, format: 'jwk' });
  } catch {
    return null;
  }
}

function getAlgorithm(key: KeyObject): SignatureAlgorithm | null {
  const { modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return 'ed25519';
    case 'ec':
      return CURVES.get((key.export({ format: 'jwk' }) as Jwk)['crv']) ?? null;
    case 'rsa':
      if (modulusLength === undefined || publicExponent === undefined) return null;
      if (modulusLength < RSA_MODULUS_BITS.least || modulusLength > RSA_MODULUS_BITS.most) return null;
      return publicExponent >= 3n && publicExponent < MAX_RSA_EXPONENT ? 'rsa-pss-sha512' : null;
    default:
      return null;
  }
}
