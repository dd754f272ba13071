/** Supported RFC 9421 algorithms. The key type determines the algorithm. */
export type SignatureAlgorithm = 'ed25519' | 'rsa-pss-sha512' | 'ecdsa-p256-sha256' | 'ecdsa-p384-sha384';

const COSTS: Readonly<Record<SignatureAlgorithm, number>> = {
  ed25519: 1,
  'rsa-pss-sha512': 4,
  'ecdsa-p256-sha256': 1,
  'ecdsa-p384-sha384': 8,
};

/**
 * Returns true if an algorithm is supported. Names come from the HTTP Signature Algorithms registry (RFC 9421, section
 * 6.2).
 */
export function isSignatureAlgorithm(name: string): name is SignatureAlgorithm {
  return Object.hasOwn(COSTS, name);
}

/** Returns the maximum cost of a verification, as a multiple of an Ed25519 verification. */
export function getVerificationCost(algorithm: SignatureAlgorithm): number {
  return COSTS[algorithm];
}
