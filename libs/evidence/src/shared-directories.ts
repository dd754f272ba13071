import type { KeyValue } from '#libs/cache';
import type { Logger } from '#libs/platform';
import { RECORD_TTL_SECONDS, type DirectoryRecord } from './known-directory.js';

/** Seconds after which a turn expires, in case its process ends before the fetch. */
const TURN_TTL_SECONDS = 5;

/** Shares key directories between processes. While the store is unavailable, each process works on its own. */
export class SharedDirectories {
  constructor(
    private readonly shared: KeyValue,
    private readonly logger: Logger,
  ) {}

  /** Returns `null` if no record is stored, or the store is unavailable. */
  async read(url: string): Promise<DirectoryRecord | null> {
    const text = await this.tolerating(() => this.shared.get(`directory:${url}`), null);
    return text === null ? null : (JSON.parse(text) as DirectoryRecord);
  }

  async write(url: string, record: DirectoryRecord): Promise<void> {
    await this.tolerating(
      () => this.shared.set(`directory:${url}`, JSON.stringify(record), RECORD_TTL_SECONDS),
      undefined,
    );
  }

  /** Returns true if this process should fetch the directory. */
  async takeTurn(url: string): Promise<boolean> {
    return this.tolerating(() => this.shared.claim(`directory-turn:${url}`, TURN_TTL_SECONDS), true);
  }

  async endTurn(url: string): Promise<void> {
    await this.tolerating(() => this.shared.delete(`directory-turn:${url}`), undefined);
  }

  private async tolerating<T>(command: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await command();
    } catch (error) {
      this.logger.debug({ err: error }, 'what is known of key directories is not shared');
      return otherwise;
    }
  }
}
