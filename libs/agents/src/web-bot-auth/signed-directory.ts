import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { component, createSignatureSync } from 'http-message-sig';
import { createEd25519Signer, getKeyId } from './signed-request.js';
import { computeThumbprint, type Jwk } from './thumbprint.js';

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

/** Lifetime of the signature. Directories must be signed again well before it expires. */
const SIGNATURE_LIFETIME_SECONDS = 86_400;

/**
 * Creates a key directory with a signature that proves possession of a private key
 * (draft-ietf-webbotauth-httpsig-protocol-01, appendix B).
 *
 * @param keys Keys to publish. For private keys, only the public key is published.
 * @param authority Host that serves the directory, including any non-default port.
 * @param privateKey Ed25519 key that signs the directory.
 * @param now Current time, in milliseconds since the epoch.
 * @throws {TypeError} if `privateKey` isn't a private Ed25519 key.
 */
export function createSignedDirectory(
  keys: readonly KeyObject[],
  authority: string,
  privateKey: KeyObject,
  now: number,
): SignedDirectory {
  const body = JSON.stringify({ keys: keys.map(toPublicJwk) });
  const digest = toContentDigest(body);
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
        expires: created + SIGNATURE_LIFETIME_SECONDS,
        keyid: getKeyId(privateKey),
        alg: 'ed25519',
        tag: DIRECTORY_TAG,
      },
      signer: createEd25519Signer(privateKey),
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

function toPublicJwk(key: KeyObject): Jwk {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const jwk = publicKey.export({ format: 'jwk' }) as Jwk;
  return { ...jwk, kid: computeThumbprint(jwk), use: 'sig' };
}

/** Returns a Content-Digest header value (RFC 9530, section 2). */
function toContentDigest(body: string): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}
