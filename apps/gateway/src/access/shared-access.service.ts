import { Inject, Injectable } from '@nestjs/common';
import { createLruOptions, KeyValueStore } from '#libs/cache';
import { accessKey } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { LRUCache } from 'lru-cache';
import type { ProjectAccess } from './access.repository.js';

const LIFETIME_SECONDS = 3_600;

/** Shares authorization data through the key-value store, so gateways can start while the database is down. */
@Injectable()
export class SharedAccess {
  /** Recently written values, used to skip redundant writes. */
  private readonly written = new LRUCache<string, string>({
    ...createLruOptions(10_000),
    ttl: (LIFETIME_SECONDS / 2) * 1_000,
  });

  constructor(
    private readonly keyValue: KeyValueStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores the entries in the background. Failures are only logged.
   *
   * @param found Access by hex-encoded SHA-256 hash of the token.
   */
  keep(found: ReadonlyMap<string, ProjectAccess>): void {
    for (const [hash, access] of found) {
      const text = JSON.stringify(access);
      if (this.written.get(hash) === text) continue;
      this.written.set(hash, text);
      this.keyValue.set(accessKey(hash), text, LIFETIME_SECONDS).catch((error: unknown) => {
        this.written.delete(hash);
        this.logger.debug({ err: error }, "could not share a token's authorization data");
      });
    }
  }

  async find(hash: string): Promise<ProjectAccess | undefined> {
    const text = await this.keyValue.get(accessKey(hash)).catch(() => null);
    if (text === null) return undefined;
    return JSON.parse(text) as ProjectAccess;
  }
}
