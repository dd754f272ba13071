/** Versions that this page made, by those that they were made of. */
const successors = new Map<string, string>();

/**
 * The header of a change that is of a version, or of what this page itself made of that since: several forms can be open
 * on the same thing.
 */
export const ifMatch = (etag: string | null): { headers?: { 'If-Match': string } } =>
  etag === null ? {} : { headers: { 'If-Match': latestOf(etag) } };

function latestOf(etag: string): string {
  const next = successors.get(etag);
  return next === undefined ? etag : latestOf(next);
}

/** Call once a change of the first version was saved, and made the second one. */
export function rememberOwn(before: string | null, after: string | null): void {
  if (before === null || after === null) return;
  const last = latestOf(before);
  // Back to what it was once: nothing follows on that now.
  successors.delete(after);
  if (last !== after) successors.set(last, after);
}
