import { Injectable } from '@nestjs/common';
import { getSiteHosts } from '#libs/contracts';
import { executeReturning } from '#libs/database';
import type { LicensedContent } from '#libs/permissions';
import { DataSource } from 'typeorm';

/** A license to fetch. */
export interface ClaimedLicense {
  projectId: string;
  url: string;
  /** The project's hosts in lower case. */
  hosts: string[];
}

export interface StoredLicense {
  url: string;
  checkedAt: Date | null;
  fault: string | null;
  /** Null if no valid license was found. */
  contents: LicensedContent[] | null;
}

/** Result of a fetch. */
export interface FetchedLicense {
  fault: string | null;
  /** Null without a valid license. If undefined, the stored contents are kept. */
  contents: LicensedContent[] | null | undefined;
}

/** Maximum number of licenses per project. */
const MAX_LICENSES = 20;
const MAX_URL_LENGTH = 2_048;
/** Time after which another process can take over a claimed license. Fetches time out after 20 s. */
const CLAIM_TIMEOUT_MS = 120_000;

@Injectable()
export class LicensesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the revisions of robots.txt by project ID. They change when the active versions change. */
  async findRevisions(): Promise<Map<string, string>> {
    const rows: { project_id: string; revision: string }[] = await this.dataSource.query(
      `SELECT project_id, revision FROM robots_revisions`,
    );
    return new Map(rows.map(({ project_id: id, revision }) => [id, revision]));
  }

  /**
   * Adds the licenses that active robots.txt versions link to, and removes the others. Licenses that are being fetched are
   * removed the next time.
   */
  async sync(now: number, projectIds: readonly string[]): Promise<void> {
    await this.dataSource.query(
      `WITH linked AS (
         SELECT DISTINCT v.project_id, m[1] AS url
         FROM robots_versions v JOIN projects p ON p.id = v.project_id JOIN robots_texts t USING (digest),
           regexp_matches(t.text, '(?:^|[\\n\\r])[ \\t]*license[ \\t]*:[ \\t]*(https?://[^\\s#]+)', 'gi') m
         WHERE v.served_until IS NULL AND NOT p.is_demo AND v.project_id = ANY ($1::uuid[])
           AND length(m[1]) <= ${MAX_URL_LENGTH}
       ), removed AS (
         DELETE FROM robots_licenses l
         WHERE l.project_id = ANY ($1::uuid[]) AND (l.claimed_until IS NULL OR l.claimed_until <= $2)
           AND NOT EXISTS (SELECT FROM linked WHERE (linked.project_id, linked.url) = (l.project_id, l.url))
       )
       INSERT INTO robots_licenses (project_id, url, next_fetch_at)
       SELECT project_id, url, $2 FROM (
         SELECT linked.project_id, linked.url, row_number() OVER (
           PARTITION BY linked.project_id ORDER BY l.url IS NULL, linked.url
         ) AS number
         FROM linked LEFT JOIN robots_licenses l USING (project_id, url)
       ) numbered WHERE number <= ${MAX_LICENSES}
       ON CONFLICT DO NOTHING`,
      [projectIds, new Date(now)],
    );
  }

  /**
   * Claims a license that is due, so no other process fetches it.
   *
   * @param onlyProjectId ID of the project whose licenses to claim even if they aren't due, or null for all projects.
   * @param notCheckedSince Excludes licenses that were fetched after this time, in milliseconds since the epoch.
   */
  async claim(onlyProjectId: string | null, notCheckedSince: number, now: number): Promise<ClaimedLicense | null> {
    const [row] = await executeReturning<{
      project_id: string;
      url: string;
      host_names: string[];
      site_address: string | null;
    }>(
      this.dataSource,
      // A join could run a subquery several times, and lock another row each time.
      `WITH d AS MATERIALIZED (
         SELECT project_id, url FROM robots_licenses
         WHERE (claimed_until IS NULL OR claimed_until <= $2) AND CASE
           WHEN $1::uuid IS NULL THEN next_fetch_at <= $2
           ELSE project_id = $1 AND (checked_at IS NULL OR checked_at <= $4::timestamptz) END
         ORDER BY next_fetch_at LIMIT 1 FOR UPDATE SKIP LOCKED
       )
       UPDATE robots_licenses l SET claimed_until = $3
       FROM d JOIN projects p ON p.id = d.project_id
       WHERE (l.project_id, l.url) = (d.project_id, d.url)
       RETURNING l.project_id, l.url, p.host_names, p.site_address`,
      [onlyProjectId, new Date(now), new Date(now + CLAIM_TIMEOUT_MS), new Date(notCheckedSince)],
    );
    return row === undefined ? null : { projectId: row.project_id, url: row.url, hosts: getSiteHosts(row) };
  }

  /** @param nextFetchAt Milliseconds since the epoch. */
  async save(
    { projectId, url }: ClaimedLicense,
    { fault, contents }: FetchedLicense,
    now: number,
    nextFetchAt: number,
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE robots_licenses SET checked_at = $3, next_fetch_at = $4, claimed_until = NULL, fault = $5,
         contents = CASE WHEN $6 THEN $7::jsonb ELSE contents END
       WHERE project_id = $1 AND url = $2`,
      [
        projectId,
        url,
        new Date(now),
        new Date(nextFetchAt),
        fault,
        contents !== undefined,
        contents == null ? null : JSON.stringify(contents),
      ],
    );
  }

  async list(projectId: string): Promise<StoredLicense[]> {
    return this.dataSource.query(
      `SELECT url, checked_at AS "checkedAt", fault, contents FROM robots_licenses WHERE project_id = $1`,
      [projectId],
    );
  }
}
