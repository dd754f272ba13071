/** What a host answers; the digest of its file, as hex. */
export interface RobotsContent {
  /** Null: no answer. */
  status: number | null;
  /** Null without a file. */
  digest: string | null;
}

/** A version that is in force. */
interface CurrentVersion extends RobotsContent {
  /** Somebody recorded it, and no fetch has ever found a file there. */
  isOnlyRecorded: boolean;
}

/** Milliseconds for which crawlers go on with what they have while a host fails (RFC 9309 section 2.4). */
export const CACHED_COPY_MS = 24 * 3_600_000;

type RobotsClass = 'file' | 'missing' | 'unreachable' | 'unknown';

/** As RFC 9309 section 2.3.1 takes an answer. */
function classOf({ status, digest }: RobotsContent): RobotsClass {
  if (digest !== null) return 'file';
  if (status === null || status >= 500) return 'unreachable';
  return status >= 300 ? 'missing' : 'unknown';
}

/** Whether crawlers would do the same by both. */
const isSame = (one: RobotsContent, other: RobotsContent): boolean =>
  classOf(one) === classOf(other) && one.digest === other.digest;

/**
 * Says what a fetch changes: nothing, or what is in force ends, and what was found takes its place.
 *
 * A host that fails does not end what it served before: crawlers go on with their copy, so that stays in force for 24 hours
 * after it was last confirmed. Where no fetch has ever found a file, such as on a network that we can't reach, what somebody
 * recorded ends with a file alone.
 *
 * @param found null where the fetch says nothing of what crawlers are answered.
 * @param sinceConfirmed milliseconds since a fetch last found what is in force; null if none ever did.
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
