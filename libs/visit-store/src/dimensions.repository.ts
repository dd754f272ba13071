import { Injectable } from '@nestjs/common';
import { selectWithGenericPlan, type Snapshot } from './snapshot.js';
import { CountsRepository } from './counts.repository.js';
import { dimensionCondition, itemParameters, rollupGroups, rollupRows, rollupSums } from './rollups.js';
import type { Series, TimeRange } from './time-range.js';

export interface DimensionCount {
  /**
   * Value of the dimension. Empty for visits whose actual value wasn't recorded because there were too many different
   * values.
   */
  value: string;
  visits: number;
}

export interface DimensionSpan extends DimensionCount {
  /** Start of the 15-minute bucket that contains the first visit, or start of its UTC day if that day is rolled up. */
  first_at: Date;
  last_at: Date;
}

/** Maximum number of values per report. Visitors choose some of the values, so their number is unbounded. */
const MAX_VALUES = 5_000;

/** Reads counts by dimension. The dimensions are defined in ingest's `dimensions.ts`. */
@Injectable()
export class DimensionsRepository {
  constructor(private readonly counts: CountsRepository) {}

  /**
   * Returns visits by value, most frequent first.
   *
   * @param firstPart Limits the result to values with this first part. Default: all values.
   */
  sums(
    snapshot: Snapshot,
    projectId: string,
    range: TimeRange,
    dimension: string,
    firstPart?: string,
  ): Promise<DimensionCount[]> {
    return this.read(snapshot, projectId, range, { dimension, hasTimes: false, firstPart });
  }

  /** Like {@link sums}, but includes the first and last time of each value. */
  spans(snapshot: Snapshot, projectId: string, range: TimeRange, dimension: string): Promise<DimensionSpan[]> {
    return this.read(snapshot, projectId, range, { dimension, hasTimes: true });
  }

  /**
   * Returns visits by value for each item of a series. `item` is its zero-based index.
   *
   * @param dimension Must have few values. If a bucket has exceeded its limit, splitting days between items is inexact.
   */
  async series(snapshot: Snapshot, projectId: string, series: Series, dimension: string) {
    const { days, added, taken } = await this.counts.splitTopSeries(snapshot, projectId, series);
    const quarters = (first: number): string =>
      rollupSums(['value'], 'visit_top_counts', first, dimensionCondition('$11'));
    return selectWithGenericPlan<DimensionCount & { item: number }>(
      snapshot,
      `SELECT item, value, sum(visits::float8) AS visits FROM (
         ${rollupSums(['value'], 'visit_day_top_counts', 2, dimensionCondition('$11'))}
         UNION ALL ${quarters(5)}
         UNION ALL SELECT item, value, -visits FROM (${quarters(8)}) taken
       ) counted GROUP BY 1, 2 HAVING sum(visits::float8) <> 0`,
      [projectId, ...itemParameters(days), ...itemParameters(added), ...itemParameters(taken), dimension],
    );
  }

  /**
   * Returns true if any value's second part is one of `parts`. Neither the first part nor `parts` may require JSON
   * escapes.
   *
   * @param dimension Must have values that consist of several parts.
   */
  async hasSecondPart(
    snapshot: Snapshot,
    projectId: string,
    range: TimeRange,
    dimension: string,
    parts: readonly string[],
  ): Promise<boolean> {
    const isRead = `${dimensionCondition('$6')} AND split_part(value, '"', 4) = ANY ($7::text[])`;
    const [row] = await selectWithGenericPlan<{ found: boolean }>(
      snapshot,
      `SELECT EXISTS (
         ${rollupRows('1', 'visit_day_top_counts', 2, isRead)} UNION ALL ${rollupRows('1', 'visit_top_counts', 4, isRead)}
       ) AS found`,
      [projectId, ...(await this.counts.topRanges(snapshot, projectId, range)), dimension, parts],
    );
    return row!.found;
  }

  private async read<T>(
    snapshot: Snapshot,
    projectId: string,
    range: TimeRange,
    { dimension, hasTimes, firstPart }: { dimension: string; hasTimes: boolean; firstPart?: string | undefined },
  ): Promise<T[]> {
    // Only compute the times if they are needed, because aggregates are slow for tens of thousands of rows.
    const times = (first: string, last: string): string =>
      hasTimes ? `, min(${first}) AS first_at, max(${last}) AS last_at` : '';
    const sums = `sum(visits::float8) AS visits${times('bucket', 'bucket')}`;
    const isRead =
      firstPart === undefined ? dimensionCondition('$6') : `${dimensionCondition('$6')} AND starts_with(value, $7)`;
    return selectWithGenericPlan(
      snapshot,
      `SELECT CASE WHEN rank <= ${MAX_VALUES} THEN value ELSE '' END AS value,
         sum(visits) AS visits${times('first_at', 'last_at')}
       FROM (
         SELECT value, row_number() OVER (ORDER BY sum(visits) DESC, value) AS rank,
           sum(visits) AS visits${times('first_at', 'last_at')}
         FROM (
           ${rollupGroups('value', sums, 'visit_day_top_counts', 2, isRead)}
           UNION ALL ${rollupGroups('value', sums, 'visit_top_counts', 4, isRead)}
         ) counted GROUP BY 1 HAVING sum(visits) <> 0
       ) ranked GROUP BY 1 ORDER BY 2 DESC, 1`,
      [
        projectId,
        ...(await this.counts.topRanges(snapshot, projectId, range, !hasTimes)),
        dimension,
        // Values with several parts are stored as JSON arrays, so match the start of the array.
        ...(firstPart === undefined ? [] : [`[${JSON.stringify(firstPart)},`]),
      ],
    );
  }
}
