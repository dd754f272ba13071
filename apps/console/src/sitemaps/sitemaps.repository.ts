import { Injectable } from '@nestjs/common';
import { getSiteHosts, MAX_LISTED_PAGES, type Sitemap, type SitemapList } from '#libs/contracts';
import { executeReturning } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';

/** A project whose sitemaps are due. */
export interface ClaimedProject {
  projectId: string;
  /** The project's hosts in lower case. */
  hosts: string[];
  siteAddress: string | null;
  /** Fetched robots.txt files by host. */
  robots: Map<string, string>;
}

export interface ListedPage {
  /** Page as returned by `getPage`. */
  page: string;
  /** One of the hosts with this page, in lower case. */
  host: string;
  /** ISO 8601, or null. */
  lastModified: string | null;
}

/** Sitemaps that were read, and the pages that they list. */
export interface SitemapsRead {
  sitemaps: Omit<Sitemap, 'is_recorded' | 'checked_at'>[];
  pages: ListedPage[];
  /** False if a sitemap that couldn't be read now may list more pages. */
  isComplete: boolean;
}

/** Time after which another process can take over a claimed project. */
const CLAIM_TIMEOUT_MS = 10 * 60_000;

@Injectable()
export class SitemapsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds the projects that aren't scheduled yet. Waits for their first robots.txt, which can list sitemaps. */
  async addProjects(now: number): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO coverage_states (project_id, next_fetch_at)
       SELECT DISTINCT project_id, $1::timestamptz FROM robots_hosts WHERE checked_at IS NOT NULL
       ON CONFLICT DO NOTHING`,
      [new Date(now)],
    );
  }

  /**
   * Claims a project, so no other process reads its sitemaps.
   *
   * @param onlyProjectId ID of the project to claim even if it isn't due, or null to claim any project that is due.
   * @param notCheckedSince Excludes projects that were read after this time, in milliseconds since the epoch.
   * @returns Null if there is no such project.
   */
  async claim(onlyProjectId: string | null, notCheckedSince: number, now: number): Promise<ClaimedProject | null> {
    const [claimed] = await executeReturning<{ id: string; host_names: string[]; site_address: string | null }>(
      this.dataSource,
      `UPDATE coverage_states s SET claimed_until = $3 FROM projects p
       WHERE p.id = s.project_id AND s.project_id = (
         SELECT project_id FROM coverage_states
         WHERE project_id NOT IN (SELECT id FROM projects WHERE is_demo) AND (claimed_until IS NULL OR claimed_until <= $2) AND CASE
           WHEN $1::uuid IS NULL THEN next_fetch_at <= $2
           ELSE project_id = $1 AND (checked_at IS NULL OR checked_at <= $4::timestamptz) END
         ORDER BY next_fetch_at LIMIT 1 FOR UPDATE SKIP LOCKED
       ) RETURNING p.id, p.host_names, p.site_address`,
      [onlyProjectId, new Date(now), new Date(now + CLAIM_TIMEOUT_MS), new Date(notCheckedSince)],
    );
    if (claimed === undefined) return null;
    const texts: { host: string; text: string }[] = await this.dataSource.query(
      `SELECT host, text FROM robots_versions JOIN robots_texts USING (digest)
       WHERE project_id = $1 AND served_until IS NULL AND NOT is_recorded`,
      [claimed.id],
    );
    return {
      projectId: claimed.id,
      hosts: getSiteHosts(claimed),
      siteAddress: claimed.site_address,
      robots: new Map(texts.map(({ host, text }) => [host, text])),
    };
  }

  /** Schedules a project, so that it can be claimed. */
  async addProject(projectId: string, now: number): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO coverage_states (project_id, next_fetch_at) SELECT id, $2 FROM projects WHERE id = $1
       ON CONFLICT DO NOTHING`,
      [projectId, new Date(now)],
    );
  }

  /**
   * Stores fetched sitemaps. If the read is complete, pages that none of them lists are no longer listed.
   *
   * @param nextFetchAt Milliseconds since the epoch.
   */
  async saveFetched(projectId: string, read: SitemapsRead, now: number, nextFetchAt: number): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      if (!(await lockState(transaction, projectId))) return;
      await transaction.query(`DELETE FROM sitemaps WHERE project_id = $1 AND NOT is_recorded`, [projectId]);
      await insertSitemaps(transaction, { projectId, read, now, host: null });
      if (read.isComplete) {
        await transaction.query(
          `UPDATE site_pages SET is_fetched = false WHERE project_id = $1 AND is_fetched AND page <> ALL ($2::text[])`,
          [projectId, read.pages.map(({ page }) => page)],
        );
      }
      await listPages(transaction, { projectId, read, now, host: null });
      await transaction.query(
        `UPDATE coverage_states SET checked_at = $2, next_fetch_at = $3, claimed_until = NULL WHERE project_id = $1`,
        [projectId, new Date(now), new Date(nextFetchAt)],
      );
    });
  }

  /** Stores the recorded sitemap of a host. If it's null, removes it. */
  async saveRecorded(projectId: string, host: string, read: SitemapsRead | null, now: number): Promise<void> {
    await this.addProject(projectId, now);
    await this.dataSource.transaction(async (transaction) => {
      if (!(await lockState(transaction, projectId))) return;
      await transaction.query(`DELETE FROM sitemaps WHERE project_id = $1 AND url = $2 AND is_recorded`, [
        projectId,
        host,
      ]);
      await transaction.query(
        `UPDATE site_pages SET recorded_hosts = array_remove(recorded_hosts, $2)
         WHERE project_id = $1 AND $2 = ANY (recorded_hosts)`,
        [projectId, host],
      );
      if (read !== null) {
        await insertSitemaps(transaction, { projectId, read, now, host });
        await listPages(transaction, { projectId, read, now, host });
      }
    });
  }

  async list(projectId: string): Promise<SitemapList> {
    const sitemaps: (Omit<Sitemap, 'checked_at'> & { checked_at: Date })[] = await this.dataSource.query(
      `SELECT url, is_recorded, checked_at, is_index, entries, ignored, fault, line FROM sitemaps
       WHERE project_id = $1 ORDER BY url COLLATE "C"`,
      [projectId],
    );
    const [state]: [{ checked_at: Date | null; pages: number }] = await this.dataSource.query(
      `SELECT (SELECT checked_at FROM coverage_states WHERE project_id = $1),
         (SELECT count(*)::integer FROM site_pages WHERE project_id = $1 AND is_listed) AS pages`,
      [projectId],
    );
    return {
      sitemaps: sitemaps.map((sitemap) => ({ ...sitemap, checked_at: sitemap.checked_at.toISOString() })),
      pages: state.pages,
      checked_at: state.checked_at?.toISOString() ?? null,
    };
  }
}

