import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { Counter, Gauge } from 'prom-client';
import type { Awaitable, KeyAnswer, KeyDirectories, KeySet } from '#libs/agents';
import type { KeyValue } from '#libs/cache';
import type { Logger } from '#libs/platform';
import type { GuardedFetch } from './guarded-fetch.js';
import { askKeyDirectory } from './key-directory.js';
import { KnownDirectory } from './known-directory.js';
import { SharedDirectories } from './shared-directories.js';

export interface KeyDirectoriesOptions {
  fetch: GuardedFetch;
  /** Store through which processes share directories. */
  shared: KeyValue;
  /** Returns true if the catalog lists the directory. Others are never fetched. */
  isListed(url: string): boolean;
  /** Key sets configured by the operator, by URL. They take precedence and are never fetched. */
  pinned?: () => ReadonlyMap<string, KeySet>;
  logger: Logger;
  /** Returns the time in milliseconds since the epoch. */
  now?: () => number;
  /** Milliseconds between checks for directories to refresh. Default: 5000. */
  refreshIntervalMs?: number;
}

const fetches = new Counter({
  name: 'agent_traffic_key_directory_fetches_total',
  help: 'Key directories fetched; outcome: ok, or the error',
  labelNames: ['outcome'],
});
const lookups = new Counter({
  name: 'agent_traffic_key_directory_lookups_total',
  help: 'Key lookups; outcome: memory, asked (fetch required), or failing (last fetch failed)',
  labelNames: ['outcome'],
});
const oldest = new Gauge({
  name: 'agent_traffic_key_directory_oldest_fetch_timestamp_seconds',
  help: 'Unix time of the last good fetch of the oldest key directory in use; 0 without one',
});

const MAX_FETCHES = 16;
/** Polling interval and timeout while another process fetches a directory, in milliseconds. */
const LOOK_INTERVAL_MS = 50;
const MAX_WAIT_MS = 6_000;
/** Milliseconds after its last use for which a directory is kept fresh. */
const IN_USE_MS = 24 * 3_600_000;

/**
 * Key directories in memory, refreshed in the background. A lookup only waits for a fetch if no usable keys are in
 * memory, or the key isn't among them. A key only counts for the directory that contains it.
 */
export class CachedKeyDirectories implements KeyDirectories {
  private readonly known = new Map<string, KnownDirectory>();
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly limit = pLimit(MAX_FETCHES);
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

  find(url: string, keyId: string): Awaitable<KeyAnswer> {
    const pinned = this.options.pinned?.().get(url);
    if (pinned !== undefined) return answerOf(pinned, keyId);
    if (!this.options.isListed(url)) return { fault: 'directory_address_refused' };
    const directory = this.known.get(url) ?? new KnownDirectory();
    this.known.set(url, directory);
    const now = this.now();
    directory.usedAt = now;
    const keys = directory.usableKeys(now);
    if (keys?.has(keyId)) return counted('memory', answerOf(keys, keyId));
    const fault = directory.fault(now);
    if (fault !== null) return counted('failing', { fault });
    if (keys !== null && !directory.admitsForced(now)) return counted('memory', { fault: 'key_not_in_directory' });
    lookups.inc({ outcome: 'asked' });
    // The directory may have added the key since the last fetch.
    const suffices = (at: number): boolean => !directory.admitsForced(at) || !!directory.usableKeys(at)?.has(keyId);
    return this.ask(url, directory, keys === null ? undefined : suffices).then(() => {
      const found = directory.usableKeys(this.now());
      return found ? answerOf(found, keyId) : { fault: directory.fault(this.now()) ?? 'directory_pending' };
    });
  }

  /** Refreshes directories whose keys are about to become stale, and forgets unused ones. Also runs on a timer. */
  async refresh(): Promise<void> {
    const now = this.now();
    const due: Promise<void>[] = [];
    for (const [url, directory] of this.known) {
      const isPinned = this.options.pinned?.().has(url) ?? false;
      if (isPinned || !this.options.isListed(url) || now > directory.usedAt + IN_USE_MS) this.known.delete(url);
      else if (directory.isDue(now)) due.push(this.ask(url, directory));
    }
    await Promise.all(due);
    const fetched = [...this.known.values()].flatMap(({ record }) => record.found?.fetchedAt ?? []);
    oldest.set(fetched.length > 0 ? Math.min(...fetched) / 1_000 : 0);
  }

  /** Stops refreshing and cancels fetches in flight. */
  close(): void {
    clearInterval(this.timer);
    this.closing.abort();
  }

  /**
   * Updates a directory, from another process or by fetching it. Never rejects.
   *
   * @param suffices Whether the update from another process makes a fetch unnecessary. Default: its keys are fresh.
   */
  private ask(url: string, directory: KnownDirectory, suffices?: (now: number) => boolean): Promise<void> {
    const enough = suffices ?? ((now: number) => !directory.isDue(now));
    let asking = this.underWay.get(url);
    if (asking === undefined) {
      asking = this.limit(() => this.askInTurn(url, directory, enough))
        .catch((error: unknown) => this.options.logger.error({ err: error, directory: url }, 'key directory'))
        .finally(() => this.underWay.delete(url));
      this.underWay.set(url, asking);
    }
    return asking;
  }

  private async askInTurn(url: string, directory: KnownDirectory, enough: (now: number) => boolean): Promise<void> {
    for (let waited = 0; waited < MAX_WAIT_MS && !this.closing.signal.aborted; waited += LOOK_INTERVAL_MS) {
      // Read after taking the turn: the previous owner has written its result by then.
      const isOurTurn = await this.shared.takeTurn(url);
      try {
        await this.adoptShared(url, directory);
        if (enough(this.now())) return;
        if (isOurTurn) return await this.fetch(url, directory);
      } finally {
        if (isOurTurn) await this.shared.endTurn(url);
      }
      await pause(LOOK_INTERVAL_MS);
    }
  }

  private async adoptShared(url: string, directory: KnownDirectory): Promise<void> {
    try {
      const record = await this.shared.read(url);
      if (record !== null) directory.adopt(record, this.now());
    } catch (error) {
      this.options.logger.warn({ err: error, directory: url }, 'what others know of a key directory is unreadable');
    }
  }

  private async fetch(url: string, directory: KnownDirectory): Promise<void> {
    const { fetch, logger } = this.options;
    const answer = await askKeyDirectory(url, fetch, this.now, this.closing.signal);
    // A canceled fetch doesn't count as a failure.
    if (this.closing.signal.aborted) return;
    const isFailure = 'fault' in answer;
    fetches.inc({ outcome: isFailure ? answer.fault : 'ok' });
    const wasFailing = directory.record.failed !== null;
    directory.learn(answer, this.now());
    if (isFailure) {
      const { fault, reason } = answer;
      logger[wasFailing ? 'debug' : 'warn']({ directory: url, fault, reason }, 'key directory cannot be fetched');
    } else logger[wasFailing ? 'info' : 'debug']({ directory: url, keys: answer.keys.size }, 'key directory fetched');
    await this.shared.write(url, directory.record);
  }
}

function counted(outcome: 'memory' | 'failing', answer: KeyAnswer): KeyAnswer {
  lookups.inc({ outcome });
  return answer;
}

function answerOf(keys: KeySet, keyId: string): KeyAnswer {
  const key = keys.get(keyId);
  return key === undefined ? { fault: 'key_not_in_directory' } : { key };
}
