import { decodeBase64Url, encodeBase64Url, encodeHex, sha256 } from './encoding.js';
import { MANIFEST_TYPE, type SnapshotClaims } from './snapshot-content.js';
import { SnapshotError } from './snapshot-error.js';
import type { OpenOptions, SignedSnapshot, SnapshotKey } from './types.js';

/** Maximum length of a snapshot's content, in UTF-16 code units. */
const MAX_CONTENT_LENGTH = 32 * 1_024 * 1_024;
/** Maximum clock difference between the instance and the site, in milliseconds. */
const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * Verifies a manifest's signature, audience and age, in this order. Returns its claims.
 *
 * @throws {SnapshotError}
 */
export async function verifyManifest(
  manifest: string,
  { keys, token, issuedAt = 0, now = Date.now }: OpenOptions,
): Promise<SnapshotClaims> {
  const [header = '', payload = '', signature = ''] = manifest.split('.');
  const { alg, typ, kid } = parseJson(header) as Record<string, unknown>;
  if (alg !== 'EdDSA' || typ !== MANIFEST_TYPE) throw new SnapshotError('malformed');
  const key = keys.find((candidate) => candidate.kid === kid);
  if (key === undefined) throw new SnapshotError('unknown_key');
  if (!(await isSignedBy(key, `${header}.${payload}`, signature))) throw new SnapshotError('invalid_signature');
  const claims = parseJson(payload) as SnapshotClaims;
  if (claims.token_sha256 !== encodeHex(await sha256(token))) throw new SnapshotError('wrong_project');
  if (claims.iat * 1_000 < issuedAt) throw new SnapshotError('older');
  const time = now();
  const isCurrent = time < claims.exp * 1_000 && claims.iat * 1_000 <= time + MAX_CLOCK_SKEW_MS;
  if (!isCurrent) throw new SnapshotError('expired');
  return claims;
}

/**
 * Verifies a snapshot's manifest and the hash of its content. Returns the claims.
 *
 * @throws {SnapshotError}
 */
export async function verifySnapshot(
  { manifest, content }: SignedSnapshot,
  options: OpenOptions,
): Promise<SnapshotClaims> {
  const claims = await verifyManifest(manifest, options);
  if (content.length > MAX_CONTENT_LENGTH || encodeBase64Url(await sha256(content)) !== claims.content_sha256) {
    throw new SnapshotError('invalid_signature');
  }
  return claims;
}

async function isSignedBy({ kty, crv, x }: SnapshotKey, text: string, signature: string): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, decodeBase64Url(signature), new TextEncoder().encode(text));
  } catch {
    return false;
  }
}

function parseJson(base64Url: string): object {
  try {
    return Object(JSON.parse(new TextDecoder().decode(decodeBase64Url(base64Url)))) as object;
  } catch (error) {
    throw new SnapshotError('malformed', { cause: error });
  }
}
