import { constants, verify, type KeyObject } from 'node:crypto';
import type { SignatureAlgorithm } from './key-set.js';

interface Check {
  digest: string | null;
  options: { padding?: number; saltLength?: number; dsaEncoding?: 'ieee-p1363' } | null;
  cost: number;
}

const CHECKS: Readonly<Record<SignatureAlgorithm, Check>> = {
  ed25519: { digest: null, options: null, cost: 1 },
  'rsa-pss-sha512': {
    digest: 'sha512',
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 },
    cost: 4,
  },
  'ecdsa-p256-sha256': { digest: 'sha256', options: { dsaEncoding: 'ieee-p1363' }, cost: 1 },
  'ecdsa-p384-sha384': { digest: 'sha384', options: { dsaEncoding: 'ieee-p1363' }, cost: 8 },
};

/**
 * Returns whether an algorithm is accepted. Names are from the HTTP Signature Algorithms registry (RFC 9421, section
 * 6.2).
 */
export function isSignatureAlgorithm(name: string): name is SignatureAlgorithm {
  return Object.hasOwn(CHECKS, name);
}

/** Maximum duration of one check, as a multiple of an Ed25519 check. */
export function checkCost(algorithm: SignatureAlgorithm): number {
  return CHECKS[algorithm].cost;
}

/** Returns whether a signature over an ASCII text is valid for a key (RFC 9421, section 3.3). Never throws. */
export function signatureHolds(
  { key, algorithm }: { key: KeyObject; algorithm: SignatureAlgorithm },
  base: string,
  signature: Uint8Array,
): boolean {
  const { digest, options } = CHECKS[algorithm];
  try {
    // A bare key is faster than one wrapped in an object.
    return verify(digest, Buffer.from(base, 'latin1'), options === null ? key : { key, ...options }, signature);
  } catch {
    return false;
  }
}
