import { Injectable } from '@nestjs/common';
import { selectWithGenericPlan, type Snapshot } from './snapshot.js';
import { CountsRepository } from './counts.repository.js';
import { dimensionIs, itemParameters, rollupGroups, rollupRows, rollupSums } from './rollups.js';
import type { Series, TimeRange } from './time-range.js';

export interface DimensionCount {
  /** Empty for the total of all values over a limit. */
  value: string;
  visits: number;
}

export interface DimensionSpan extends DimensionCount {
  /** Start of the 15-minute bucket of the first visit, or of its UTC day if the day is rolled up. */
  first_at: Date;
  last_at: Date;
}

/** Maximum number of values per report. Visitors choose some of them, so there can be any number. */
const MAX_VALUES = 5_000;

/** Reads counts by dimension. Ingest names the dimensions in its `dimensions.ts`. */
@Injectable()
export class DimensionsRepository {
  constructor(private readonly counts: CountsRepository) {}

  /**
   * Visits by value, most frequent first.
   *
   * @param firstPart only reads values with this first part. Default: all values.
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

  /** Like {@link sums}, with the first and last time of each value. */
  spans(snapshot: Snapshot, projectId: string, range: TimeRange, dimension: string): Promise<DimensionSpan[]> {
    return this.read(snapshot, projectId, range, { dimension, hasTimes: true });
  }

  /**
   * Visits by value for each item of a series. `item` is its zero-based index.
   *
   * @param dimension must have few values. If a bucket's limit is exceeded, splitting days between items is inexact.
   */
  async series(snapshot: Snapshot, projectId: string, series: Series, dimension: string) {
    const { days, added, taken } = await this.counts.topsInSeries(snapshot, projectId, series);
    const quarters = (first: number): string => rollupSums(['value'], 'visit_top_counts', first, dimensionIs('$11'));
    return selectWithGenericPlan<DimensionCount & { item: number }>(
      snapshot,
      `SELECT item, value, sum(visits::float8) AS visits FROM (
         ${rollupSums(['value'], 'visit_day_top_counts', 2, dimensionIs('$11'))}
         UNION ALL ${quarters(5)}
         UNION ALL SELECT item, value, -visits FROM (${quarters(8)}) taken
       ) counted GROUP BY 1, 2 HAVING sum(visits::float8) <> 0`,
      [projectId, ...itemParameters(days), ...itemParameters(added), ...itemParameters(taken), dimension],
    );
  }

  /**
   * Returns true if the second part of any value is one of `parts`. Only works for parts without JSON escapes, after a
   * first part without escapes.
   *
   * @param dimension must have values with several parts.
   */
  async hasSecondPart(
    snapshot: Snapshot,
    projectId: string,
    range: TimeRange,
    dimension: string,
    parts: readonly string[],
  ): Promise<boolean> {
    const isRead = `${dimensionIs('$6')} AND split_part(value, '"', 4) = ANY ($7::text[])`;
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
    // With tens of thousands of rows, unused aggregates are slow.
    const times = (first: string, last: string): string =>
      hasTimes ? `, min(${first}) AS first_at, max(${last}) AS last_at` : '';
    const sums = `sum(visits::float8) AS visits${times('bucket', 'bucket')}`;
    const isRead = firstPart === undefined ? dimensionIs('$6') : `${dimensionIs('$6')} AND starts_with(value, $7)`;
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
        // Values with several parts are JSON arrays, so match the start of the array.
        ...(firstPart === undefined ? [] : [`[${JSON.stringify(firstPart)},`]),
      ],
    );
  }
}