interface Update {
  projectId: string;
  read: SitemapsRead;
  /** Milliseconds since the epoch. */
  now: number;
  /** Host of a recorded sitemap, or null for fetched sitemaps. */
  host: string | null;
}

/** Prevents others from changing the project's pages until the commit. @returns false if the project was removed. */
async function lockState(transaction: EntityManager, projectId: string): Promise<boolean> {
  // Inserting pages locks the project. Removing a project locks it first, too, which prevents deadlocks.
  await transaction.query(`SELECT FROM projects WHERE id = $1 FOR KEY SHARE`, [projectId]);
  const rows: unknown[] = await transaction.query(`SELECT FROM coverage_states WHERE project_id = $1 FOR UPDATE`, [
    projectId,
  ]);
  return rows.length > 0;
}

async function insertSitemaps(
  transaction: EntityManager,
  { projectId, read: { sitemaps }, now, host }: Update,
): Promise<void> {
  await transaction.query(
    `INSERT INTO sitemaps (project_id, is_recorded, checked_at, url, is_index, entries, ignored, fault, line)
     SELECT $1, $2, $3, * FROM unnest($4::text[], $5::boolean[], $6::int[], $7::int[], $8::text[], $9::int[])`,
    [
      projectId,
      host !== null,
      new Date(now),
      sitemaps.map(({ url }) => url),
      sitemaps.map((sitemap) => sitemap.is_index),
      sitemaps.map(({ entries }) => entries),
      sitemaps.map(({ ignored }) => ignored),
      sitemaps.map(({ fault }) => fault),
      sitemaps.map(({ line }) => line),
    ],
  );
}

/** Stores the pages as listed, up to the limit. */
async function listPages(
  transaction: EntityManager,
  { projectId, read: { pages, isComplete }, now, host }: Update,
): Promise<void> {
  await transaction.query(
    `INSERT INTO site_pages AS p (
       project_id, page, is_fetched, recorded_hosts, first_seen_at, last_seen_at, last_modified, added_at
     )
     SELECT $1, page, $2::text IS NULL, array_remove(ARRAY[$2::text], NULL), $3, $3, modified,
       CASE WHEN host = ANY (s.read_hosts) THEN $3::timestamptz END
     FROM (
       SELECT page, host, modified, count(*) FILTER (WHERE is_new) OVER (ORDER BY rank) AS added, is_new FROM (
         SELECT n.*, listed.id IS NULL AS is_new
         FROM unnest($4::text[], $5::text[], $6::timestamptz[]) WITH ORDINALITY AS n (page, host, modified, rank)
         LEFT JOIN site_pages listed ON listed.project_id = $1 AND listed.page = n.page AND listed.is_listed
       ) pages
     ) numbered, coverage_states s
     WHERE s.project_id = $1 AND (NOT is_new OR added <= $7 - (SELECT count(*) FROM site_pages WHERE project_id = $1 AND is_listed))
     ON CONFLICT (project_id, page) DO UPDATE SET
       is_fetched = p.is_fetched OR excluded.is_fetched,
       recorded_hosts = p.recorded_hosts || excluded.recorded_hosts,
       added_at = CASE WHEN p.first_seen_at IS NULL THEN excluded.added_at ELSE p.added_at END,
       first_seen_at = coalesce(p.first_seen_at, excluded.first_seen_at), last_seen_at = excluded.last_seen_at,
       last_modified = coalesce(excluded.last_modified, p.last_modified)`,
    [
      projectId,
      host,
      new Date(now),
      pages.map(({ page }) => page),
      pages.map((page) => page.host),
      pages.map((page) => page.lastModified),
      MAX_LISTED_PAGES,
    ],
  );
  if (!isComplete) return;
  await transaction.query(
    `UPDATE coverage_states SET read_hosts = ARRAY(SELECT unnest(read_hosts) UNION SELECT unnest($2::text[]))
     WHERE project_id = $1`,
    [projectId, [...new Set(pages.map((page) => page.host))]],
  );
}
