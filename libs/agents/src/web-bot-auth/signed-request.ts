import { createPublicKey, randomBytes, sign, type KeyObject } from 'node:crypto';
import { component, createSignatureSync } from 'http-message-sig';
import { WEB_BOT_AUTH_TAG } from './signature-fields.js';
import { computeThumbprint, type Jwk } from './thumbprint.js';

export interface RequestToSign {
  url: string;
  method: string;
  /** Private Ed25519 key. */
  key: KeyObject;
  /** URL or origin of the key directory. */
  signatureAgent: string;
  /** Current time, in milliseconds since the epoch. */
  now: number;
  /** Lifetime of the signature, in seconds. */
  lifetimeSeconds: number;
  /** Default: a random nonce. */
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
 * The signature covers the authority, method, path and Signature-Agent. It doesn't cover the query string, because sites
 * may omit it from their reports.
 *
 * @throws {TypeError} if the URL is invalid or the key isn't a private Ed25519 key.
 */
export function signWebBotAuthRequest(request: RequestToSign): RequestSignature {
  const { url, method, key, signatureAgent, lifetimeSeconds: lifetime } = request;
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
        keyid: getKeyId(key),
        alg: 'ed25519',
        nonce: request.nonce ?? randomBytes(64).toString('base64url'),
        tag: WEB_BOT_AUTH_TAG,
      },
      signer: createEd25519Signer(key),
    },
  );
  return { 'signature-agent': field, 'signature-input': signatureInput, signature };
}

/** Returns a key's ID in key directories, which is its thumbprint. */
export function getKeyId(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return computeThumbprint(publicKey.export({ format: 'jwk' }) as Jwk);
}

/** @throws {TypeError} if the key isn't a private Ed25519 key. */
export function createEd25519Signer(key: KeyObject): { algorithm: string; sign(data: Uint8Array): Uint8Array } {
  if (key.type !== 'private' || key.asymmetricKeyType !== 'ed25519') {
    throw new TypeError('The signing key must be a private Ed25519 key');
  }
  return { algorithm: 'ed25519', sign: (data) => sign(null, data, key) };
}
