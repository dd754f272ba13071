import { readKeySet, type DirectoryFault, type KeySet } from '#libs/agents';
import { MAX_FRESHNESS_MS, MAX_RETRY_AFTER_MS, type DirectoryAnswer } from './key-directory.js';

/** State of a directory, as shared with other processes. Times are milliseconds since the epoch. */
export interface DirectoryRecord {
  /** Last valid key set; `null` if there is none. */
  found: { document: string; fetchedAt: number; freshUntil: number } | null;
  /** Consecutive failures since then; `null` if there are none. */
  failed: { fault: DirectoryFault; count: number; at: number; retryAt: number } | null;
}

const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 300_000;
/** Milliseconds for which stale keys remain usable while the directory fails. */
const MAX_STALENESS_MS = 24 * 3_600_000;
/** Minimum milliseconds between the last fetch and one forced by an unknown key. */
const FORCED_PAUSE_MS = 30_000;
/** Maximum clock skew of another process, in milliseconds. */
const CLOCK_SKEW_MS = 60_000;

/** A directory in memory. Decides which keys are usable and when to fetch it again. */
export class KnownDirectory {
  record: DirectoryRecord = { found: null, failed: null };
  private keys: KeySet | null = null;
  /** Time of the last lookup. */
  usedAt = 0;
  /** Fraction of the freshness period to wait before refreshing. Random, so processes don't all refresh at once. */
  private readonly refreshAfter = 0.8 + Math.random() * 0.15;

  /** Returns the usable keys: fresh ones, or stale ones while the directory fails. */
  usableKeys(now: number): KeySet | null {
    const { found, failed } = this.record;
    if (found === null) return null;
    if (now < found.freshUntil) return this.keys;
    // Also during the next fetch, so no request waits for a directory that has failed.
    return failed !== null && now < found.freshUntil + MAX_STALENESS_MS ? this.keys : null;
  }

  /** Returns the fault of the last attempt while it is too early for another, else null. */
  fault(now: number): DirectoryFault | null {
    const { failed } = this.record;
    return failed !== null && now < failed.retryAt ? failed.fault : null;
  }

  /** Returns true if an unknown key justifies a fetch before the next refresh. */
  admitsForced(now: number): boolean {
    const { found } = this.record;
    return this.fault(now) === null && (found === null || now >= found.fetchedAt + FORCED_PAUSE_MS);
  }

  isDue(now: number): boolean {
    const { found } = this.record;
    if (this.fault(now) !== null) return false;
    if (found === null) return true;
    return now >= found.fetchedAt + (found.freshUntil - found.fetchedAt) * this.refreshAfter;
  }

  /** Stores the result of a fetch. A failure keeps the keys. */
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

  /**
   * Adopts the state of another process if it is newer.
   *
   * @throws {Error} if its keys are invalid.
   */
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

/** Returns true for a record from a clock that is ahead. It would keep keys or failures for too long. */
function isFromFuture({ found, failed }: DirectoryRecord, now: number): boolean {
  const latest = now + CLOCK_SKEW_MS;
  return (
    learnedAt({ found, failed }) > latest ||
    (found?.freshUntil ?? 0) > latest + MAX_FRESHNESS_MS ||
    (failed?.retryAt ?? 0) > latest + MAX_RETRY_AFTER_MS
  );
}

/** Lifetime of shared records, in seconds. Afterwards, their keys are no longer usable. */
export const RECORD_TTL_SECONDS = (MAX_FRESHNESS_MS + MAX_STALENESS_MS) / 1_000;
