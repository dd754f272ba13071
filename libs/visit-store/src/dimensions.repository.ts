import { Injectable } from '@nestjs/common';
import { selectWithGenericPlan, type Snapshot } from './snapshot.js';
import { CountsRepository } from './counts.repository.js';
import { dimensionIs, itemParameters, rollupGroups, rollupRows, rollupSums } from './rollups.js';
import type { Series, TimeRange } from './time-range.js';

/** Visits of a value of a dimension. */
export interface DimensionCount {
  /** Blank for those beyond the bound of a quarter of an hour, or of a day. */
  value: string;
  visits: number;
}

/** The same, with when they were. */
export interface DimensionSpan extends DimensionCount {
  /** When the quarter of an hour, or the day (UTC) where these are summed up, of the first and of the last visit begins. */
  first_at: Date;
  last_at: Date;
}

/** Values that a report reads; visitors name some of them as they like. */
const MAX_VALUES = 5_000;

/** Reads what ingest counts for reports, by the names in its `dimensions.ts`. */
@Injectable()
export class DimensionsRepository {
  constructor(private readonly counts: CountsRepository) {}

  /**
   * Visits of a range by value, the most frequent first.
   *
   * @param firstPart of the values that are read; all, unless given.
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

  /** The same, with the first and the last time of each. */
  spans(snapshot: Snapshot, projectId: string, range: TimeRange, dimension: string): Promise<DimensionSpan[]> {
    return this.read(snapshot, projectId, range, { dimension, hasTimes: true });
  }

  /**
   * The same for each item of a series, by its index from 0.
   *
   * @param dimension one of few values: the sums of a day, which items divide, have a bounded number of them.
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
   * Whether any value has one of some second parts: those that need no escaping, after a first part that needs none.
   *
   * @param dimension one whose values have several parts.
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
    // Of tens of thousands of rows, what is not asked for takes time.
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
        // As an array of several parts begins.
        ...(firstPart === undefined ? [] : [`[${JSON.stringify(firstPart)},`]),
      ],
    );
  }
}
