import { Injectable } from '@nestjs/common';
import { MAX_TOOL_ROWS, type CheckoutProtocol, type CheckoutState } from '#libs/contracts';
import { select, type Snapshot } from './snapshot.js';
import { timestamp } from './rollups.js';
import type { TimeRange } from './time-range.js';

interface CheckoutCount {
  protocol: CheckoutProtocol;
  state: CheckoutState;
  currency: string | null;
  checkouts: number;
  /** Total value in minor units, or null if the totals or the currency are unknown. */
  total: number | null;
  /** The visit received last, of any of the checkouts. Null if they are anonymized. */
  last_visit_id: string | null;
}

interface BuyerCount {
  protocol: CheckoutProtocol;
  agent_id: string | null;
  is_spoofed: boolean;
  checkouts: number;
  completed: number;
}

interface CheckoutCounts {
  states: CheckoutCount[];
  /** Counts for spoofed agents have no `agent_id`. */
  buyers: BuyerCount[];
}

/** Counts stored checkouts. A checkout belongs to the range that contains its first visit. */
@Injectable()
export class CheckoutCountsRepository {
  /** Returns checkout counts by state and by buyer, in descending order. */
  async count(snapshot: Snapshot, projectId: string, { from, to }: TimeRange): Promise<CheckoutCounts> {
    const topRows = (columns: string, rest: string): string =>
      `(
         SELECT coalesce(json_agg(listed), '[]') FROM (
           SELECT ${columns}, sum(checkouts)::float8 AS checkouts, ${rest}
           FROM counted GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3 LIMIT ${MAX_TOOL_ROWS}
         ) listed
       )`;
    const [counts] = await select<CheckoutCounts>(
      snapshot,
      `WITH counted AS MATERIALIZED (
         SELECT protocol, state, currency, CASE WHEN NOT is_spoofed THEN agent_id END AS agent_id, is_spoofed,
           count(*) AS checkouts, sum(total) AS total,
           max(visit_id::text COLLATE "C") AS visit_id
         FROM checkouts
         WHERE project_id = $1 AND first_at >= ${timestamp('$2')} AND first_at < ${timestamp('$3')}
         GROUP BY 1, 2, 3, 4, 5
       )
       SELECT ${topRows(
         'protocol, state, currency',
         'CASE WHEN currency IS NOT NULL THEN sum(total) END AS total, max(visit_id) AS last_visit_id',
       )} AS states,
         ${topRows(
           'protocol, agent_id, is_spoofed',
           `coalesce(sum(checkouts) FILTER (WHERE state = 'completed'), 0)::float8 AS completed`,
         )} AS buyers`,
      [projectId, from, to],
    );
    return counts!;
  }
}
