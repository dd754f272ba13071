import { Injectable } from '@nestjs/common';
import { firstIdAt, MAX_SAMPLED_VISITS } from '#libs/contracts';
import { select, type Snapshot } from './snapshot.js';
import { timestamp } from './rollups.js';
import type { TimeRange } from './time-range.js';

/** The newest visits of agents with an error. */
interface ErrorSample {
  visits: number;
  /** The most frequent page; blank for none. */
  page: string;
  pageVisits: number;
  /** There are more than were looked at. */
  isSampled: boolean;
}

/** Visits that failed verification as one agent, from one network or a part of it. */
export interface FailedVisits {
  agent_id: string | null;
  visits: number;
  /** Id and address of the newest of them. */
  id: string;
  client_address: string | null;
}

/** From where visits failed verification as an agent before. */
export type FailedBefore = Pick<FailedVisits, 'agent_id' | 'client_address'>;

/** SQL of what IPv4 addresses of a network (/24) have in common; other addresses stay as they are. Bytes take a third of what texts do. */
const IPV4_NETWORK = `rtrim(convert_to(client_address, 'UTF8'),
  CASE WHEN strpos(client_address, ':') = 0 THEN '0123456789' ELSE '' END::bytea)`;

/**
 * As in visits_full. Of a form, the address is the document's first value, before which PostgreSQL would parse all of them.
 */
const CLIENT_ADDRESS = `CASE WHEN form IS NULL THEN document ->> 'client_address'
  WHEN starts_with(document::text, '["') THEN split_part(document::text, '"', 2) ELSE document ->> 0 END`;

/** Reads what no other page of the dashboard shows, of agents' visits: visits_full, which has others', takes longer to plan. */
@Injectable()
export class NewsRepository {
  /**
   * The newest visits of a range that failed verification, by agent and network, those of the newest visit first, without
   * IPv4 networks that had failed as the agent before; and the other addresses that had.
   *
   * @param since where looking back ends.
   */
  async failed(
    snapshot: Snapshot,
    projectId: string,
    range: TimeRange,
    since: number,
  ): Promise<{ failed: FailedVisits[]; earlier: FailedBefore[] }> {
    // A literal, as in the condition of the partial index: PostgreSQL does not match a parameter with it.
    // A visit never occurs after its receipt, so the id bounds the partitions that are read.
    const newest = (columns: string, [from, to, firstId]: [string, string, string]): string =>
      `SELECT agent_id, ${CLIENT_ADDRESS} AS client_address${columns} FROM visits
       WHERE project_id = $1 AND occurred_at >= ${timestamp(from)} AND occurred_at < ${timestamp(to)}
         AND id >= ${firstId}::uuid AND result = 'verification_failed'
       ORDER BY occurred_at DESC, id DESC LIMIT ${MAX_SAMPLED_VISITS}`;
    const rank = ', id, row_number() OVER (ORDER BY occurred_at DESC, id DESC) AS rank';
    const rows = await select<FailedVisits | (FailedBefore & { visits: null })>(
      snapshot,
      `WITH failed AS MATERIALIZED (${newest(rank, ['$2', '$3', '$4'])}),
       networks AS (
         SELECT agent_id, ${IPV4_NETWORK} AS network, min(rank) AS rank, count(*)::float8 AS visits
         FROM failed GROUP BY 1, 2
       ),
       earlier AS MATERIALIZED (
         SELECT DISTINCT agent_id, ${IPV4_NETWORK} AS network FROM (${newest('', ['$5', '$2', '$6'])}) visits
       )
       SELECT n.agent_id, visits, id, client_address, rank
       FROM networks n JOIN failed USING (rank)
       WHERE NOT EXISTS (SELECT FROM earlier e WHERE e.agent_id = n.agent_id AND e.network = n.network)
       UNION ALL SELECT agent_id, NULL, NULL, convert_from(network, 'UTF8'), NULL FROM earlier WHERE position(':' IN network) > 0
       ORDER BY rank`,
      [projectId, range.from, range.to, firstIdAt(range.from), since, firstIdAt(since)],
    );
    return {
      failed: rows.filter((row) => row.visits !== null),
      earlier: rows.filter((row) => row.visits === null),
    };
  }

  /** @param status class of the statuses, such as 500 up to 600. */
  async errors(snapshot: Snapshot, projectId: string, range: TimeRange, status: TimeRange): Promise<ErrorSample> {
    const [row] = await select<{ visits: number; page: string; page_visits: number }>(
      snapshot,
      // A visit never occurs after its receipt, so the id bounds the partitions that are read.
      `SELECT sum(count(*)) OVER ()::float8 AS visits, page, count(*)::float8 AS page_visits
       FROM (
         SELECT split_part(path, '?', 1) AS page FROM visits
         WHERE project_id = $1 AND occurred_at >= ${timestamp('$2')} AND occurred_at < ${timestamp('$3')}
           AND id >= $4::uuid AND agent_id IS NOT NULL AND status >= $5 AND status < $6
         ORDER BY occurred_at DESC, id DESC LIMIT $7
       ) newest GROUP BY page ORDER BY page_visits DESC, page LIMIT 1`,
      [projectId, range.from, range.to, firstIdAt(range.from), status.from, status.to, MAX_SAMPLED_VISITS + 1],
    );
    const { visits, page, page_visits: pageVisits } = row ?? { visits: 0, page: '', page_visits: 0 };
    return {
      visits: Math.min(visits, MAX_SAMPLED_VISITS),
      page,
      pageVisits,
      isSampled: visits > MAX_SAMPLED_VISITS,
    };
  }
}
