import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '#libs/contracts';
import { DataSource, type EntityManager } from 'typeorm';

type Row = Omit<Account, 'created_at' | 'last_seen_at'> & { created_at: Date; last_seen_at: Date | null };

/** Everybody who has an account. */
@Injectable()
export class UsersRepository {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  async list(): Promise<Account[]> {
    return select(this.dataSource.manager, null);
  }

  /** @returns null when there is no such user; one administrator always stays. */
  async setAdmin(id: string, isAdmin: boolean): Promise<Account | 'last' | null> {
    return this.dataSource.transaction(async (transaction) => {
      if (!isAdmin && (await isLastAdministrator(transaction, id))) return 'last';
      await transaction.query(`UPDATE users SET is_admin = $2, updated_at = now() WHERE id = $1`, [id, isAdmin]);
      return (await select(transaction, id))[0] ?? null;
    });
  }

  /** With everything that is theirs alone. */
  async remove(id: string): Promise<'removed' | 'last' | 'unknown'> {
    return this.dataSource.transaction(async (transaction) => {
      if (await isLastAdministrator(transaction, id)) return 'last';
      const [rows]: [unknown[], number] = await transaction.query(`DELETE FROM users WHERE id = $1 RETURNING id`, [id]);
      return rows.length > 0 ? 'removed' : 'unknown';
    });
  }
}

async function select(manager: EntityManager, id: string | null): Promise<Account[]> {
  const rows: Row[] = await manager.query(
    `SELECT u.id, u.email, u.name, u.is_admin, u.created_at,
       (SELECT count(*)::int FROM project_members m WHERE m.user_id = u.id) AS projects,
       (SELECT max(s.updated_at) FROM user_sessions s WHERE s.user_id = u.id) AS last_seen_at
     FROM users u WHERE $1::uuid IS NULL OR u.id = $1 ORDER BY u.email`,
    [id],
  );
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
  }));
}

/** Until the end of the transaction nobody else changes who administers the instance. */
async function isLastAdministrator(transaction: EntityManager, id: string): Promise<boolean> {
  const rows: { id: string }[] = await transaction.query(`SELECT id FROM users WHERE is_admin ORDER BY id FOR UPDATE`);
  return rows.length === 1 && rows[0]!.id === id;
}
