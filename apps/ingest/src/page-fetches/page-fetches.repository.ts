import { Injectable } from '@nestjs/common';
import { MAX_COVERAGE_AGENTS, MAX_UNLISTED_PAGES, type VisitPosition } from '#libs/contracts';
import { arrayLiteral } from '#libs/database';
import { NO_AGENT, type NewFetches, type PageFetches } from '#libs/visit-store';
import { DataSource, type EntityManager } from 'typeorm';

export interface CountedProject {
  projectId: string;
  /** Position up to which visits are counted. */
  position: VisitPosition;
  /** Agents whose fetches are counted separately. */
  agents: readonly string[];
}

/** Stands for all pages over the limit. */
const OTHER_PAGES = '';
/** Interval within which unlisted pages must have been fetched if visits are stored forever. */
const DEFAULT_RETENTION_DAYS = 365;

const toDay = (time: string): string => `date_bin('1 day', ${time}, 'epoch')`;

/** Counts agents' fetches of each page. Every visit is counted once, in any order. */
@Injectable()
export class PageFetchesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the projects whose sitemaps list any pages. */
  list(): Promise<CountedProject[]> {
    return this.dataSource.query(
      `SELECT project_id AS "projectId", position, agents FROM coverage_states s
       WHERE EXISTS (SELECT FROM site_pages p WHERE p.project_id = s.project_id AND is_listed) ORDER BY 1`,
    );
  }

  /**
   * Adds fetches to the counts, and records their position in the same transaction.
   *
   * @returns The project's new state, or null if another process counted the same visits, or if the project was removed.
   */
  async add(
    { projectId, position, agents: before }: CountedProject,
    { fetches, position: reached }: NewFetches,
  ): Promise<CountedProject | null> {
    return this.dataSource.transaction(async (transaction) => {
      // Inserting pages locks the project. Removing a project locks it first, too, which prevents deadlocks.
      await transaction.query(`SELECT FROM projects WHERE id = $1 FOR KEY SHARE`, [projectId]);
      const current = await lockState(transaction, projectId);
      if (current === null || !isSamePosition(current, position)) return null;
      const agents = addAgents(before, fetches);
      await this.addFetches(transaction, projectId, mergeOtherAgents(fetches, new Set(agents)));
      await transaction.query(
        `UPDATE coverage_states SET position = $2, agents = $3, counted_at = now() WHERE project_id = $1`,
        [projectId, reached, agents],
      );
      return { projectId, position: reached, agents };
    });
  }

  /** Records that all visits have been counted. */
  async confirm(projectId: string): Promise<void> {
    await this.dataSource.query(`UPDATE coverage_states SET counted_at = now() WHERE project_id = $1`, [projectId]);
  }

  /** Deletes the unlisted pages whose last fetch is older than the retention of visits. */
  async deleteExpired(projectId: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      if ((await lockState(transaction, projectId)) === null) return;
      await transaction.query(
        `WITH expired AS MATERIALIZED (
           SELECT id FROM site_pages p
           WHERE project_id = $1 AND NOT is_listed AND page <> '${OTHER_PAGES}' AND NOT EXISTS (
             SELECT FROM page_fetches f WHERE f.project_id = p.project_id AND f.page_id = p.id AND last_at >= now() - (
               SELECT make_interval(days => coalesce(retention_days, configured_retention_days, ${DEFAULT_RETENTION_DAYS}))
               FROM instance_settings
             )
           )
         ), deleted AS (
           DELETE FROM page_fetches WHERE project_id = $1 AND page_id IN (SELECT id FROM expired)
         )
         DELETE FROM site_pages WHERE id IN (SELECT id FROM expired)`,
        [projectId],
      );
    });
  }

  private async addFetches(
    transaction: EntityManager,
    projectId: string,
    fetches: readonly PageFetches[],
  ): Promise<void> {
    if (fetches.length === 0) return;
    // The first pages over the limit are those that were fetched least.
    const names = [...new Set(fetches.toSorted((one, other) => other.fetches - one.fetches).map(({ page }) => page))];
    await transaction.query(
      `INSERT INTO site_pages (project_id, page, is_fetched)
       SELECT $1, page, false FROM (
         SELECT page, row_number() OVER (ORDER BY page <> '${OTHER_PAGES}', rank) AS number
         FROM unnest($2::text[]) WITH ORDINALITY AS n (page, rank)
         WHERE NOT EXISTS (SELECT FROM site_pages p WHERE p.project_id = $1 AND p.page = n.page)
       ) missing
       WHERE page = '${OTHER_PAGES}' OR
         number <= $3 - (SELECT count(*) FROM site_pages WHERE project_id = $1 AND NOT is_listed)
       ON CONFLICT DO NOTHING`,
      [projectId, arrayLiteral([...names, OTHER_PAGES]), MAX_UNLISTED_PAGES],
    );
    const column = (name: Exclude<keyof PageFetches, 'agent_id' | 'page'>): string =>
      arrayLiteral(fetches.map((one) => one[name]));
    await transaction.query(
      `INSERT INTO page_fetches AS c (
         project_id, page_id, agent_id, first_at, last_at, fetches, successes, redirects, client_errors, server_errors,
         with_query, repeats
       )
       SELECT $1, coalesce(p.id, other.id), agent_id, to_timestamp(min(first_at) / 1000), to_timestamp(max(last_at) / 1000),
         sum(fetches), sum(successes), sum(redirects), sum(client_errors), sum(server_errors), sum(with_query),
         CASE WHEN agent_id <> '${NO_AGENT}' AND p.id IS NOT NULL THEN sum(fetches) - count(*) END
       FROM unnest(
         $2::text[], $3::uuid[], $4::float8[], $5::float8[], $6::int[], $7::int[], $8::int[], $9::int[], $10::int[],
         $11::int[]
       ) AS n (
         page, agent_id, first_at, last_at, fetches, successes, redirects, client_errors, server_errors, with_query
       )
       LEFT JOIN site_pages p ON p.project_id = $1 AND p.page = n.page,
         (SELECT id FROM site_pages WHERE project_id = $1 AND page = '${OTHER_PAGES}') other
       GROUP BY p.id, other.id, agent_id ORDER BY 2, 3
       ON CONFLICT (project_id, page_id, agent_id) DO UPDATE SET
         first_at = least(c.first_at, excluded.first_at), last_at = greatest(c.last_at, excluded.last_at),
         fetches = c.fetches + excluded.fetches, successes = c.successes + excluded.successes,
         redirects = c.redirects + excluded.redirects, client_errors = c.client_errors + excluded.client_errors,
         server_errors = c.server_errors + excluded.server_errors, with_query = c.with_query + excluded.with_query,
         repeats = c.repeats + excluded.repeats + CASE
           WHEN ${toDay('c.last_at')} = ${toDay('excluded.first_at')} OR ${toDay('c.first_at')} = ${toDay('excluded.last_at')}
           THEN 1 ELSE 0 END`,
      [
        projectId,
        arrayLiteral(fetches.map(({ page }) => page)),
        arrayLiteral(fetches.map(({ agent_id: agent }) => agent)),
        column('first_at'),
        column('last_at'),
        column('fetches'),
        column('successes'),
        column('redirects'),
        column('client_errors'),
        column('server_errors'),
        column('with_query'),
      ],
    );
  }
}

