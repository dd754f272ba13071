import type { Awaitable } from '../evidence-sources.js';
import type { SignatureAlgorithm } from './signature-algorithm.js';
import type { Jwk } from './thumbprint.js';

export interface VerificationKey {
  /** RFC 7638 thumbprint of the key, in base64url. */
  id: string;
  algorithm: SignatureAlgorithm;
  /** Public key with only the members that are required for its type. */
  jwk: Jwk;
  /** Start of the validity period in milliseconds since the epoch, or null if it is unbounded. */
  notBefore: number | null;
  /** End of the validity period in milliseconds since the epoch, or null if it is unbounded. */
  expires: number | null;
  /** True for test keys, whose private keys are published in RFCs. */
  isTestKey: boolean;
  /** Verifies a signature over an ASCII text (RFC 9421, section 3.3). Never throws or rejects. */
  verify(base: string, signature: Uint8Array): Awaitable<boolean>;
}

export type KeySet = ReadonlyMap<string, VerificationKey>;
