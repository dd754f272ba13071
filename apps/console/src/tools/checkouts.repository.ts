import { Injectable } from '@nestjs/common';
import { MAX_TOOL_ROWS, type CheckoutProtocol, type CheckoutState } from '#libs/contracts';
import type { Query } from '../reading/snapshot-reader.repository.js';
import type { TimeRange } from '../statistics/time-range.js';

/** Checkouts of one protocol, state and currency, as answers have them. */
export interface CheckoutCount {
  protocol: CheckoutProtocol;
  state: CheckoutState;
  currency: string | null;
  checkouts: number;
  /** In minor units; null where no total, or no currency, is known. */
  total: number | null;
}

/** Checkouts of one buyer by one protocol. */
export interface BuyerCount {
  protocol: CheckoutProtocol;
  agent_id: string | null;
  is_spoofed: boolean;
  checkouts: number;
  completed: number;
}

const OF_RANGE = `project_id = $1 AND first_at >= to_timestamp($2::float8 / 1000) AND first_at < to_timestamp($3::float8 / 1000)`;

/** Counts the checkouts that ingest stores, by when they began. */
@Injectable()
export class CheckoutsRepository {
  byState(query: Query, projectId: string, { from, to }: TimeRange): Promise<CheckoutCount[]> {
    return query(
      `SELECT protocol, state, currency, count(*)::float8 AS checkouts,
         CASE WHEN currency IS NOT NULL THEN sum(total) END AS total
       FROM checkouts WHERE ${OF_RANGE}
       GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3 LIMIT ${MAX_TOOL_ROWS}`,
      [projectId, from, to],
    );
  }

  /** An impostor is nobody, whichever agent it claimed to be. */
  byBuyer(query: Query, projectId: string, { from, to }: TimeRange): Promise<BuyerCount[]> {
    return query(
      `SELECT protocol, CASE WHEN NOT is_spoofed THEN agent_id END AS agent_id, is_spoofed, count(*)::float8 AS checkouts,
         (count(*) FILTER (WHERE state = 'completed'))::float8 AS completed
       FROM checkouts WHERE ${OF_RANGE}
       GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3 LIMIT ${MAX_TOOL_ROWS}`,
      [projectId, from, to],
    );
  }
}
