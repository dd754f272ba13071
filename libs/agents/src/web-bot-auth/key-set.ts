import type { KeyObject } from 'node:crypto';

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
