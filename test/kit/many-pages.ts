/** Creates the counts of a large site's pages inside PostgreSQL. */
import type { Pool } from 'pg';

/** Maximum numbers of pages and agents per project. See `libs/contracts/src/coverage.schema.ts`. */
const LISTED_PAGES = 50_000;
const UNLISTED_PAGES = 20_000;
const AGENT_COUNT = 20;
const FOLDER_COUNT = 40;

/**
 * Fills a project's coverage up to its limits. A third of the pages were never fetched, and each of the agents
 * that visited the project most has fetched 90% of the others.
 *
 * @param until Time of the last fetch, in milliseconds since the Unix epoch.
 */
export async function createCoverage(pool: Pool, projectId: string, until: number): Promise<void> {
  const now = new Date(until);
  await pool.query('SELECT setseed(0.5)');
  await pool.query(
    `INSERT INTO site_pages (project_id, page, is_fetched, first_seen_at, added_at, last_seen_at)
     SELECT $1, CASE WHEN i < ${LISTED_PAGES} THEN '/folder-' || i % ${FOLDER_COUNT} ELSE '/unlisted' END || '/page-' || i,
       i < ${LISTED_PAGES}, at, CASE WHEN i % 9 = 0 THEN at END, at
     FROM generate_series(0, ${LISTED_PAGES + UNLISTED_PAGES - 1}) i,
       LATERAL (SELECT CASE WHEN i < ${LISTED_PAGES} THEN $2::timestamptz - interval '30 days' END AS at) t`,
    [projectId, now],
  );
  await pool.query(
    `WITH top AS MATERIALIZED (
       SELECT agent_id FROM visit_day_counts
       WHERE project_id = $1 AND agent_id <> '00000000-0000-0000-0000-000000000000'
       GROUP BY agent_id ORDER BY sum(visits) DESC, agent_id LIMIT ${AGENT_COUNT}
     ), counted AS (
       INSERT INTO page_fetches (
         project_id, page_id, agent_id, first_at, last_at, fetches, successes, redirects, client_errors, server_errors,
         with_query, repeats
       )
       SELECT $1, id, agent_id, $2::timestamptz - interval '20 days', $2::timestamptz - random() * interval '20 days',
         fetches, fetches - 2, 1, 1, 0, fetches / 4, fetches / 3
       FROM (SELECT id, agent_id, 2 + floor(random() * 20)::int AS fetches FROM site_pages, top WHERE project_id = $1) f
       WHERE id % 3 > 0 AND random() < 0.9
     )
     INSERT INTO coverage_states (project_id, next_fetch_at, checked_at, read_hosts, counted_at, agents)
     SELECT $1, 'infinity', $2, '{www.example.com}', $2, ARRAY(SELECT agent_id FROM top)
     ON CONFLICT (project_id) DO UPDATE SET
       next_fetch_at = excluded.next_fetch_at, checked_at = excluded.checked_at, counted_at = excluded.counted_at,
       agents = excluded.agents`,
    [projectId, now],
  );
  await pool.query('VACUUM ANALYZE site_pages, page_fetches');
}
