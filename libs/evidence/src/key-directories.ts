import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { Counter, Gauge } from 'prom-client';
import type { Awaitable, KeyResult, KeyDirectories, KeySet } from '#libs/agents';
import type { KeyValueStore } from '#libs/cache';
import type { Logger } from '#libs/platform';
import type { GuardedFetch } from './guarded-fetch.js';
import { fetchKeyDirectory } from './key-directory.js';
import { DirectoryState } from './directory-state.js';
import { SharedDirectories } from './shared-directories.js';

export interface KeyDirectoriesOptions {
  fetch: GuardedFetch;
  /** Key-value store used to share directories between processes. */
  shared: KeyValueStore;
  /** Returns true if the catalog lists the directory. Unlisted directories are never fetched. */
  isListed(url: string): boolean;
  /**
   * Returns the key sets configured by the operator, by directory URL. They take precedence, and their directories are
   * never fetched.
   */
  pinned?: () => ReadonlyMap<string, KeySet>;
  logger: Logger;
  /** Returns the current time in milliseconds since the epoch. */
  now?: () => number;
  /** Interval between checks for directories to refresh, in milliseconds. Default: 5000. */
  refreshIntervalMs?: number;
}

const fetchCounter = new Counter({
  name: 'agent_traffic_key_directory_fetches_total',
  help: 'Key directory fetches, by outcome: ok or the failure reason',
  labelNames: ['outcome'],
});
const lookupCounter = new Counter({
  name: 'agent_traffic_key_directory_lookups_total',
  help: 'Key lookups, by outcome: memory, asked (fetch required) or failing (last fetch failed)',
  labelNames: ['outcome'],
});
const oldestFetch = new Gauge({
  name: 'agent_traffic_key_directory_oldest_fetch_timestamp_seconds',
  help: 'Unix time of the last successful fetch of the oldest key directory in use; 0 if there is none',
});

const MAX_CONCURRENT_FETCHES = 16;
/** Polling interval while another process fetches a directory. */
const POLL_INTERVAL_MS = 50;
const MAX_WAIT_MS = 6_000;
/** How long a directory is refreshed in the background after its last use. */
const UNUSED_TTL_MS = 24 * 3_600_000;

/**
 * In-memory cache of key directories, refreshed in the background. A lookup only waits for a fetch if no usable keys
 * are cached or the key isn't among them. A key is only valid for the directory that contains it.
 */