/**
 * Prevents others from changing the project's pages until the commit.
 *
 * @returns The position up to which visits are counted, or null if the project was removed.
 */
async function lockState(transaction: EntityManager, projectId: string): Promise<VisitPosition | null> {
  const [state]: { position: number[] }[] = await transaction.query(
    `SELECT position FROM coverage_states WHERE project_id = $1 FOR UPDATE`,
    [projectId],
  );
  return state?.position ?? null;
}

const isSamePosition = (one: VisitPosition, other: VisitPosition): boolean =>
  one.length === other.length && one.every((number, shard) => number === other[shard]);

/** Adds agents to the list until it's full, those with the most fetches first. */
function addAgents(agents: readonly string[], fetches: readonly PageFetches[]): string[] {
  const counts = new Map<string, number>();
  for (const { agent_id: agent, fetches: count } of fetches) counts.set(agent, (counts.get(agent) ?? 0) + count);
  const added = [...counts.keys()]
    .filter((agent) => !agents.includes(agent))
    .toSorted((one, other) => counts.get(other)! - counts.get(one)! || (one < other ? -1 : 1));
  return [...agents, ...added].slice(0, MAX_COVERAGE_AGENTS);
}

const mergeOtherAgents = (fetches: readonly PageFetches[], agents: ReadonlySet<string>): PageFetches[] =>
  fetches.map((one) => (agents.has(one.agent_id) ? one : { ...one, agent_id: NO_AGENT }));
