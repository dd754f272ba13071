import { Inject, Injectable } from '@nestjs/common';
import type { Invitation, Member, ProjectRole } from '#libs/contracts';
import { DataSource, type EntityManager } from 'typeorm';

type InvitationRow = Omit<Invitation, 'created_at' | 'expires_at'> & { created_at: Date; expires_at: Date };

const COLUMNS = 'm.user_id, u.email, u.name, m.role';

/** Who belongs to a project. */
@Injectable()
export class MembersRepository {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  async list(projectId: string): Promise<Member[]> {
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM project_members m JOIN users u ON u.id = m.user_id WHERE m.project_id = $1
       ORDER BY u.email`,
      [projectId],
    );
  }

  /** Those that can still be accepted. */
  async invitations(projectId: string): Promise<Invitation[]> {
    const rows: InvitationRow[] = await this.dataSource.query(
      `SELECT id, role, created_at, expires_at FROM project_invitations
       WHERE project_id = $1 AND expires_at > now() ORDER BY created_at, id`,
      [projectId],
    );
    return rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
    }));
  }

  /** @param role null removes. @returns what became of it; the last owner stays one. */
  async change(projectId: string, userId: string, role: ProjectRole | null): Promise<'changed' | 'unknown' | 'last'> {
    return this.dataSource.transaction(async (transaction) => {
      const owners = await lockOwners(transaction, projectId);
      if (role !== 'owner' && owners.length === 1 && owners[0] === userId) return 'last';
      const [rows]: [unknown[], number] = await transaction.query(
        role === null
          ? `DELETE FROM project_members WHERE project_id = $1 AND user_id = $2 AND $3::text IS NULL RETURNING user_id`
          : `UPDATE project_members SET role = $3 WHERE project_id = $1 AND user_id = $2 RETURNING user_id`,
        [projectId, userId, role],
      );
      if (rows.length === 0) return 'unknown';
      // Whoever may not invite any more must not have somebody come in by an earlier link.
      if (role !== 'owner') {
        await transaction.query(`DELETE FROM project_invitations WHERE project_id = $1 AND created_by = $2`, [
          projectId,
          userId,
        ]);
      }
      return 'changed';
    });
  }
}

/** Until the end of the transaction nobody else changes who owns the project. */
async function lockOwners(transaction: EntityManager, projectId: string): Promise<string[]> {
  const rows: { user_id: string }[] = await transaction.query(
    `SELECT user_id FROM project_members WHERE project_id = $1 AND role = 'owner' ORDER BY user_id FOR UPDATE`,
    [projectId],
  );
  return rows.map(({ user_id: userId }) => userId);
}
