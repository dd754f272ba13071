import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { LRUCache } from 'lru-cache';
import { TokenUsageRepository } from './token-usage.repository.js';

const MINUTE_MS = 60_000;
/** Milliseconds between two writes. */
const WRITE_INTERVAL_MS = 2_000;
/** Tokens that wait to be written. */
const MAX_TOKENS = 10_000;

/**
 * Remembers when tokens were last used, to the minute. A request only leaves a note in memory; what the database can't
 * take is lost, and noted again with the next minute.
 */
@Injectable()
export class TokenUsage implements BeforeApplicationShutdown {
  /** Minute of the last note, by token. */
  private readonly noted = new LRUCache<string, number>({ max: MAX_TOKENS });
  private waiting = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;
  private isWriting = false;

  constructor(
    private readonly repository: TokenUsageRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => void this.write(), WRITE_INTERVAL_MS);
    this.timer.unref();
  }

  record(tokenId: string | null): void {
    if (tokenId === null) return;
    const now = Date.now();
    const minute = Math.floor(now / MINUTE_MS);
    if (this.noted.get(tokenId) === minute || this.waiting.size >= MAX_TOKENS) return;
    this.noted.set(tokenId, minute);
    this.waiting.set(tokenId, now);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  private async write(): Promise<void> {
    if (this.isWriting || this.waiting.size === 0) return;
    const used = this.waiting;
    this.waiting = new Map();
    this.isWriting = true;
    try {
      await this.repository.save(used);
    } catch (error) {
      this.logger.debug({ err: error }, 'when tokens were used is not recorded');
    } finally {
      this.isWriting = false;
    }
  }
}
