import type { Engine, EngineClass, SnapshotKey } from './engine.js';
import { get, InstanceError } from './instance.js';
import type { Settings } from './options.js';
import { createSnapshotStore, type SnapshotStore, type StoredSnapshot } from './snapshot-store.js';
import type { WaitUntil } from './types.js';

const KEYS_PATH = '/.well-known/agent-traffic-statement-keys.json';
/** How often a newer snapshot is downloaded. */
const REFRESH_INTERVAL_MS = 60_000;
/** Delay after a failed download. */
const RETRY_INTERVAL_MS = 10_000;
/** Time after which a download is taken as canceled. Runtimes cancel one without settling its promise. */
const DOWNLOAD_TIMEOUT_MS = 60_000;

/** Keeps the project's snapshot up to date in the background. Each use may start a download, but none waits for it. */
export class Snapshots {
  private engine: Engine | null = null;
  private stored: StoredSnapshot | null = null;
  private keys: readonly SnapshotKey[] = [];
  private nextRefreshAt = Number.NEGATIVE_INFINITY;
  private inFlight: { download: Promise<void>; startedAt: number } | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly engineClass: EngineClass,
    private store: SnapshotStore | null = null,
  ) {}

  /** Returns the current engine, or null until the first snapshot is available. */
  current(waitUntil?: WaitUntil): Engine | null {
    if (performance.now() >= this.nextRefreshAt) {
      const refresh = this.refresh();
      waitUntil?.(refresh);
    }
    return this.engine;
  }

  /** Downloads the latest snapshot. Never rejects. */
  refresh(): Promise<void> {
    const startedAt = performance.now();
    if (this.inFlight !== null && startedAt < this.inFlight.startedAt + DOWNLOAD_TIMEOUT_MS) {
      return this.inFlight.download;
    }
    this.nextRefreshAt = startedAt + REFRESH_INTERVAL_MS;
    const download = this.download()
      .catch((error: unknown) => {
        this.nextRefreshAt = performance.now() + RETRY_INTERVAL_MS;
        this.settings.onProblem(`failed to download a snapshot: ${String(error)}`);
      })
      .finally(() => {
        if (this.inFlight?.download === download) this.inFlight = null;
      });
    this.inFlight = { download, startedAt };
    return download;
  }

  private async download(): Promise<void> {
    if (this.store === null) {
      this.store = await createSnapshotStore(`${this.settings.url} ${this.settings.token}`);
      this.stored = await this.store.read().catch(() => null);
    }
    const { status, headers, text } = await get(this.settings, '/snapshot', {
      headers: { ...(this.stored !== null && { 'if-none-match': this.stored.tag }) },
    });
    const manifest = headers.get('agent-traffic-manifest') ?? '';
    const isUnchanged = status === 304 && this.stored !== null;
    const next = isUnchanged
      ? { ...this.stored!, manifest }
      : { tag: headers.get('etag') ?? '', manifest, content: text };
    try {
      await this.adopt(next, isUnchanged);
    } catch (error) {
      // The stored content could be damaged, so the next attempt downloads it again.
      this.stored = null;
      throw error;
    }
    this.stored = next;
    await this.store.write(next).catch(() => undefined);
  }

  private async adopt(snapshot: StoredSnapshot, isUnchanged: boolean): Promise<void> {
    const open = async (): Promise<void> => {
      const options = { keys: this.keys, token: this.settings.token };
      if (isUnchanged && this.engine !== null) await this.engine.renew(snapshot.manifest, options);
      else this.engine = await this.engineClass.open(snapshot, { ...options, issuedAt: this.engine?.issuedAt });
    };
    if (this.keys.length === 0) await this.downloadKeys();
    try {
      await open();
    } catch (error) {
      // The instance may have replaced its key.
      if ((error as { fault?: unknown }).fault !== 'unknown_key') throw error;
      await this.downloadKeys();
      await open();
    }
  }

  private async downloadKeys(): Promise<void> {
    const { text } = await get(this.settings, KEYS_PATH);
    const { keys } = JSON.parse(text) as { keys?: readonly SnapshotKey[] };
    if (!Array.isArray(keys)) throw new InstanceError(`GET ${KEYS_PATH} returned no keys`, 200);
    this.keys = keys;
  }
}