export class CachedKeyDirectories implements KeyDirectories {
  private readonly directories = new Map<string, DirectoryState>();
  private readonly inFlightUpdates = new Map<string, Promise<void>>();
  private readonly limit = pLimit(MAX_CONCURRENT_FETCHES);
  private readonly closing = new AbortController();
  private readonly shared: SharedDirectories;
  private readonly now: () => number;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: KeyDirectoriesOptions) {
    this.shared = new SharedDirectories(options.shared, options.logger);
    this.now = options.now ?? Date.now;
    this.timer = setInterval(() => void this.refresh(), options.refreshIntervalMs ?? 5_000);
    this.timer.unref();
  }

  find(url: string, keyId: string): Awaitable<KeyResult> {
    const pinned = this.options.pinned?.().get(url);
    if (pinned !== undefined) return findKey(pinned, keyId);
    if (!this.options.isListed(url)) return { fault: 'directory_address_refused' };
    const directory = this.directories.get(url) ?? new DirectoryState();
    this.directories.set(url, directory);
    const now = this.now();
    directory.usedAt = now;
    const keys = directory.usableKeys(now);
    if (keys?.has(keyId)) return countLookup('memory', findKey(keys, keyId));
    const fault = directory.fault(now);
    if (fault !== null) return countLookup('failing', { fault });
    if (keys !== null && !directory.allowsForcedFetch(now))
      return countLookup('memory', { fault: 'key_not_in_directory' });
    lookupCounter.inc({ outcome: 'asked' });
    // The directory may have added the key since the last fetch.
    const isSufficient = (at: number): boolean =>
      !directory.allowsForcedFetch(at) || !!directory.usableKeys(at)?.has(keyId);
    return this.update(url, directory, keys === null ? undefined : isSufficient).then(() => {
      const found = directory.usableKeys(this.now());
      return found ? findKey(found, keyId) : { fault: directory.fault(this.now()) ?? 'directory_pending' };
    });
  }

  async listCached(urls: Iterable<string>): Promise<ReadonlyMap<string, KeySet>> {
    const cached = new Map<string, KeySet>();
    const pinned = this.options.pinned?.();
    for (const url of urls) {
      const keys = pinned?.get(url) ?? (await this.readCached(url));
      if (keys !== null) cached.set(url, keys);
    }
    return cached;
  }

  /** Refreshes directories whose keys are about to become stale, and removes unused ones. Also runs on a timer. */
  async refresh(): Promise<void> {
    const now = this.now();
    const due: Promise<void>[] = [];
    for (const [url, directory] of this.directories) {
      const isPinned = this.options.pinned?.().has(url) ?? false;
      if (isPinned || !this.options.isListed(url) || now > directory.usedAt + UNUSED_TTL_MS)
        this.directories.delete(url);
      else if (directory.isDue(now)) due.push(this.update(url, directory));
    }
    await Promise.all(due);
    const fetched = [...this.directories.values()].flatMap(({ record }) => record.found?.fetchedAt ?? []);
    oldestFetch.set(fetched.length > 0 ? Math.min(...fetched) / 1_000 : 0);
  }

  /** Stops background refreshes and cancels in-flight fetches. */
  close(): void {
    clearInterval(this.timer);
    this.closing.abort();
  }

  /** Returns this process's keys, or those that another process has fetched. */
  private async readCached(url: string): Promise<KeySet | null> {
    const now = this.now();
    const own = this.directories.get(url)?.usableKeys(now) ?? null;
    if (own !== null) return own;
    const directory = new DirectoryState();
    await this.adoptShared(url, directory);
    return directory.usableKeys(now);
  }

  /**
   * Updates a directory, either with another process's result or by fetching it. Never rejects.
   *
   * @param isSufficient Returns true if the other process's result makes a fetch unnecessary. Default: its keys are fresh.
   */
  private async update(url: string, directory: DirectoryState, isSufficient?: (now: number) => boolean): Promise<void> {
    const isUpToDate = isSufficient ?? ((now: number) => !directory.isDue(now));
    const inFlight = this.inFlightUpdates.get(url);
    if (inFlight !== undefined) {
      await inFlight;
      // It may have been started with a different condition.
      if (isUpToDate(this.now())) return;
    }
    await (this.inFlightUpdates.get(url) ?? this.startUpdate(url, directory, isUpToDate));
  }

  private startUpdate(url: string, directory: DirectoryState, isUpToDate: (now: number) => boolean): Promise<void> {
    const update = this.limit(() => this.updateInTurn(url, directory, isUpToDate))
      .catch((error: unknown) =>
        this.options.logger.error({ err: error, directory: url }, 'failed to update key directory'),
      )
      .finally(() => this.inFlightUpdates.delete(url));
    this.inFlightUpdates.set(url, update);
    return update;
  }

  private async updateInTurn(
    url: string,
    directory: DirectoryState,
    isUpToDate: (now: number) => boolean,
  ): Promise<void> {
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS && !this.closing.signal.aborted; waitedMs += POLL_INTERVAL_MS) {
      // Take the turn before reading, because the previous owner writes its result before it releases the turn.
      const isOurTurn = await this.shared.takeTurn(url);
      try {
        await this.adoptShared(url, directory);
        if (isUpToDate(this.now())) return;
        if (isOurTurn) return await this.fetch(url, directory);
      } finally {
        if (isOurTurn) await this.shared.endTurn(url);
      }
      await pause(POLL_INTERVAL_MS);
    }
  }

  private async adoptShared(url: string, directory: DirectoryState): Promise<void> {
    try {
      const record = await this.shared.read(url);
      if (record !== null) directory.adopt(record, this.now());
    } catch (error) {
      this.options.logger.warn({ err: error, directory: url }, 'shared key directory record is invalid');
    }
  }

  private async fetch(url: string, directory: DirectoryState): Promise<void> {
    const { fetch, logger } = this.options;
    const answer = await fetchKeyDirectory(url, fetch, this.now, this.closing.signal);
    // A canceled fetch doesn't count as a failure.
    if (this.closing.signal.aborted) return;
    const isFailure = 'fault' in answer;
    fetchCounter.inc({ outcome: isFailure ? answer.fault : 'ok' });
    const wasFailing = directory.record.failed !== null;
    directory.recordResult(answer, this.now());
    if (isFailure) {
      const { fault, reason } = answer;
      logger[wasFailing ? 'debug' : 'warn']({ directory: url, fault, reason }, 'failed to fetch key directory');
    } else logger[wasFailing ? 'info' : 'debug']({ directory: url, keys: answer.keys.size }, 'fetched key directory');
    await this.shared.write(url, directory.record);
  }
}

function countLookup(outcome: 'memory' | 'failing', answer: KeyResult): KeyResult {
  lookupCounter.inc({ outcome });
  return answer;
}

function findKey(keys: KeySet, keyId: string): KeyResult {
  const key = keys.get(keyId);
  return key === undefined ? { fault: 'key_not_in_directory' } : { key };
}
