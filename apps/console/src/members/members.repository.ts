import { Injectable } from '@nestjs/common';
import type { Invitation, Member, ProjectRole } from '#libs/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { endWhatTheyMayNotGrant, isOwner, lockPeople, rightLost } from '../access/rights.repository.js';

type InvitationRow = Omit<Invitation, 'created_at' | 'expires_at'> & { created_at: Date; expires_at: Date };

// An administrator may invite people whatever their role in the project.
const COLUMNS = `m.user_id, u.email, u.name, m.role,
  (SELECT count(*)::integer FROM project_invitations i
   WHERE i.project_id = m.project_id AND i.created_by = m.user_id AND i.expires_at > now() AND NOT u.is_admin
  ) AS invitations`;

/** Who belongs to a project. */
@Injectable()
export class MembersRepository {
  constructor(private readonly dataSource: DataSource) {}

  async list(projectId: string): Promise<Member[]> {
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM project_members m JOIN users u ON u.id = m.user_id WHERE m.project_id = $1
       ORDER BY u.email`,
      [projectId],
    );
  }

  /** Invitations that can still be accepted. */
  async invitations(projectId: string): Promise<Invitation[]> {
    const rows: InvitationRow[] = await this.dataSource.query(
      `SELECT i.id, i.role, i.created_at, u.email AS created_by, i.expires_at
       FROM project_invitations i LEFT JOIN users u ON u.id = i.created_by
       WHERE i.project_id = $1 AND i.expires_at > now() ORDER BY i.created_at, i.id`,
      [projectId],
    );
    return rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
    }));
  }

  /**
   * Changes a role, or removes a member. What they created and may no longer grant ends with the change.
   *
   * @param role null removes.
   * @param changedBy null for a program.
   * @returns the outcome. The last owner cannot be removed.
   * @throws ProblemError 403 when the caller may no longer change it.
   */
  async change(
    projectId: string,
    userId: string,
    role: ProjectRole | null,
    changedBy: string | null,
  ): Promise<'changed' | 'unknown' | 'last'> {
    return this.dataSource.transaction(async (transaction) => {
      const people = await lockPeople(transaction, [userId, changedBy]);
      const isLeaving = role === null && changedBy === userId;
      if (changedBy !== null && !isLeaving && people.get(changedBy) !== true) {
        if (!(await isOwner(transaction, changedBy, projectId))) throw rightLost();
      }
      const owners = await lockOwners(transaction, projectId);
      if (role !== 'owner' && owners.length === 1 && owners[0] === userId) return 'last';
      const [rows]: [unknown[], number] = await transaction.query(
        role === null
          ? `DELETE FROM project_members WHERE project_id = $1 AND user_id = $2 AND $3::text IS NULL RETURNING user_id`
          : `UPDATE project_members SET role = $3 WHERE project_id = $1 AND user_id = $2 RETURNING user_id`,
        [projectId, userId, role],
      );
      if (rows.length === 0) return 'unknown';
      await endWhatTheyMayNotGrant(transaction, userId);
      return 'changed';
    });
  }
}

/** Returns the owners. Until the end of the transaction nobody else changes them. */
async function lockOwners(transaction: EntityManager, projectId: string): Promise<string[]> {
  const rows: { user_id: string }[] = await transaction.query(
    `SELECT user_id FROM project_members WHERE project_id = $1 AND role = 'owner' ORDER BY user_id FOR UPDATE`,
    [projectId],
  );
  return rows.map(({ user_id: userId }) => userId);
}
