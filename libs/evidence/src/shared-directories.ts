import type { KeyValue } from '#libs/cache';
import type { Logger } from '#libs/platform';
import { RECORD_TTL_SECONDS, type DirectoryRecord } from './known-directory.js';

/** Seconds after which a process that was to ask a directory, and ended, is no longer waited for. */
const TURN_TTL_SECONDS = 5;

/** What processes tell each other of key directories. While that can't be had, each goes on alone. */
export class SharedDirectories {
  constructor(
    private readonly shared: KeyValue,
    private readonly logger: Logger,
  ) {}

  /** `null` when nobody knows anything. */
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

  /** Whether it is this process's turn to ask the directory. */
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
