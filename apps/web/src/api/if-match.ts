/** Versions that this page created, by the version that they replaced. */
const successors = new Map<string, string>();

/**
 * Returns the `If-Match` header for a change of a version. If this page has replaced that version since, uses the
 * latest one, because several forms can edit the same resource.
 */
export const ifMatch = (etag: string | null): { headers?: { 'If-Match': string } } =>
  etag === null ? {} : { headers: { 'If-Match': latestOf(etag) } };

function latestOf(etag: string): string {
  const next = successors.get(etag);
  return next === undefined ? etag : latestOf(next);
}

/** Records that a change replaced version `before` with version `after`. */
export function rememberOwn(before: string | null, after: string | null): void {
  if (before === null || after === null) return;
  const last = latestOf(before);
  // A change back to an earlier version makes that version the latest one.
  successors.delete(after);
  if (last !== after) successors.set(last, after);
}
