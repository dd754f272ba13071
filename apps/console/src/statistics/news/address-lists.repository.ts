import { Inject, Injectable } from '@nestjs/common';
import { READING_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';

/** Days after which a list that was fetched once is missed. */
const MAX_DAYS_OF_LIST = 2;

/** Reads the state of address lists. */
@Injectable()
export class AddressListsRepository {
  constructor(@Inject(READING_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** Counts all lists, and those that cannot be fetched. */
  async count(): Promise<{ lists: number; failing: number }> {
    const [row]: { lists: number; failing: number }[] = await this.dataSource.query(
      `SELECT count(*)::int AS lists, (count(*) FILTER (
         WHERE fault IS NOT NULL AND (fetched_at IS NULL OR fetched_at < now() - make_interval(days => $1))
       ))::int AS failing FROM address_lists`,
      [MAX_DAYS_OF_LIST],
    );
    return row!;
  }
}
