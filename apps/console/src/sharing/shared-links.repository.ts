import { Injectable } from '@nestjs/common';
import { MAX_SHARED_LINKS, type SharedLink } from '#libs/contracts';
import { auditedTransaction, executeAndCount, hashCredential, generateCredential } from '#libs/database';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';
import { ownsProject, permissionLost } from '../access/permissions.repository.js';

export interface OpenLink {
  id: string;
  project_id: string;
  project_name: string;
  time_zone: string;
  /** Password hash. Null if the link has no password. */
  password: string | null;
}

/** Shared link with the ID of its badge, which is null for links with a password. */
type StoredLink = Omit<SharedLink, 'badge_url'> & { badge: string | null };

interface NewSharedLink {
  name: string;
  isBadge: boolean;
  password: string | null;
  /** Number of days until the link expires. Null if it never expires. */
  days: number | null;
}

type Row = Record<'created_at' | 'expires_at' | 'last_opened_at', Date | null> &
  Omit<StoredLink, 'created_at' | 'badge'> & { hash: Buffer };

/** Stores shared links to project overviews. Revoked links are deleted. */
@Injectable()
export class SharedLinksRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the project's links, newest first.
   *
   * @param id Link ID, or null for all links.
   */
  async list(projectId: string, id: string | null = null): Promise<StoredLink[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT l.id, l.name, l.hash, l.password IS NOT NULL AS has_password, l.is_badge, l.created_at, u.email AS created_by, l.expires_at,
         l.last_used_at AS last_opened_at
       FROM shared_links l LEFT JOIN users u ON u.id = l.created_by
       WHERE l.project_id = $1 AND ($2::uuid IS NULL OR l.id = $2) ORDER BY l.id DESC`,
      [projectId, id],
    );
    return rows.map(({ created_at: created, expires_at: expiresAt, last_opened_at: opened, hash, ...row }) => ({
      ...row,
      // A hash of the secret, so badge URLs don't reveal it.
      badge: row.has_password ? null : hash.toString('base64url'),
      created_at: created!.toISOString(),
      expires_at: expiresAt?.toISOString() ?? null,
      last_opened_at: opened?.toISOString() ?? null,
    }));
  }

  /**
   * Creates a shared link.
   *
   * @param creatorId User ID, or null if unknown.
   * @returns The link with its secret, which isn't stored. `full` if the project has reached `MAX_SHARED_LINKS`, or
   * `unknown` if it doesn't exist.
   * @throws {ProblemError} 403 if the user no longer owns the project.
   */
  async create(
    projectId: string,
    { name, isBadge, password, days }: NewSharedLink,
    creatorId: string | null,
  ): Promise<{ secret: string; link: StoredLink } | 'full' | 'unknown'> {
    const [id, secret] = [v7(), generateCredential('agl_')];
    const outcome = await auditedTransaction(this.dataSource, async (transaction) => {
      if (!(await ownsProject(transaction, creatorId, projectId))) throw permissionLost();
      // Lock the project, so concurrent requests can't exceed the limit.
      const project: unknown[] = await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [
        projectId,
      ]);
      if (project.length === 0) return 'unknown';
      const [{ count }]: [{ count: number }] = await transaction.query(
        `SELECT count(*)::integer AS count FROM shared_links WHERE project_id = $1`,
        [projectId],
      );
      if (count >= MAX_SHARED_LINKS) return 'full';
      await transaction.query(
        `INSERT INTO shared_links (id, project_id, name, hash, password, created_by, expires_at, is_badge)
         VALUES ($1, $2, $3, $4, $5, (SELECT id FROM users WHERE id = $6), now() + make_interval(days => $7), $8)`,
        [id, projectId, name, hashCredential(secret), password, creatorId, days, isBadge],
      );
      return 'made';
    });
    if (outcome !== 'made') return outcome;
    const [link] = await this.list(projectId, id);
    return link === undefined ? 'unknown' : { secret, link };
  }

  async revoke(projectId: string, id: string): Promise<boolean> {
    const revoked = await auditedTransaction(this.dataSource, (transaction) =>
      executeAndCount(transaction, `DELETE FROM shared_links WHERE project_id = $1 AND id = $2`, [projectId, id]),
    );
    return revoked > 0;
  }

  /** Returns the link with this secret, or null if it is unknown, revoked, expired or only a badge. */
  find(secret: string): Promise<OpenLink | null> {
    return this.findByHash(hashCredential(secret), 'AND NOT l.is_badge');
  }

  /** Returns the link with this badge ID, or null if it is unknown, revoked or expired. */
  findByBadge(badge: string): Promise<OpenLink | null> {
    return this.findByHash(Buffer.from(badge, 'base64url'));
  }

  private async findByHash(hash: Buffer, condition = ''): Promise<OpenLink | null> {
    const [link]: OpenLink[] = await this.dataSource.query(
      `SELECT l.id, l.project_id, p.name AS project_name, p.time_zone, l.password
       FROM shared_links l JOIN projects p ON p.id = l.project_id
       WHERE l.hash = $1 AND (l.expires_at IS NULL OR l.expires_at > now()) ${condition}`,
      [hash],
    );
    return link ?? null;
  }
}
