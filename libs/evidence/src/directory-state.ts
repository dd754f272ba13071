import { parseKeySet, type DirectoryFault, type KeySet } from '#libs/agents';
import { MAX_FRESHNESS_MS, MAX_RETRY_AFTER_MS, type DirectoryResult } from './key-directory.js';

/** Directory state that processes share. Times are in milliseconds since the epoch. */
export interface DirectoryRecord {
  /** Last valid key set, or null if there is none. */
  found: { document: string; fetchedAt: number; freshUntil: number } | null;
  /** Consecutive failures since the last valid key set, or null if there are none. */
  failed: { fault: DirectoryFault; count: number; at: number; retryAt: number } | null;
}

const MIN_RETRY_DELAY_MS = 30_000;
const MAX_RETRY_DELAY_MS = 300_000;
/** How long stale keys remain usable while the directory fails. */
const MAX_STALENESS_MS = 24 * 3_600_000;
/** Minimum time between the last fetch and one forced by an unknown key. */
const MIN_FORCED_FETCH_INTERVAL_MS = 30_000;
const MAX_CLOCK_SKEW_MS = 60_000;

/** In-memory state of a directory. Determines which keys are usable and when to fetch the directory again. */
export class DirectoryState {
  record: DirectoryRecord = { found: null, failed: null };
  private keys: KeySet | null = null;
  /** Time of the last lookup, in milliseconds since the epoch. */
  usedAt = 0;
  /**
   * Fraction of the freshness lifetime after which the directory is refreshed. It is random, so that processes don't
   * all refresh at once.
   */
  private readonly refreshAfter = 0.8 + Math.random() * 0.15;

  /** Returns fresh keys, or stale keys while the directory fails. Returns null if there are none. */
  usableKeys(now: number): KeySet | null {
    const { found, failed } = this.record;
    if (found === null) return null;
    if (now < found.freshUntil) return this.keys;
    // Stale keys also remain usable while a failing directory is fetched again, so lookups don't have to wait for the
    // result.
    return failed !== null && now < found.freshUntil + MAX_STALENESS_MS ? this.keys : null;
  }

  /** Returns the fault of the last attempt, or null once another attempt is allowed. */
  fault(now: number): DirectoryFault | null {
    const { failed } = this.record;
    return failed !== null && now < failed.retryAt ? failed.fault : null;
  }

  /** Returns true if an unknown key justifies an early fetch. */
  allowsForcedFetch(now: number): boolean {
    const { found } = this.record;
    return this.fault(now) === null && (found === null || now >= found.fetchedAt + MIN_FORCED_FETCH_INTERVAL_MS);
  }

  isDue(now: number): boolean {
    const { found } = this.record;
    if (this.fault(now) !== null) return false;
    if (found === null) return true;
    return now >= found.fetchedAt + (found.freshUntil - found.fetchedAt) * this.refreshAfter;
  }

  /** Records the result of a fetch. Existing keys are retained after a failure. */
  recordResult(answer: DirectoryResult, now: number): void {
    if ('keys' in answer) {
      const { document, freshForMs } = answer;
      this.keys = answer.keys;
      this.record = { found: { document, fetchedAt: now, freshUntil: now + freshForMs }, failed: null };
    } else {
      const count = (this.record.failed?.count ?? 0) + 1;
      const pause = Math.min(MIN_RETRY_DELAY_MS * 2 ** (count - 1), MAX_RETRY_DELAY_MS);
      const retryAt = now + Math.max(pause, answer.retryAfterMs);
      this.record = { found: this.record.found, failed: { fault: answer.fault, count, at: now, retryAt } };
    }
  }

  /**
   * Adopts another process's state if it is newer.
   *
   * @throws {TypeError} if its key set is invalid.
   */
  adopt({ found, failed }: DirectoryRecord, now: number): void {
    if (isFromFuture({ found, failed }, now)) return;
    if (getUpdateTime({ found, failed }) <= getUpdateTime(this.record)) return;
    const isNewer = found !== null && found.fetchedAt > (this.record.found?.fetchedAt ?? 0);
    if (isNewer) this.keys = parseKeySet(found.document);
    this.record = { found: isNewer ? found : this.record.found, failed };
  }
}

function getUpdateTime({ found, failed }: DirectoryRecord): number {
  return Math.max(found?.fetchedAt ?? 0, failed?.at ?? 0);
}

/**
 * Returns true if a record comes from a process whose clock is ahead. Such a record would preserve keys or failures for
 * too long.
 */
function isFromFuture({ found, failed }: DirectoryRecord, now: number): boolean {
  const latest = now + MAX_CLOCK_SKEW_MS;
  return (
    getUpdateTime({ found, failed }) > latest ||
    (found?.freshUntil ?? 0) > latest + MAX_FRESHNESS_MS ||
    (failed?.retryAt ?? 0) > latest + MAX_RETRY_AFTER_MS
  );
}

/** Lifetime of shared records in seconds. After that, their keys are no longer usable. */
export const RECORD_TTL_SECONDS = (MAX_FRESHNESS_MS + MAX_STALENESS_MS) / 1_000;
