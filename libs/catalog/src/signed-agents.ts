import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/**
 * List of agents signed by its publisher: a flattened JSON Web Signature (RFC 7515 section 7.2.2) with an Ed25519 key
 * (RFC 8037). The payload is the unsigned list.
 */
export interface SignedAgents {
  /** Base64url of `{"alg":"EdDSA","typ":"agents+json","iat":…}`, with the signing time in seconds as `iat`. */
  protected: string;
  /** Base64url of the JSON list. */
  payload: string;
  /** Base64url of the signature over `protected.payload`. */
  signature: string;
}

/** End of the year 9999, in seconds since the epoch. */
const MAX_TIME_SECONDS = 253_402_300_799;
const TYPE = 'agents+json';

/**
 * Signs a list of agents.
 *
 * @param agents List of agents, as JSON text.
 * @param privateKey Ed25519 key in PEM format.
 * @param time Signing time in milliseconds since the epoch.
 * @throws {TypeError} if the key isn't an Ed25519 key.
 */
export function signAgents(agents: string, privateKey: string, time: number): SignedAgents {
  const key = readEd25519Key(privateKey, createPrivateKey);
  const header = { alg: 'EdDSA', typ: TYPE, iat: Math.floor(time / 1_000) };
  const parts = { protected: toBase64Url(JSON.stringify(header)), payload: toBase64Url(agents) };
  return { ...parts, signature: sign(null, toSignedBytes(parts), key).toString('base64url') };
}

/** Returns whether a document has the fields of a signed list. Doesn't verify the signature. */
export function isSignedAgents(value: unknown): value is SignedAgents {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Record<keyof SignedAgents, unknown>;
  return [members.protected, members.payload, members.signature].every((text) => typeof text === 'string');
}

/**
 * Verifies the signature and returns the payload with the signing time in milliseconds since the epoch.
 *
 * @param publicKey Ed25519 key in PEM format.
 * @throws {TypeError} if the signature is invalid.
 */
export function verifySignedAgents(signed: SignedAgents, publicKey: string): { payload: Buffer; signedAt: number } {
  const key = readEd25519Key(publicKey, createPublicKey);
  if (!verify(null, toSignedBytes(signed), key, Buffer.from(signed.signature, 'base64url'))) {
    throw new TypeError("it doesn't match the feed's public key, or the document was modified after signing");
  }
  const { alg, typ, iat } = parseHeader(signed);
  const isTime = Number.isSafeInteger(iat) && Math.abs(iat as number) <= MAX_TIME_SECONDS;
  if (alg !== 'EdDSA' || typ !== TYPE || !isTime) {
    throw new TypeError(`its protected header must be {"alg":"EdDSA","typ":"${TYPE}","iat":…}`);
  }
  return { payload: Buffer.from(signed.payload, 'base64url'), signedAt: (iat as number) * 1_000 };
}

/** Returns the fault in a feed's public key, or null if the key is valid. */
export function findPublicKeyFault(text: string): string | null {
  try {
    readEd25519Key(text, createPublicKey);
    return text.includes('PRIVATE KEY') ? 'must be the public key: keep the private key secret' : null;
  } catch {
    return 'must be an Ed25519 public key in PEM format, as printed by "openssl pkey -in key.pem -pubout"';
  }
}

function readEd25519Key(pem: string, read: (pem: string) => KeyObject): KeyObject {
  const key = read(pem);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new TypeError(`the key must be an Ed25519 key (got ${key.asymmetricKeyType})`);
  return key;
}

function parseHeader({ protected: text }: SignedAgents): Record<string, unknown> {
  try {
    return Object(JSON.parse(Buffer.from(text, 'base64url').toString())) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const toBase64Url = (text: string): string => Buffer.from(text).toString('base64url');

const toSignedBytes = (parts: Pick<SignedAgents, 'protected' | 'payload'>): Buffer =>
  Buffer.from(`${parts.protected}.${parts.payload}`);
