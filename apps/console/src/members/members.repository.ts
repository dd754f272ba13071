import { Injectable } from '@nestjs/common';
import type { Invitation, Member, ProjectRole } from '#libs/contracts';
import { auditedTransaction, InvitationEntity, MemberEntity } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { revokeUngrantable, isOwner, lockUsers, permissionLost } from '../access/permissions.repository.js';
import { IS_UNEXPIRED } from './invitations.repository.js';

// `invitations` counts the open invitations that become invalid when the member is no longer an owner. Invitations from
// administrators aren't counted, because they remain valid.
const COLUMNS = `m.user_id, u.email, u.name, m.role,
  (SELECT count(*)::integer FROM project_invitations i
   WHERE i.project_id = m.project_id AND i.created_by = m.user_id AND i.expires_at > now() AND NOT u.is_admin
  ) AS invitations`;

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

  async invitations(projectId: string): Promise<Invitation[]> {
    const invitations = await this.dataSource.manager.find(InvitationEntity, {
      where: { project: { id: projectId }, expires_at: IS_UNEXPIRED },
      relations: { created_by: true },
      order: { created_at: 'ASC', id: 'ASC' },
    });
    return invitations.map(({ id, role, created_at: createdAt, created_by: creator, expires_at: expiresAt }) => ({
      id,
      role,
      created_at: createdAt.toISOString(),
      created_by: creator?.email ?? null,
      expires_at: expiresAt.toISOString(),
    }));
  }

  /**
   * Changes a member's role, or removes the member. Also revokes everything they created but are no longer allowed to
   * grant.
   *
   * @param role New role. Null removes the member.
   * @param changedBy User ID, or null for a program.
   * @returns `last` if the project would lose its only owner, or `unknown` if the user isn't a member.
   * @throws {ProblemError} 403 if the caller is no longer allowed to make this change.
   */
  async change(
    projectId: string,
    userId: string,
    role: ProjectRole | null,
    changedBy: string | null,
  ): Promise<'changed' | 'unknown' | 'last'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const lockedUsers = await lockUsers(transaction, [userId, changedBy]);
      const isLeaving = role === null && changedBy === userId;
      if (changedBy !== null && !isLeaving && lockedUsers.get(changedBy) !== true) {
        if (!(await isOwner(transaction, changedBy, projectId))) throw permissionLost();
      }
      const owners = await lockOwners(transaction, projectId);
      if (role !== 'owner' && owners.length === 1 && owners[0] === userId) return 'last';
      const member = { project_id: projectId, user_id: userId };
      const { affected } = await (role === null
        ? transaction.delete(MemberEntity, member)
        : transaction.update(MemberEntity, member, { role }));
      if (affected === 0) return 'unknown';
      await revokeUngrantable(transaction, userId);
      return 'changed';
    });
  }
}

/** Locks the project's owners until the transaction ends, and returns their user IDs. */
async function lockOwners(transaction: EntityManager, projectId: string): Promise<string[]> {
  const rows: { user_id: string }[] = await transaction.query(
    `SELECT user_id FROM project_members WHERE project_id = $1 AND role = 'owner' ORDER BY user_id FOR UPDATE`,
    [projectId],
  );
  return rows.map(({ user_id: userId }) => userId);
}
