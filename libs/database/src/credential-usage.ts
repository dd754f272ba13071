import type { FactoryProvider } from '@nestjs/common';
import { BufferedWriter, LOGGER, type Logger } from '#libs/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';

const MINUTE_MS = 60_000;
const WRITE_INTERVAL_MS = 2_000;
const MAX_CREDENTIALS = 10_000;

type Table = 'access_tokens' | 'api_keys' | 'shared_links';

/**
 * Records when credentials were last used, to the minute. Writes are batched in the background, so requests never wait
 * for the database. If a write fails, the usage is recorded the next time the credential is used in a later minute.
 */
export class CredentialUsage extends BufferedWriter<number> {
  /** Minute of the last recorded use (minutes since the epoch), by credential ID. */
  private readonly recorded = new LRUCache<string, number>({ max: MAX_CREDENTIALS });

  constructor(
    private readonly dataSource: DataSource,
    logger: Logger,
    private readonly table: Table,
  ) {
    super(logger, 'failed to record when credentials were last used', WRITE_INTERVAL_MS);
  }

  record(id: string | null): void {
    if (id === null) return;
    const now = Date.now();
    const minute = Math.floor(now / MINUTE_MS);
    if (this.recorded.get(id) === minute || this.buffered.size >= MAX_CREDENTIALS) return;
    this.recorded.set(id, minute);
    this.buffered.set(id, now);
  }

  protected async write(usedAt: ReadonlyMap<string, number>): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${this.table} c SET last_used_at = to_timestamp(used.at / 1000)
       FROM unnest($1::uuid[], $2::float8[]) AS used (id, at)
       WHERE c.id = used.id AND (c.last_used_at IS NULL OR c.last_used_at < to_timestamp(used.at / 1000))`,
      [[...usedAt.keys()], [...usedAt.values()]],
    );
  }
}

export const credentialUsage = (table: Table): FactoryProvider => ({
  provide: CredentialUsage,
  useFactory: (dataSource: DataSource, logger: Logger) => new CredentialUsage(dataSource, logger, table),
  inject: [DataSource, LOGGER],
});
