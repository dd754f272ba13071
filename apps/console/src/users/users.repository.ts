import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '#libs/contracts';
import { DataSource, type EntityManager } from 'typeorm';

type Row = Omit<Account, 'created_at' | 'last_seen_at'> & { created_at: Date; last_seen_at: Date | null };

/** Key of the advisory lock under which it is changed who administers the instance. */
const LOCK = 4_116_820_615;

/** Everybody's accounts. */
@Injectable()
export class UsersRepository {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** @param id null for all. */
  async list(id: string | null = null): Promise<Account[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT id, email, name, is_admin, created_at,
         (SELECT count(*)::integer FROM project_members m WHERE m.user_id = u.id) AS projects,
         EXISTS (SELECT FROM user_logins l WHERE l.user_id = u.id AND l.password IS NOT NULL) AS has_password,
         (SELECT max(s.updated_at) FROM user_sessions s WHERE s.user_id = u.id) AS last_seen_at
       FROM users u WHERE $1::uuid IS NULL OR id = $1 ORDER BY email`,
      [id],
    );
    return rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
    }));
  }

  /** @returns what became of it; somebody always administers the instance. */
  async setAdmin(id: string, isAdmin: boolean): Promise<'changed' | 'unknown' | 'last'> {
    return this.dataSource.transaction(async (transaction) => {
      if (!isAdmin && (await isLastAdmin(transaction, id))) return 'last';
      const [rows]: [unknown[], number] = await transaction.query(
        `UPDATE users SET is_admin = $2, updated_at = now() WHERE id = $1 RETURNING id`,
        [id, isAdmin],
      );
      return rows.length > 0 ? 'changed' : 'unknown';
    });
  }

  /** With sessions, ways to sign in, memberships, and the invitations that they made. */
  async remove(id: string): Promise<'changed' | 'unknown' | 'last'> {
    return this.dataSource.transaction(async (transaction) => {
      if (await isLastAdmin(transaction, id)) return 'last';
      const [rows]: [unknown[], number] = await transaction.query(`DELETE FROM users WHERE id = $1 RETURNING id`, [id]);
      return rows.length > 0 ? 'changed' : 'unknown';
    });
  }
}

/** Until the end of the transaction nobody else changes who administers the instance. */
async function isLastAdmin(transaction: EntityManager, id: string): Promise<boolean> {
  await transaction.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  const rows: { id: string }[] = await transaction.query(`SELECT id FROM users WHERE is_admin LIMIT 2`);
  return rows.length === 1 && rows[0]!.id === id;
}
