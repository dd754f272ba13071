import { Injectable } from '@nestjs/common';
import { MAX_COVERAGE_FOLDERS, type TimelineFilters } from '#libs/contracts';
import { select, type Snapshot } from './snapshot.js';
import { toPathCondition, toSqlConditions } from './timeline-filters.js';
import { NO_AGENT } from './visit-counts.js';

interface CoverageState {
  pages: number;
  pages_without_data: number;
  sitemaps_checked_at: Date | null;
  counted_at: Date | null;
  last_visit_at: Date | null;
  /** UTC days such as `2026-11-30`. */
  days_without_data: string[];
}

interface FetchCounts {
  fetches: number;
  redirects: number;
  client_errors: number;
  server_errors: number;
  with_query: number;
  repeats: number | null;
}

/** An agent's fetches of all pages. */
interface AgentCoverage extends FetchCounts {
  /** Null for all agents that aren't counted separately. */
  agent_id: string | null;
  fetched: number;
  unlisted: number;
  listed_redirects: number;
  listed_errors: number;
  last_fetch_at: Date;
  days_to_first_fetch: number | null;
}

/** An agent's fetches of the listed pages in a folder, or of those that match a path pattern. */
interface FolderCoverage {
  /** Null for all folders over the limit, and for pages that match no pattern. */
  folder: string | null;
  agent_id: string | null;
  fetched: number;
  last_fetch_at: Date;
}

/** Pages that any agent with a purpose has fetched. */
interface PurposeCoverage<Purpose> {
  purpose: Purpose;
  fetched: number;
  fetched_last_7_days: number;
  fetched_7_days_ago: number;
  unlisted: number;
}

interface CoveredPageRow extends FetchCounts {
  page: string;
  is_listed: boolean;
  first_seen_at: Date | null;
  last_modified: Date | null;
  first_fetch_at: Date | null;
  last_fetch_at: Date | null;
}

export interface CoveredPagesQuery {
  folder: string | null;
  path: TimelineFilters['path'];
  not_path: TimelineFilters['not_path'];
  agent: string | null;
  state: 'fetched' | 'never_fetched' | 'unlisted' | null;
  /** Last page of the previous part. */
  after: string | null;
  limit: number;
}

const DATA_DAYS = 30;
const RECENT_MS = 7 * 86_400_000;

type Bind = (parameter: unknown) => string;

/** Pages with the column that path filters use. */
const PAGES = '(SELECT *, page AS path FROM site_pages)';

/**
 * Returns the SQL source of a project's pages. If there are patterns, `folder` is the first one that matches.
 *
 * @param patterns Path patterns, or null for folders.
 */
function toPages(patterns: readonly string[] | null, bind: Bind): string {
  if (patterns === null) return 'site_pages';
  const cases = patterns.map((pattern) => `WHEN ${toPathCondition(pattern, bind)} THEN ${bind(pattern)}::text`);
  const folder = cases.length === 0 ? 'NULL::text' : `CASE ${cases.join(' ')} END`;
  // OFFSET lets PostgreSQL compare each page only once, not each fetch.
  return `(SELECT id, project_id, page, ${folder} AS folder, is_listed, added_at FROM ${PAGES} q WHERE project_id = $1 OFFSET 0)`;
}

const selectFolders = (pages: string): string =>
  `SELECT folder, count(*)::integer AS pages FROM ${pages} p WHERE project_id = $1 AND is_listed
   GROUP BY folder ORDER BY pages DESC, folder`;

/** Creates the parameters of a statement whose first one is the project's ID. */
function createParameters(projectId: string): { parameters: unknown[]; bind: Bind } {
  const parameters: unknown[] = [projectId];
  return { parameters, bind: (parameter) => `$${parameters.push(parameter)}` };
}

