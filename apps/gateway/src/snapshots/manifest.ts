import { createHash, sign } from 'node:crypto';
import { MANIFEST_TYPE, type SnapshotClaims } from '#libs/engine';
import type { SigningKey } from '#libs/statements';

/** Lifetime of a snapshot. Sites stop using it afterwards, so changes take effect even if they can't download it. */
const LIFETIME_SECONDS = 600;

interface ManifestParts {
  /** SHA-256 hash of the content, in base64url. */
  contentHash: string;
  projectId: string;
  token: string;
  /** Time of issue in milliseconds since the epoch. */
  now: number;
}

/** Creates a snapshot's manifest: a compact JSON Web Signature (RFC 7515) with an Ed25519 key (RFC 8037). */
export function createManifest(
  { contentHash, projectId, token, now }: ManifestParts,
  { id, privateKey }: SigningKey,
): string {
  const issuedAt = Math.floor(now / 1_000);
  const claims: SnapshotClaims = {
    content_sha256: contentHash,
    project_id: projectId,
    token_sha256: createHash('sha256').update(token).digest('hex'),
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
  };
  const signed = `${encode({ alg: 'EdDSA', typ: MANIFEST_TYPE, kid: id })}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
