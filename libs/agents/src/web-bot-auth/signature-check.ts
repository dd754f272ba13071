import { constants, verify, type KeyObject } from 'node:crypto';
import type { SignatureAlgorithm } from './signature-algorithm.js';

interface AlgorithmParameters {
  digest: string | null;
  options: { padding?: number; saltLength?: number; dsaEncoding?: 'ieee-p1363' } | null;
}

const ALGORITHMS: Readonly<Record<SignatureAlgorithm, AlgorithmParameters>> = {
  ed25519: { digest: null, options: null },
  'rsa-pss-sha512': {
    digest: 'sha512',
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 },
  },
  'ecdsa-p256-sha256': { digest: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  'ecdsa-p384-sha384': { digest: 'sha384', options: { dsaEncoding: 'ieee-p1363' } },
};

/** Verifies a signature over an ASCII text (RFC 9421, section 3.3). Never throws. */
export function isValidSignature(
  { key, algorithm }: { key: KeyObject; algorithm: SignatureAlgorithm },
  base: string,
  signature: Uint8Array,
): boolean {
  const { digest, options } = ALGORITHMS[algorithm];
  try {
    // Passing the key itself is faster than wrapping it in an object.
    return verify(digest, Buffer.from(base, 'latin1'), options === null ? key : { key, ...options }, signature);
  } catch {
    return false;
  }
}
