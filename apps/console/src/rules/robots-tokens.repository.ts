import { Injectable } from '@nestjs/common';
import type { Query } from '../reading/snapshot-reader.repository.js';

/** Reads what agents are called in robots.txt. */
@Injectable()
export class RobotsTokensRepository {
  /** Product tokens by id; agents without one, and those that the catalog no longer has, are left out. */
  async find(query: Query, agentIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await query<{ id: string; token: string | null }>(
      `SELECT id, coalesce(own, bundled, feed) ->> 'robots_token' AS token FROM agents WHERE id = ANY ($1::uuid[])`,
      [agentIds],
    );
    return new Map(rows.flatMap(({ id, token }) => (token === null ? [] : [[id, token] as const])));
  }
}