const sums = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(sum(${column}), 0)::float8 AS ${column}`).join(', ');
const FETCH_COUNTS = `${sums(['fetches', 'redirects', 'client_errors', 'server_errors', 'with_query'])},
  sum(repeats)::float8 AS repeats`;

/** Reads the counts of agents' fetches of each page. */
@Injectable()
export class CoverageRepository {
  async readState(snapshot: Snapshot, projectId: string, now: number): Promise<CoverageState> {
    const [row] = await select<CoverageState>(
      snapshot,
      `SELECT count(p.id)::integer AS pages,
         count(*) FILTER (WHERE p.added_at > greatest(last_visit_at, '-infinity'))::integer AS pages_without_data,
         max(s.checked_at) AS sitemaps_checked_at, max(s.counted_at) AS counted_at, last_visit_at,
         ARRAY(
           SELECT to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD')
           FROM generate_series(
             greatest(date_bin('1 day', first_bucket, 'epoch'), date_bin('1 day', $2::timestamptz, 'epoch') - interval '${DATA_DAYS} days'),
             date_bin('1 day', $2::timestamptz, 'epoch') - interval '1 day', interval '1 day'
           ) AS day
           WHERE NOT EXISTS (
             SELECT FROM visit_counts WHERE project_id = $1 AND bucket >= day AND bucket < day + interval '1 day'
           )
         ) AS days_without_data
       FROM (
         SELECT (SELECT min(bucket) FROM visit_counts WHERE project_id = $1) AS first_bucket, (
           SELECT max(last_at) FROM visit_counts WHERE project_id = $1
             AND bucket = (SELECT max(bucket) FROM visit_counts WHERE project_id = $1)
         ) AS last_visit_at
       ) data
       LEFT JOIN coverage_states s ON s.project_id = $1
       LEFT JOIN site_pages p ON p.project_id = $1 AND p.is_listed
       GROUP BY first_bucket, last_visit_at`,
      [projectId, new Date(now)],
    );
    return row!;
  }

  /**
   * Returns the folders with the most listed pages, and an entry without a name for all others.
   *
   * @param patterns Path patterns to count instead of folders, or null.
   */
  async countFolders(
    snapshot: Snapshot,
    projectId: string,
    patterns: readonly string[] | null,
  ): Promise<{ folder: string | null; pages: number }[]> {
    const { parameters, bind } = createParameters(projectId);
    return select(
      snapshot,
      `WITH folders AS MATERIALIZED (${selectFolders(toPages(patterns, bind))})
       (SELECT folder, pages FROM folders LIMIT ${MAX_COVERAGE_FOLDERS})
       UNION ALL
       SELECT NULL, sum(pages)::integer FROM (SELECT pages FROM folders OFFSET ${MAX_COVERAGE_FOLDERS}) others
       HAVING count(*) > 0`,
      parameters,
    );
  }

  async countFetches(
    snapshot: Snapshot,
    projectId: string,
    patterns: readonly string[] | null,
  ): Promise<{ agents: AgentCoverage[]; folders: FolderCoverage[] }> {
    const { parameters, bind } = createParameters(projectId);
    const pages = toPages(patterns, bind);
    const rows = await select<AgentCoverage & FolderCoverage & { is_total: boolean }>(
      snapshot,
      // Counting by folder first lets PostgreSQL use a hash table and several processes.
      `WITH top AS MATERIALIZED (${selectFolders(pages)} LIMIT ${MAX_COVERAGE_FOLDERS}), counts AS MATERIALIZED (
         SELECT agent_id, folder, is_listed, page = '' AS is_other, count(*) AS pages,
           ${FETCH_COUNTS}, max(last_at) AS last_at,
           count(*) FILTER (WHERE first_at >= added_at) AS new_pages,
           sum(extract(epoch FROM first_at - added_at)::float8) FILTER (WHERE first_at >= added_at) AS delay
         FROM page_fetches f JOIN ${pages} p ON p.id = f.page_id WHERE f.project_id = $1
         GROUP BY agent_id, folder, is_listed, is_other
       )
       SELECT grouping(top.folder) = 1 AS is_total, top.folder, nullif(agent_id, '${NO_AGENT}') AS agent_id,
         coalesce(sum(c.pages) FILTER (WHERE is_listed), 0)::integer AS fetched,
         coalesce(sum(c.pages) FILTER (WHERE NOT is_listed AND NOT is_other), 0)::integer AS unlisted,
         ${FETCH_COUNTS},
         coalesce(sum(redirects) FILTER (WHERE is_listed), 0)::float8 AS listed_redirects,
         coalesce(sum(client_errors + server_errors) FILTER (WHERE is_listed), 0)::float8 AS listed_errors,
         CASE WHEN grouping(top.folder) = 1 THEN max(last_at) ELSE max(last_at) FILTER (WHERE is_listed) END
           AS last_fetch_at,
         (sum(delay) FILTER (WHERE is_listed) / nullif(sum(new_pages) FILTER (WHERE is_listed), 0) / 86400)::float8
           AS days_to_first_fetch
       FROM counts c LEFT JOIN top ON top.folder = c.folder AND is_listed
       GROUP BY GROUPING SETS ((agent_id), (agent_id, top.folder))
       ORDER BY fetches DESC, agent_id`,
      parameters,
    );
    return {
      agents: rows.filter((row) => row.is_total),
      folders: rows.filter((row) => !row.is_total && row.fetched > 0),
    };
  }

  /**
   * Counts the pages that any agent with a purpose has fetched.
   *
   * @param purposes Purpose of each agent. The key is null for all agents that aren't counted separately.
   * @param now Milliseconds since the epoch.
   */
  countPurposes<Purpose extends string>(
    snapshot: Snapshot,
    projectId: string,
    purposes: ReadonlyMap<string | null, Purpose>,
    now: number,
  ): Promise<PurposeCoverage<Purpose>[]> {
    const names = [...new Set(purposes.values())];
    return select(
      snapshot,
      // A bit per purpose keeps the hash table of pages small enough for memory.
      `SELECT purpose, coalesce(sum(pages) FILTER (WHERE is_listed), 0)::integer AS fetched,
         coalesce(sum(pages) FILTER (WHERE is_listed AND recent_bits & bit <> 0), 0)::integer AS fetched_last_7_days,
         coalesce(sum(pages) FILTER (WHERE is_listed AND early_bits & bit <> 0), 0)::integer AS fetched_7_days_ago,
         coalesce(sum(pages) FILTER (WHERE NOT is_listed AND NOT is_other), 0)::integer AS unlisted
       FROM (
         SELECT bits, recent_bits, early_bits, is_listed, page = '' AS is_other, count(*) AS pages
         FROM (
           SELECT page_id, bit_or(bit) AS bits, coalesce(bit_or(bit) FILTER (WHERE last_at >= $6), 0) AS recent_bits,
             coalesce(bit_or(bit) FILTER (WHERE first_at < $6), 0) AS early_bits
           FROM page_fetches JOIN unnest($2::uuid[], $3::integer[]) AS a (agent_id, bit) USING (agent_id)
           WHERE project_id = $1 GROUP BY page_id
         ) f JOIN site_pages p ON p.id = page_id
         GROUP BY bits, recent_bits, early_bits, is_listed, is_other
       ) f JOIN unnest($4::text[], $5::integer[]) AS n (purpose, bit) ON bits & bit <> 0
       GROUP BY purpose ORDER BY fetched DESC, purpose`,
      [
        projectId,
        [...purposes.keys()].map((id) => id ?? NO_AGENT),
        [...purposes.values()].map((name) => 1 << names.indexOf(name)),
        names,
        names.map((_, index) => 1 << index),
        new Date(now - RECENT_MS),
      ],
    );
  }

  async listPages(
    snapshot: Snapshot,
    projectId: string,
    { folder, path, not_path, agent, state, after, limit }: CoveredPagesQuery,
  ): Promise<CoveredPageRow[]> {
    const fetches = `FROM page_fetches
      WHERE project_id = $1 AND page_id = p.id AND ($2::uuid IS NULL OR agent_id = $2::uuid)`;
    const isInState = {
      fetched: `is_listed AND EXISTS (SELECT ${fetches})`,
      never_fetched: `is_listed AND NOT EXISTS (SELECT ${fetches})`,
      unlisted: `NOT is_listed AND EXISTS (SELECT ${fetches})`,
    };
    const parameters: unknown[] = [projectId, agent, folder, after, limit];
    const bind = (parameter: unknown): string => `$${parameters.push(parameter)}`;
    const conditions = toSqlConditions({ path, not_path }, bind).map((condition) => ` AND ${condition}`);
    return select(
      snapshot,
      `SELECT page, is_listed, first_seen_at, last_modified, f.*
       FROM (
         SELECT * FROM ${PAGES} p
         WHERE project_id = $1 AND ${state === null ? 'is_listed' : isInState[state]}
           AND ($3::text IS NULL OR folder = $3) AND ($4::text IS NULL OR page > $4)${conditions.join('')}
         ORDER BY page LIMIT $5
       ) p, LATERAL (
         SELECT min(first_at) AS first_fetch_at, max(last_at) AS last_fetch_at, ${FETCH_COUNTS} ${fetches}
       ) f
       ORDER BY page`,
      parameters,
    );
  }
}
