import { createPublicKey, randomBytes, sign, type KeyObject } from 'node:crypto';
import { component, createSignatureSync } from 'http-message-sig';
import { WEB_BOT_AUTH_TAG } from './signature-fields.js';
import { thumbprint, type Jwk } from './thumbprint.js';

export interface RequestToSign {
  /** Absolute URL of the request. */
  url: string;
  method: string;
  key: KeyObject;
  /** URL or origin of the key directory. */
  signatureAgent: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** Seconds until the signature expires. */
  lifetime: number;
  /** Default: random. */
  nonce?: string;
}

export interface RequestSignature {
  'signature-agent': string;
  'signature-input': string;
  signature: string;
}

const LABEL = 'sig1';

/**
 * Signs a request according to draft-ietf-webbotauth-httpsig-protocol-01.
 *
 * Covers the authority, method, path and Signature-Agent. Doesn't cover the query, because sites omit it from their
 * reports.
 *
 * @throws {TypeError} if the URL is invalid, or the key isn't a private Ed25519 key.
 */
export function webBotAuthSignature(request: RequestToSign): RequestSignature {
  const { url, method, key, signatureAgent, lifetime } = request;
  const created = Math.floor(request.now / 1_000);
  const field = `${LABEL}=${JSON.stringify(signatureAgent)}`;
  const { signature, signatureInput } = createSignatureSync(
    { kind: 'request', method, targetUri: new URL(url).href, fields: [{ name: 'signature-agent', value: field }] },
    {
      label: LABEL,
      components: ['@authority', '@method', '@path', component('signature-agent', { key: LABEL })],
      parameters: {
        created,
        expires: created + lifetime,
        keyid: keyIdOf(key),
        alg: 'ed25519',
        nonce: request.nonce ?? randomBytes(64).toString('base64url'),
        tag: WEB_BOT_AUTH_TAG,
      },
      signer: ed25519Signer(key),
    },
  );
  return { 'signature-agent': field, 'signature-input': signatureInput, signature };
}

/** Returns the thumbprint of a key, which is its ID in a key directory. */
export function keyIdOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return thumbprint(publicKey.export({ format: 'jwk' }) as Jwk);
}

/**
 * Returns a signer for a private Ed25519 key.
 *
 * @throws {TypeError} for any other key.
 */
export function ed25519Signer(key: KeyObject): { algorithm: string; sign(data: Uint8Array): Uint8Array } {
  if (key.type !== 'private' || key.asymmetricKeyType !== 'ed25519') {
    throw new TypeError('Signing takes a private Ed25519 key');
  }
  return { algorithm: 'ed25519', sign: (data) => sign(null, data, key) };
}
