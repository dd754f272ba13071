/** Response of a host to a request for robots.txt. */
export interface RobotsContent {
  /** Null if the host did not respond. */
  status: number | null;
  /** SHA-256 of the file in hex, or null if there is none. */
  digest: string | null;
}

interface CurrentVersion extends RobotsContent {
  /** True if a person recorded the version and no fetch has ever found a file there. */
  isOnlyRecorded: boolean;
}

/** Time for which crawlers keep using a cached file while the host fails (RFC 9309 section 2.4). */
export const CACHED_COPY_MS = 24 * 3_600_000;

type RobotsClass = 'file' | 'missing' | 'unreachable' | 'unknown';

/** Classifies a response as in RFC 9309 section 2.3.1. */
function classOf({ status, digest }: RobotsContent): RobotsClass {
  if (digest !== null) return 'file';
  if (status === null || status >= 500) return 'unreachable';
  return status >= 300 ? 'missing' : 'unknown';
}

/** Returns true if both mean the same to crawlers. */
const isSame = (one: RobotsContent, other: RobotsContent): boolean =>
  classOf(one) === classOf(other) && one.digest === other.digest;

/**
 * Returns how a fetch affects the version in force: it stays, ends without a replacement, or is replaced.
 *
 * If a host fails, crawlers keep using their cached copy. The version in force therefore remains for 24 hours after it
 * was last confirmed. If no fetch has ever found a file, as on a network that we can't reach, only a file replaces a
 * recorded version.
 *
 * @param found Null if the fetch does not reveal the response that crawlers get.
 * @param sinceConfirmed Milliseconds since a fetch last confirmed the version in force, or null if none has.
 */
export function changeBy(
  found: RobotsContent | null,
  current: CurrentVersion | null,
  sinceConfirmed: number | null,
): 'none' | 'ends' | 'replaced' {
  if (current === null) return found === null ? 'none' : 'replaced';
  if (found !== null && isSame(found, current)) return 'none';
  const kind = found === null ? 'unknown' : classOf(found);
  if (current.isOnlyRecorded && kind !== 'file') return 'none';
  const isCopyGood = sinceConfirmed !== null && sinceConfirmed < CACHED_COPY_MS && classOf(current) !== 'unreachable';
  if (kind === 'unknown') return isCopyGood ? 'none' : 'ends';
  return kind === 'unreachable' && isCopyGood ? 'none' : 'replaced';
}
