import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { component, createSignatureSync } from 'http-message-sig';
import { ed25519Signer, keyIdOf } from './signed-request.js';
import { thumbprint, type Jwk } from './thumbprint.js';

export const DIRECTORY_TAG = 'http-message-signatures-directory';

export interface SignedDirectory {
  body: string;
  headers: {
    'content-type': string;
    'content-digest': string;
    'signature-input': string;
    signature: string;
  };
}

/** Lifetime of the proof in seconds. Directories must be signed again well before it ends. */
const LIFETIME_SECONDS = 86_400;

/**
 * Returns a key directory with a signature that proves possession of a private key
 * (draft-ietf-webbotauth-httpsig-protocol-01, appendix B).
 *
 * @param keys Keys to publish. Only the public part of a private key is published.
 * @param authority Host that serves the directory, with the port unless it's the default port.
 * @param privateKey Ed25519 key.
 * @param now Milliseconds since the epoch.
 */
export function signedDirectory(
  keys: readonly KeyObject[],
  authority: string,
  privateKey: KeyObject,
  now: number,
): SignedDirectory {
  const body = JSON.stringify({ keys: keys.map(published) });
  const digest = contentDigest(body);
  const created = Math.floor(now / 1_000);
  const { signature, signatureInput } = createSignatureSync(
    {
      kind: 'response',
      status: 200,
      fields: [{ name: 'content-digest', value: digest }],
      request: { kind: 'request', method: 'GET', targetUri: `https://${authority}/`, fields: [] },
    },
    {
      label: 'binding',
      components: [component('@authority', { req: true }), 'content-digest'],
      parameters: {
        created,
        expires: created + LIFETIME_SECONDS,
        keyid: keyIdOf(privateKey),
        alg: 'ed25519',
        tag: DIRECTORY_TAG,
      },
      signer: ed25519Signer(privateKey),
    },
  );
  return {
    body,
    headers: {
      'content-type': 'application/http-message-signatures-directory+json',
      'content-digest': digest,
      'signature-input': signatureInput,
      signature,
    },
  };
}

function published(key: KeyObject): Jwk {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const jwk = publicKey.export({ format: 'jwk' }) as Jwk;
  return { ...jwk, kid: thumbprint(jwk), use: 'sig' };
}

/** RFC 9530, section 2. */
function contentDigest(body: string): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}
