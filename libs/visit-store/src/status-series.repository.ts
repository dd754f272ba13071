import { Injectable } from '@nestjs/common';
import { CountsRepository } from './counts.repository.js';
import type { ItemRange } from './rollups.js';
import { selectWithGenericPlan, type Snapshot } from './snapshot.js';
import type { Series } from './time-range.js';

const QUARTER_MS = 900_000;
const DAY_MS = 96 * QUARTER_MS;

/** Visits with a status in one item of a series. `item` is its zero-based index. */
interface StatusCount {
  item: number;
  status: string;
  visits: number;
}

/** Returns the start and item of each bucket in the ranges, as query parameters. */
function bucketParameters(ranges: readonly ItemRange[], bucketMs: number): [number[], number[]] {
  const buckets = ranges.flatMap(({ item, from, to }) =>
    Array.from({ length: (to - from) / bucketMs }, (_, index) => ({ item, start: from + index * bucketMs })),
  );
  return [buckets.map(({ start }) => start), buckets.map(({ item }) => item)];
}

/** Reads visits by status over time. Visits that were reported without a status aren't counted. */
@Injectable()
export class StatusSeriesRepository {
  constructor(private readonly counts: CountsRepository) {}

  /** @param visitors Visitors to count. */
  async series(snapshot: Snapshot, projectId: string, series: Series, visitors: 'agents' | 'all') {
    const { days, added, taken } = await this.counts.splitTopSeries(snapshot, projectId, series);
    const dimensions = visitors === 'agents' ? `('agent_status')` : `('status', 'agent_status')`;
    // Looks up each bucket separately. A range of buckets would also contain the much more numerous pages.
    const rows = (visits: string, table: string, first: number): string =>
      `SELECT item, value, ${visits}::float8 AS visits
       FROM unnest($${first}::float8[], $${first + 1}::int[]) piece (start, item), LATERAL (
         SELECT value, visits FROM ${table}
         WHERE project_id = $1 AND bucket = to_timestamp(start / 1000) AND dimension IN ${dimensions}
         OFFSET 0
       ) counted`;
    return selectWithGenericPlan<StatusCount>(
      snapshot,
      `SELECT item, value AS status, sum(visits) AS visits FROM (
         ${rows('visits', 'visit_day_top_counts', 2)}
         UNION ALL ${rows('visits', 'visit_top_counts', 4)}
         UNION ALL ${rows('-visits', 'visit_top_counts', 6)}
       ) counted GROUP BY 1, 2 HAVING sum(visits) <> 0`,
      [
        projectId,
        ...bucketParameters(days, DAY_MS),
        ...bucketParameters(added, QUARTER_MS),
        ...bucketParameters(taken, QUARTER_MS),
      ],
    );
  }
}
