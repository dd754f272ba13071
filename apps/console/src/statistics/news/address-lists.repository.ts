import { Inject, Injectable } from '@nestjs/common';
import { READ_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';

/** Number of days without a successful fetch after which a list counts as failing. */
const MAX_LIST_AGE_DAYS = 2;
const IS_FAILING = `fault IS NOT NULL AND (fetched_at IS NULL OR fetched_at < now() - interval '${MAX_LIST_AGE_DAYS} days')`;

@Injectable()
export class AddressListsRepository {
  constructor(@Inject(READ_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** Counts all address lists, and those with a persistent fetch error. */
  async count(): Promise<{ lists: number; failing: number }> {
    const [row]: { lists: number; failing: number }[] = await this.dataSource.query(
      `SELECT count(*)::int AS lists, (count(*) FILTER (WHERE ${IS_FAILING}))::int AS failing FROM address_lists`,
    );
    return row!;
  }

  /** Returns which of the agents have address lists that are all failing. */
  async findAffected(agentIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT id FROM agents
       WHERE id = ANY ($1::uuid[]) AND (
         SELECT bool_and(${IS_FAILING}) FROM jsonb_array_elements(record -> 'verification' -> 'ip_list_urls') e
           JOIN address_lists l ON l.url = e ->> 'url'
       )`,
      [agentIds],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
