import { Inject, Injectable } from '@nestjs/common';
import { atMost, KeyValue } from '#libs/cache';
import { accessKey } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { LRUCache } from 'lru-cache';
import type { ProjectAccess } from './access.repository.js';

const LIFETIME_SECONDS = 3_600;

/** Shares authorization data with other gateways, which may start while the database is down. */
@Injectable()
export class SharedAccess {
  /** Recently written values, to skip writes that change nothing. */
  private readonly written = new LRUCache<string, string>({ ...atMost(10_000), ttl: (LIFETIME_SECONDS / 2) * 1_000 });

  constructor(
    private readonly keyValue: KeyValue,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores the entries in the background and ignores failures.
   *
   * @param found Keyed by SHA-256 of the token, hex.
   */
  keep(found: ReadonlyMap<string, ProjectAccess>): void {
    for (const [hash, access] of found) {
      const text = JSON.stringify(access);
      if (this.written.get(hash) === text) continue;
      this.written.set(hash, text);
      this.keyValue.set(accessKey(hash), text, LIFETIME_SECONDS).catch((error: unknown) => {
        this.written.delete(hash);
        this.logger.debug({ err: error }, 'the answer about a token is not shared');
      });
    }
  }

  async find(hash: string): Promise<ProjectAccess | undefined> {
    const text = await this.keyValue.get(accessKey(hash)).catch(() => null);
    if (text === null) return undefined;
    return JSON.parse(text) as ProjectAccess;
  }
}
