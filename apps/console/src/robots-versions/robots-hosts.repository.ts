import { Injectable } from '@nestjs/common';
import { getSiteHosts } from '#libs/contracts';
import { ADVISORY_LOCKS, executeReturning } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';

/** A host to fetch robots.txt from, with the result of the last successful fetch. */
export interface ClaimedHost {
  projectId: string;
  host: string;
  /** The project's site address, which determines the scheme to use. */
  siteAddress: string | null;
  /** URL of the file that was found last, or null if none was found. */
  url: string | null;
  etag: string | null;
  lastModified: string | null;
  /** SHA-256 of the file. */
  digest: Buffer | null;
}

interface FetchedHost {
  host: string;
  checked_at: Date | null;
  url: string | null;
  fault: string | null;
}

/** Time after which another process can take over a claimed host. Fetches time out after 10 s. */
const CLAIM_TIMEOUT_MS = 120_000;

@Injectable()
export class RobotsHostsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Adds and removes hosts to match the projects' settings.
   *
   * @param onlyProjectId ID of the project to update, or null to update all projects.
   */
  async syncHosts(now: number, onlyProjectId: string | null): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      // Without the lock, processes that read the projects at different times would undo each other's changes.
      await transaction.query(`SELECT pg_advisory_xact_lock($1)`, [ADVISORY_LOCKS.robotsHosts]);
      const projects: { id: string; host_names: string[]; site_address: string | null }[] = await transaction.query(
        `SELECT id, host_names, site_address FROM projects WHERE NOT is_demo AND ($1::uuid IS NULL OR id = $1)`,
        [onlyProjectId],
      );
      const pairs = projects.flatMap((project) => getSiteHosts(project).map((host) => ({ id: project.id, host })));
      const lists = [pairs.map(({ id }) => id), pairs.map(({ host }) => host)];
      await transaction.query(
        `INSERT INTO robots_hosts (project_id, host, next_fetch_at)
         SELECT p.id, h.host, $3 FROM unnest($1::uuid[], $2::text[]) h (project_id, host)
         JOIN projects p ON p.id = h.project_id
         ON CONFLICT DO NOTHING`,
        [...lists, new Date(now)],
      );
      await transaction.query(
        `DELETE FROM robots_hosts h WHERE ($3::uuid IS NULL OR project_id = $3) AND NOT EXISTS (
           SELECT FROM unnest($1::uuid[], $2::text[]) w (project_id, host)
           WHERE (w.project_id, w.host) = (h.project_id, h.host)
         )`,
        [...lists, onlyProjectId],
      );
    });
  }

  /** Returns the IDs of projects with due hosts, longest overdue first. */
  async findDueProjects(now: number): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT project_id AS id FROM robots_hosts
       WHERE next_fetch_at <= $1 AND (claimed_until IS NULL OR claimed_until <= $1)
       GROUP BY project_id ORDER BY min(next_fetch_at), project_id`,
      [new Date(now)],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Claims one of a project's hosts, so no other process fetches from it.
   *
   * @param notCheckedSince Selects a host that hasn't been checked since this time, in milliseconds since the epoch.
   *   Null selects a host that is due.
   * @returns Null if no host matches.
   */
  async claim(projectId: string, notCheckedSince: number | null, now: number): Promise<ClaimedHost | null> {
    const [host] = await executeReturning<ClaimedHost>(
      this.dataSource,
      // A join could run a subquery several times, and lock another row each time.
      `WITH d AS MATERIALIZED (
         SELECT project_id, host FROM robots_hosts
         WHERE project_id = $1 AND (claimed_until IS NULL OR claimed_until <= $2) AND CASE
           WHEN $4::timestamptz IS NULL THEN next_fetch_at <= $2
           ELSE checked_at IS NULL OR checked_at <= $4::timestamptz END
         ORDER BY next_fetch_at, host LIMIT 1 FOR UPDATE SKIP LOCKED
       )
       UPDATE robots_hosts h SET claimed_until = $3
       FROM d JOIN projects p ON p.id = d.project_id
       WHERE (h.project_id, h.host) = (d.project_id, d.host)
       RETURNING h.project_id AS "projectId", h.host, p.site_address AS "siteAddress", h.url, h.etag,
         h.last_modified AS "lastModified", h.digest`,
      [
        projectId,
        new Date(now),
        new Date(now + CLAIM_TIMEOUT_MS),
        notCheckedSince === null ? null : new Date(notCheckedSince),
      ],
    );
    return host ?? null;
  }

  /** Makes a project's hosts due if they haven't been checked since `notCheckedSince`. */
  async makeDue(projectId: string, notCheckedSince: number, now: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE robots_hosts SET next_fetch_at = least(next_fetch_at, $3)
       WHERE project_id = $1 AND (checked_at IS NULL OR checked_at <= $2)`,
      [projectId, new Date(notCheckedSince), new Date(now)],
    );
  }

  async list(projectId: string): Promise<FetchedHost[]> {
    return this.dataSource.query(`SELECT host, checked_at, url, fault FROM robots_hosts WHERE project_id = $1`, [
      projectId,
    ]);
  }
}

export interface FetchResult {
  checkedAt: number;
  nextFetchAt: number;
  fault: string | null;
  /** Properties of the file that was found, or null to leave the stored ones unchanged. */
  known: { url: string; etag: string | null; lastModified: string | null; digest: Buffer | null } | null;
  /**
   * Whether the fetch found a file or confirmed that none exists. If so, the time of the last confirmation is updated.
   */
  isConfirmed: boolean;
}

/**
 * Stores the result of a fetch.
 *
 * @returns The time when the active version was last confirmed before this fetch, or undefined if the host no longer
 *   belongs to the project.
 */
export async function saveFetchResult(
  transaction: EntityManager,
  { projectId, host }: ClaimedHost,
  { checkedAt, nextFetchAt, fault, known, isConfirmed }: FetchResult,
): Promise<{ confirmedAt: Date | null } | undefined> {
  const [row] = await executeReturning<{ confirmedAt: Date | null }>(
    transaction,
    `UPDATE robots_hosts h SET checked_at = $3, next_fetch_at = $4, fault = $5, claimed_until = NULL,
       confirmed_at = CASE WHEN $6 THEN $3 ELSE h.confirmed_at END,
       url = CASE WHEN $7 THEN $8 ELSE h.url END, etag = CASE WHEN $7 THEN $9 ELSE h.etag END,
       last_modified = CASE WHEN $7 THEN $10 ELSE h.last_modified END,
       digest = CASE WHEN $7 THEN $11::bytea ELSE h.digest END
     FROM (SELECT confirmed_at FROM robots_hosts WHERE project_id = $1 AND host = $2 FOR UPDATE) former
     WHERE project_id = $1 AND host = $2 RETURNING former.confirmed_at AS "confirmedAt"`,
    [
      projectId,
      host,
      new Date(checkedAt),
      new Date(nextFetchAt),
      fault,
      isConfirmed,
      known !== null,
      known?.url ?? null,
      known?.etag ?? null,
      known?.lastModified ?? null,
      known?.digest ?? null,
    ],
  );
  return row;
}
