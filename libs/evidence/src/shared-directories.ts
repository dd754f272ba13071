import type { KeyValueStore } from '#libs/cache';
import type { Logger } from '#libs/platform';
import { RECORD_TTL_SECONDS, type DirectoryRecord } from './directory-state.js';

/** Lifetime of a turn in seconds, in case its owner exits before finishing the fetch. */
const TURN_TTL_SECONDS = 5;

/** Shares key directories between processes. While the store is unavailable, each process works independently. */
export class SharedDirectories {
  constructor(
    private readonly shared: KeyValueStore,
    private readonly logger: Logger,
  ) {}

  /** Returns null if no record is stored or the store is unavailable. */
  async read(url: string): Promise<DirectoryRecord | null> {
    const text = await this.withFallback(() => this.shared.get(`directory:${url}`), null);
    return text === null ? null : (JSON.parse(text) as DirectoryRecord);
  }

  async write(url: string, record: DirectoryRecord): Promise<void> {
    await this.withFallback(
      () => this.shared.set(`directory:${url}`, JSON.stringify(record), RECORD_TTL_SECONDS),
      undefined,
    );
  }

  /** Returns true if this process acquired the turn to fetch the directory. */
  async takeTurn(url: string): Promise<boolean> {
    return this.withFallback(() => this.shared.claim(`directory-turn:${url}`, TURN_TTL_SECONDS), true);
  }

  async endTurn(url: string): Promise<void> {
    await this.withFallback(() => this.shared.delete(`directory-turn:${url}`), undefined);
  }

  private async withFallback<T>(command: () => Promise<T>, fallback: T): Promise<T> {
    try {
      return await command();
    } catch (error) {
      this.logger.debug({ err: error }, 'cannot share key directories between processes');
      return fallback;
    }
  }
}
