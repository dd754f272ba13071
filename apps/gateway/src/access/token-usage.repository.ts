import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

@Injectable()
export class TokenUsageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param used when tokens were used last, in milliseconds since the epoch, by id. */
  async save(used: ReadonlyMap<string, number>): Promise<void> {
    await this.dataSource.query(
      `UPDATE access_tokens t SET last_used_at = to_timestamp(used.at / 1000)
       FROM unnest($1::uuid[], $2::float8[]) AS used (id, at)
       WHERE t.id = used.id AND (t.last_used_at IS NULL OR t.last_used_at < to_timestamp(used.at / 1000))`,
      [[...used.keys()], [...used.values()]],
    );
  }
}
