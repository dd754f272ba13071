import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/**
 * A file of agents that its publisher signed: a JSON Web Signature in the flattened serialization (RFC 7515 section 7.2.2)
 * by an Ed25519 key (RFC 8037). Its payload is the file as it would be without one.
 */
export interface SignedAgents {
  /** Base64url of `{"alg":"EdDSA","typ":"agents+json","iat":…}`; `iat` is when it was signed, in seconds. */
  protected: string;
  /** Base64url of the list of agents, as JSON. */
  payload: string;
  /** Base64url of the signature over `protected.payload`. */
  signature: string;
}

/** Seconds from the epoch to the end of the year 9999. */
const MAX_TIME_S = 253_402_300_799;
const TYPE = 'agents+json';

/**
 * Signs a list of agents.
 *
 * @param agents the list, as JSON.
 * @param privateKey in PEM.
 * @param time milliseconds.
 * @throws {TypeError} for anything but an Ed25519 key.
 */
export function signAgents(agents: string, privateKey: string, time: number): SignedAgents {
  const key = ed25519(privateKey, createPrivateKey);
  const header = { alg: 'EdDSA', typ: TYPE, iat: Math.floor(time / 1_000) };
  const parts = { protected: encode(JSON.stringify(header)), payload: encode(agents) };
  return { ...parts, signature: sign(null, signedBytes(parts), key).toString('base64url') };
}

/** Whether a document is meant to be signed, however well. */
export function isSignedAgents(value: unknown): value is SignedAgents {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Record<keyof SignedAgents, unknown>;
  return [members.protected, members.payload, members.signature].every((text) => typeof text === 'string');
}

/**
 * Returns what was signed with the key.
 *
 * @param publicKey in PEM.
 * @returns the payload's bytes, and when it was signed, in milliseconds.
 * @throws {TypeError} with what is wrong, where the signature does not hold.
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

/** Says why a text can't be a feed's public key, or `null` when it can. */
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
