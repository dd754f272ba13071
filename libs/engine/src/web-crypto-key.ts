import type { SignatureAlgorithm, VerificationKey } from '../../agents/src/index.js';
import { encodeLatin1 } from './encoding.js';
import type { SnapshotVerificationKey } from './snapshot-content.js';

interface Algorithms {
  forImport: { name: string; hash?: string; namedCurve?: string };
  forVerification: { name: string; hash?: string; saltLength?: number };
}

const ALGORITHMS: Readonly<Record<SignatureAlgorithm, Algorithms>> = {
  ed25519: { forImport: { name: 'Ed25519' }, forVerification: { name: 'Ed25519' } },
  'rsa-pss-sha512': {
    forImport: { name: 'RSA-PSS', hash: 'SHA-512' },
    forVerification: { name: 'RSA-PSS', saltLength: 64 },
  },
  'ecdsa-p256-sha256': {
    forImport: { name: 'ECDSA', namedCurve: 'P-256' },
    forVerification: { name: 'ECDSA', hash: 'SHA-256' },
  },
  'ecdsa-p384-sha384': {
    forImport: { name: 'ECDSA', namedCurve: 'P-384' },
    forVerification: { name: 'ECDSA', hash: 'SHA-384' },
  },
};

/** Returns a key that verifies signatures with the Web Cryptography API. The key is imported on first use. */
export function createWebCryptoKey(key: SnapshotVerificationKey): VerificationKey {
  const { forImport, forVerification } = ALGORITHMS[key.algorithm];
  let imported: ReturnType<typeof crypto.subtle.importKey> | undefined;
  return {
    ...key,
    verify: async (base, signature) => {
      try {
        imported ??= crypto.subtle.importKey('jwk', key.jwk, forImport, false, ['verify']);
        const bytes = new Uint8Array(signature);
        return await crypto.subtle.verify(forVerification, await imported, bytes, encodeLatin1(base));
      } catch {
        return false;
      }
    },
  };
}
