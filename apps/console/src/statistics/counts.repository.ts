import { Injectable } from '@nestjs/common';
import type { Query } from './reading.repository.js';
import { countedRows, rangeParameters, timestamp, within } from './counted.js';
import type { Series, TimeRange } from './time-range.js';

const QUARTER = 900_000;
const HOUR = 4 * QUARTER;

/** Stands for "no agent" in counts. */
export const NO_AGENT = '00000000-0000-0000-0000-000000000000';

export interface AgentCount {
  agent_id: string;
  /** The type that the agent had then; blank for no agent. */
  agent_type: string;
  result: string;
  visits: number;
  last_at: Date;
}

export interface TopCount {
  /** Blank for all others together. */
  value: string;
  visits: number;
}

/** `item` is the place in the series, from 0. */
type InSeries<T> = T & { item: number; visits: number };

/** Milliseconds since the epoch, as an array of times; cast, since ANY would take it for a subquery's rows. */
const times = (parameter: string): string =>
  `(SELECT coalesce(array_agg(to_timestamp(t / 1000) ORDER BY t), '{}') FROM unnest(${parameter}::float8[]) t)::timestamptz[]`;

/** Which item of a series a bucket is in; takes the starts of the items. */
const itemOf = (starts: string): string => `width_bucket(bucket, ${times(starts)}) - 1`;

/** Hours that one of these times is within. */
const cutHours = (bounds: readonly number[]): number[] => [
  ...new Set(bounds.filter((bound) => bound % HOUR !== 0).map((bound) => Math.floor(bound / HOUR) * HOUR)),
];

const AGENT_TABLES = { quarters: 'visit_counts', days: 'visit_day_counts' } as const;
const TOP_TABLES = { quarters: 'visit_top_counts', days: 'visit_day_top_counts' } as const;

/** What ingest counted. */
@Injectable()
export class CountsRepository {
  /** Everything of a range by agent and result. */
  byAgent(query: Query, projectId: string, range: TimeRange): Promise<AgentCount[]> {
    return query(
      `SELECT agent_id, agent_type, result, sum(visits)::float8 AS visits, max(greatest(last_at, bucket)) AS last_at
       FROM ${countedRows('agent_id, agent_type, result, visits, last_at, bucket', AGENT_TABLES)}
       GROUP BY 1, 2, 3`,
      [projectId, ...rangeParameters(range)],
    );
  }

  /** The most frequent values, and in a last one, blank, the visits of all others. */
  async top(query: Query, projectId: string, range: TimeRange, dimension: 'page' | 'status', most: number) {
    const rows = await query<TopCount & { total: number }>(
      `WITH counted AS (
         SELECT value, sum(visits)::float8 AS visits FROM ${countedRows('dimension, value, visits', TOP_TABLES)}
         WHERE dimension = $6 GROUP BY 1
       )
       SELECT value, visits, (SELECT sum(visits) FROM counted) AS total FROM counted
       WHERE value <> '' ORDER BY visits DESC, value LIMIT $7`,
      [projectId, ...rangeParameters(range), dimension, most],
    );
    const named: TopCount[] = rows.map(({ value, visits }) => ({ value, visits }));
    const others = (rows[0]?.total ?? 0) - named.reduce((sum, { visits }) => sum + visits, 0);
    return others > 0 ? [...named, { value: '', visits: others }] : named;
  }

  /** From hours, and from quarters of an hour where an item of the series begins or ends within one. */
  byType(query: Query, projectId: string, { from, to, starts, bucket }: Series) {
    const cut = bucket === '15m' ? null : cutHours([from, ...starts.slice(1), to]);
    const quarters = cut?.flatMap((hour) => [0, 1, 2, 3].map((quarter) => hour + quarter * QUARTER));
    const columns = 'bucket, agent_type, result, visits';
    return query<InSeries<{ agent_type: string; result: string }>>(
      `SELECT ${itemOf('$4')} AS item, agent_type, result, sum(visits)::float8 AS visits
       FROM (
         SELECT ${columns} FROM visit_hour_counts
         WHERE $5::float8[] IS NOT NULL AND project_id = $1 AND ${within('$2', '$3')} AND bucket <> ALL (${times('$5')})
         UNION ALL
         SELECT ${columns} FROM visit_counts
         WHERE project_id = $1 AND ${within('$2', '$3')} AND ($5::float8[] IS NULL OR bucket = ANY (${times('$6')}))
       ) counted GROUP BY 1, 2, 3`,
      [projectId, from, to, starts, cut, quarters],
    );
  }

  agentSeries(query: Query, projectId: string, { from, to, starts }: Series, agentIds: readonly string[]) {
    return query<InSeries<{ agent_id: string; result: string }>>(
      `SELECT ${itemOf('$4')} AS item, agent_id, result, sum(visits)::float8 AS visits
       FROM visit_counts WHERE project_id = $1 AND ${within('$2', '$3')} AND agent_id = ANY ($5::uuid[])
       GROUP BY 1, 2, 3`,
      [projectId, from, to, starts, agentIds],
    );
  }

  /** Of each project, by hour since `from`: hour 0 is the first. A project without visits in them has no row. */
  hours(query: Query, projectIds: readonly string[], from: number) {
    return query<{ project_id: string; hour: number; result: string; visits: number }>(
      `SELECT project_id, floor(extract(epoch FROM bucket - ${timestamp('$2')}) / 3600)::int AS hour, result,
         sum(visits)::float8 AS visits
       FROM visit_hour_counts WHERE project_id = ANY ($1::uuid[]) AND bucket >= ${timestamp('$2')} GROUP BY 1, 2, 3`,
      [projectIds, from],
    );
  }

  /** When each project's newest visit occurred; a project without visits has no row. */
  lastVisits(query: Query, projectIds: readonly string[]) {
    return query<{ project_id: string; last_at: Date }>(
      `SELECT p.project_id, last_at FROM unnest($1::uuid[]) p (project_id), LATERAL (
         SELECT max(greatest(c.last_at, c.bucket)) AS last_at FROM visit_hour_counts c
         WHERE c.project_id = p.project_id AND c.bucket = (
           SELECT max(bucket) FROM visit_hour_counts n WHERE n.project_id = p.project_id
         )
       ) newest WHERE last_at IS NOT NULL`,
      [projectIds],
    );
  }
}
