import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/**
 * A file of agents signed by its publisher: a flattened JSON Web Signature (RFC 7515 section 7.2.2) with an Ed25519 key
 * (RFC 8037). The payload is the unsigned file.
 */
export interface SignedAgents {
  /**
   * Base64url of `{"alg":"EdDSA","typ":"agents+json","iat":…}`. `iat` is the time of signing in seconds since the
   * epoch.
   */
  protected: string;
  /** Base64url of the list of agents, as JSON. */
  payload: string;
  /** Base64url of the signature over `protected.payload`. */
  signature: string;
}

/** End of the year 9999, in seconds since the epoch. */
const MAX_TIME_S = 253_402_300_799;
const TYPE = 'agents+json';

/**
 * Signs a list of agents.
 *
 * @param agents JSON text.
 * @param privateKey PEM.
 * @param time time of signing, in milliseconds since the epoch.
 * @throws {TypeError} if the key isn't an Ed25519 key.
 */
export function signAgents(agents: string, privateKey: string, time: number): SignedAgents {
  const key = ed25519(privateKey, createPrivateKey);
  const header = { alg: 'EdDSA', typ: TYPE, iat: Math.floor(time / 1_000) };
  const parts = { protected: encode(JSON.stringify(header)), payload: encode(agents) };
  return { ...parts, signature: sign(null, signedBytes(parts), key).toString('base64url') };
}

/** Returns whether a document has the members of a signed file. Doesn't verify the signature. */
export function isSignedAgents(value: unknown): value is SignedAgents {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Record<keyof SignedAgents, unknown>;
  return [members.protected, members.payload, members.signature].every((text) => typeof text === 'string');
}

/**
 * Verifies the signature and returns the payload.
 *
 * @param publicKey PEM.
 * @returns the payload and the time of signing, in milliseconds since the epoch.
 * @throws {TypeError} if the signature is invalid.
 */
export function openSignedAgents(signed: SignedAgents, publicKey: string): { payload: Buffer; signedAt: number } {
  const key = ed25519(publicKey, createPublicKey);
  if (!verify(null, signedBytes(signed), key, Buffer.from(signed.signature, 'base64url'))) {
    throw new TypeError("its signature was not made with the feed's public key, or the document was changed since");
  }
  const { alg, typ, iat } = headerOf(signed);
  const isTime = Number.isSafeInteger(iat) && Math.abs(iat as number) <= MAX_TIME_S;
  if (alg !== 'EdDSA' || typ !== TYPE || !isTime) {
    throw new TypeError(`its signature must have the header {"alg":"EdDSA","typ":"${TYPE}","iat":…}`);
  }
  return { payload: Buffer.from(signed.payload, 'base64url'), signedAt: (iat as number) * 1_000 };
}

/** Returns why a text isn't a valid public key for a feed, or `null` if it is. */
export function publicKeyFault(text: string): string | null {
  try {
    ed25519(text, createPublicKey);
    return text.includes('PRIVATE KEY') ? 'must be the public key: keep the private one to yourself' : null;
  } catch {
    return 'must be an Ed25519 public key in PEM, such as "openssl pkey -in key.pem -pubout" prints';
  }
}

function ed25519(pem: string, read: (pem: string) => KeyObject): KeyObject {
  const key = read(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError(`the key is of ${key.asymmetricKeyType}, not Ed25519`);
  return key;
}

function headerOf({ protected: text }: SignedAgents): Record<string, unknown> {
  try {
    return Object(JSON.parse(Buffer.from(text, 'base64url').toString())) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const encode = (text: string): string => Buffer.from(text).toString('base64url');

const signedBytes = (parts: Pick<SignedAgents, 'protected' | 'payload'>): Buffer =>
  Buffer.from(`${parts.protected}.${parts.payload}`);
