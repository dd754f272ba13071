/** ETags of the versions that this page saved. Each key is the ETag of the version that was replaced. */
const successors = new Map<string, string>();

/**
 * Returns the `If-Match` header for a change. If this page has already replaced the given version, the header contains
 * the latest one, because several forms can edit the same resource.
 */
export const ifMatch = (etag: string | null): { headers?: { 'If-Match': string } } =>
  etag === null ? {} : { headers: { 'If-Match': toLatestVersion(etag) } };

function toLatestVersion(etag: string): string {
  const next = successors.get(etag);
  return next === undefined ? etag : toLatestVersion(next);
}

/** Records that this page replaced version `before` with version `after`. */
export function recordReplacement(before: string | null, after: string | null): void {
  if (before === null || after === null) return;
  const last = toLatestVersion(before);
  // Reverting a change restores an earlier version. It's the latest one again, so it no longer has a successor.
  successors.delete(after);
  if (last !== after) successors.set(last, after);
}
