import { Injectable } from '@nestjs/common';
import { selectWithGenericPlan, type Snapshot } from './snapshot.js';
import { CountsRepository } from './counts.repository.js';
import type { DimensionCount } from './dimensions.repository.js';
import { dimensionCondition, rollupRows } from './rollups.js';
import type { TimeRange } from './time-range.js';

/** SQL expression for the page and closing bracket in a value such as `["assistant","page"]`. */
const PAGE_IN_JSON = `substr(value, strpos(value, '","') + 3)`;
const COUNTED = `${rollupRows('value, visits', 'visit_day_top_counts', 2, dimensionCondition(`'referral_page'`))}
  UNION ALL ${rollupRows('value, visits', 'visit_top_counts', 4, dimensionCondition(`'referral_page'`))}`;

/** Reads visits by assistant and page. Only reads the top pages, because their number is unbounded. */
@Injectable()
export class ReferralPagesRepository {
  constructor(private readonly counts: CountsRepository) {}

  /** Returns the pages with the most referrals, each with all of its assistants. `total` includes all pages. */
  async topPages(snapshot: Snapshot, projectId: string, range: TimeRange, max: number) {
    return selectWithGenericPlan<DimensionCount & { total: number; page_in_json: string }>(
      snapshot,
      `WITH counted AS MATERIALIZED (
         SELECT value, sum(visits::float8) AS visits FROM (${COUNTED}) counted GROUP BY 1
       ), of_pages AS MATERIALIZED (
         SELECT *, ${PAGE_IN_JSON} AS page_in_json FROM counted WHERE value <> ''
       )
       SELECT value, visits, page_in_json, (SELECT sum(visits) FROM counted) AS total FROM of_pages
       WHERE page_in_json IN (
         SELECT page_in_json FROM of_pages GROUP BY 1 ORDER BY sum(visits) DESC, 1 LIMIT $6
       ) ORDER BY value`,
      [projectId, ...(await this.counts.topRanges(snapshot, projectId, range)), max],
    );
  }
}
