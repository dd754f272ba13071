/** A host's response to a robots.txt request. */
export interface RobotsContent {
  /** Null if the host didn't respond. */
  status: number | null;
  /** SHA-256 of the file in hex, or null if there is none. */
  digest: string | null;
}

interface CurrentVersion extends RobotsContent {
  /** Whether a person recorded the version and no fetch has ever found a file on the host. */
  isOnlyRecorded: boolean;
}

/** Time for which crawlers may continue to use a cached file while the host fails (RFC 9309, section 2.4). */
export const CACHED_COPY_MS = 24 * 3_600_000;

type RobotsClass = 'file' | 'missing' | 'unreachable' | 'unknown';

/** Classifies a response according to RFC 9309, section 2.3.1. */
function classify({ status, digest }: RobotsContent): RobotsClass {
  if (digest !== null) return 'file';
  if (status === null || status >= 500) return 'unreachable';
  return status >= 300 ? 'missing' : 'unknown';
}

/** Returns whether crawlers treat both responses alike. */
const areEquivalent = (one: RobotsContent, other: RobotsContent): boolean =>
  classify(one) === classify(other) && one.digest === other.digest;

/**
 * Returns whether a fetch leaves the active version unchanged, ends it, or replaces it.
 *
 * If a host fails, crawlers continue to use their cached copy. The active version therefore remains for 24 hours
 * after it was last confirmed. If no fetch has ever found a file, as on a network that this instance can't reach, only
 * a file replaces a recorded version.
 *
 * @param found Null if the fetch doesn't reveal the response that crawlers get.
 * @param sinceConfirmed Milliseconds since a fetch last confirmed the active version, or null if none has.
 */
export function determineChange(
  found: RobotsContent | null,
  current: CurrentVersion | null,
  sinceConfirmed: number | null,
): 'none' | 'ends' | 'replaced' {
  if (current === null) return found === null ? 'none' : 'replaced';
  if (found !== null && areEquivalent(found, current)) return 'none';
  const kind = found === null ? 'unknown' : classify(found);
  if (current.isOnlyRecorded && kind !== 'file') return 'none';
  const isCachedCopyValid =
    sinceConfirmed !== null && sinceConfirmed < CACHED_COPY_MS && classify(current) !== 'unreachable';
  if (kind === 'unknown') return isCachedCopyValid ? 'none' : 'ends';
  return kind === 'unreachable' && isCachedCopyValid ? 'none' : 'replaced';
}
