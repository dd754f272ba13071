import { Inject, Injectable } from '@nestjs/common';
import { atMost, KeyValue } from '#libs/cache';
import { accessKey } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { LRUCache } from 'lru-cache';
import type { ProjectAccess } from './access.repository.js';

/** Seconds for which an answer of the database holds while it can't be asked. */
const LIFETIME_SECONDS = 3_600;

/** What the database answered, for gateways that start while it is away. */
@Injectable()
export class SharedAccess {
  /** What was written lately: the same is not written again at every refresh. */
  private readonly written = new LRUCache<string, string>({ ...atMost(10_000), ttl: (LIFETIME_SECONDS / 2) * 1_000 });

  constructor(
    private readonly keyValue: KeyValue,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Best effort, and nothing to wait for. @param found by SHA-256 of the token, hex. */
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
