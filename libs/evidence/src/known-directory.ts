import { readKeySet, type DirectoryFault, type KeySet } from '#libs/agents';
import { MAX_FRESHNESS_MS, MAX_RETRY_AFTER_MS, type DirectoryAnswer } from './key-directory.js';

/** What is known of a directory as it is shared with other processes. Times are milliseconds since the epoch. */
export interface DirectoryRecord {
  /** The last key set that it gave; `null` when it never did. */
  found: { document: string; fetchedAt: number; freshUntil: number } | null;
  /** Since then it failed this often in a row; `null` when it didn't. */
  failed: { fault: DirectoryFault; count: number; at: number; retryAt: number } | null;
}

const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 300_000;
/** Keys outlive their freshness by this while there are no newer ones to be had. */
const MAX_STALENESS_MS = 24 * 3_600_000;
/** Milliseconds between two questions because of a key that is not in the set. */
const FORCED_PAUSE_MS = 30_000;
/** Milliseconds by which another process's clock may be ahead. */
const CLOCK_SKEW_MS = 60_000;

/** One directory in memory: its keys, how long they hold, and when it may be asked again. */
export class KnownDirectory {
  record: DirectoryRecord = { found: null, failed: null };
  private keys: KeySet | null = null;
  /** When a request last asked for one of its keys. */
  usedAt = 0;
  /** The share of the freshness after which it is asked again: processes don't all do so at the same moment. */
  private readonly refreshAfter = 0.8 + Math.random() * 0.15;

  /** The keys that count now: fresh ones, or stale ones that could not be replaced. */
  usableKeys(now: number): KeySet | null {
    const { found, failed } = this.record;
    if (found === null) return null;
    if (now < found.freshUntil) return this.keys;
    // Also while it is asked again: nobody waits for a directory that has failed.
    return failed !== null && now < found.freshUntil + MAX_STALENESS_MS ? this.keys : null;
  }

  /** The fault of the last attempt while it is too early for another. */
  fault(now: number): DirectoryFault | null {
    const { failed } = this.record;
    return failed !== null && now < failed.retryAt ? failed.fault : null;
  }

  /** Whether it may be asked out of turn, since it may have a key now that it had not. */
  admitsForced(now: number): boolean {
    const { found } = this.record;
    return this.fault(now) === null && (found === null || now >= found.fetchedAt + FORCED_PAUSE_MS);
  }

  /** Whether it is time to ask again, so that its keys stay fresh. */
  isDue(now: number): boolean {
    const { found } = this.record;
    if (this.fault(now) !== null) return false;
    if (found === null) return true;
    return now >= found.fetchedAt + (found.freshUntil - found.fetchedAt) * this.refreshAfter;
  }

  /** Takes in what it answered. A failure leaves the keys as they are. */
  learn(answer: DirectoryAnswer, now: number): void {
    if ('keys' in answer) {
      const { document, freshForMs } = answer;
      this.keys = answer.keys;
      this.record = { found: { document, fetchedAt: now, freshUntil: now + freshForMs }, failed: null };
    } else {
      const count = (this.record.failed?.count ?? 0) + 1;
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), MAX_PAUSE_MS);
      const retryAt = now + Math.max(pause, answer.retryAfterMs);
      this.record = { found: this.record.found, failed: { fault: answer.fault, count, at: now, retryAt } };
    }
  }

  /** Takes in what another process learned, if it is news. @throws {Error} when its keys can't be read. */
  adopt({ found, failed }: DirectoryRecord, now: number): void {
    if (isFromFuture({ found, failed }, now)) return;
    if (learnedAt({ found, failed }) <= learnedAt(this.record)) return;
    const isNewer = found !== null && found.fetchedAt > (this.record.found?.fetchedAt ?? 0);
    if (isNewer) this.keys = readKeySet(found.document);
    this.record = { found: isNewer ? found : this.record.found, failed };
  }
}

function learnedAt({ found, failed }: DirectoryRecord): number {
  return Math.max(found?.fetchedAt ?? 0, failed?.at ?? 0);
}

/** A clock that is ahead must not hold keys, or a failure, for longer than anybody would have. */
function isFromFuture({ found, failed }: DirectoryRecord, now: number): boolean {
  const latest = now + CLOCK_SKEW_MS;
  return (
    learnedAt({ found, failed }) > latest ||
    (found?.freshUntil ?? 0) > latest + MAX_FRESHNESS_MS ||
    (failed?.retryAt ?? 0) > latest + MAX_RETRY_AFTER_MS
  );
}

/** Seconds for which a record is of use to anybody. */
export const RECORD_TTL_SECONDS = (MAX_FRESHNESS_MS + MAX_STALENESS_MS) / 1_000;
