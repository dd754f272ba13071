import { Inject, Injectable } from '@nestjs/common';
import { READ_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';

/** Number of days without a successful fetch after which a list counts as failing. */
const MAX_LIST_AGE_DAYS = 2;

@Injectable()
export class AddressListsRepository {
  constructor(@Inject(READ_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** Counts all address lists, and those with a persistent fetch error. */
  async count(): Promise<{ lists: number; failing: number }> {
    const [row]: { lists: number; failing: number }[] = await this.dataSource.query(
      `SELECT count(*)::int AS lists, (count(*) FILTER (
         WHERE fault IS NOT NULL AND (fetched_at IS NULL OR fetched_at < now() - make_interval(days => $1))
       ))::int AS failing FROM address_lists`,
      [MAX_LIST_AGE_DAYS],
    );
    return row!;
  }
}
