import { createHash } from 'node:crypto';
import type { SnapshotContent } from '#libs/engine';
import { createStatementKey } from '#libs/statements';
import { createManifest } from '../../apps/gateway/src/snapshots/manifest.js';
import type { SignedSnapshot } from '../../libs/engine/src/types.js';

export const SNAPSHOT_TOKEN = 'agt_snapshot';
const { publicKey, privateKey } = await createStatementKey();
export { publicKey };

/** Signs a snapshot in the same way as the gateway. */
export function signSnapshot(content: SnapshotContent, now = Date.now(), token = SNAPSHOT_TOKEN): SignedSnapshot {
  const text = JSON.stringify(content);
  const contentHash = createHash('sha256').update(text).digest('base64url');
  const projectId = '018f0000-0000-7000-8000-000000000001';
  const key = { id: publicKey.kid, privateKey };
  return { content: text, manifest: createManifest({ contentHash, projectId, token, now }, key) };
}
