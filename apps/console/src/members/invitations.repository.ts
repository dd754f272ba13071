import { Injectable } from '@nestjs/common';
import { MAX_INVITATIONS, type OpenInvitation, type ProjectRole, type User } from '#libs/contracts';
import {
  auditedTransaction,
  executeReturning,
  hashCredential,
  InvitationEntity,
  generateCredential,
} from '#libs/database';
import { DataSource, Raw, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import { ownsProject, permissionLost } from '../access/permissions.repository.js';
import { addUser, type NewUser } from '../access/new-user.repository.js';

const INVITATION_DAYS = 7;

/** Condition that matches times in the future. Uses the database clock, because the database also sets these times. */
export const IS_UNEXPIRED = Raw((column) => `${column} > now()`);

interface CreatedInvitation {
  id: string;
  role: ProjectRole;
  /** Secret token in the link. Only its hash is stored. */
  token: string;
  expires_at: string;
}

interface UsedInvitation {
  project_id: string;
  role: ProjectRole;
}

@Injectable()
export class InvitationsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Creates an invitation. Returns `full` if the project has reached `MAX_INVITATIONS`, or null if it doesn't exist.
   *
   * @param creatorId User ID, or null for a program.
   * @throws {ProblemError} 403 if the user is no longer allowed to invite people.
   */
  async create(
    projectId: string,
    role: ProjectRole,
    creatorId: string | null,
  ): Promise<CreatedInvitation | 'full' | null> {
    const token = generateCredential('agi_');
    return auditedTransaction(this.dataSource, async (transaction) => {
      if (!(await ownsProject(transaction, creatorId, projectId))) throw permissionLost();
      // Lock the project, so concurrent requests can't exceed the limit.
      await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [projectId]);
      const [{ count }]: [{ count: number }] = await transaction.query(
        `SELECT count(*)::integer AS count FROM project_invitations WHERE project_id = $1 AND expires_at > now()`,
        [projectId],
      );
      if (count >= MAX_INVITATIONS) return 'full';
      const [row]: { id: string; expires_at: Date }[] = await transaction.query(
        `INSERT INTO project_invitations (id, project_id, role, hash, created_by, expires_at)
         SELECT $1, id, $3, $4, $5, now() + make_interval(days => $6) FROM projects WHERE id = $2
         RETURNING id, expires_at`,
        [v7(), projectId, role, hashCredential(token), creatorId, INVITATION_DAYS],
      );
      return row === undefined ? null : { id: row.id, role, token, expires_at: row.expires_at.toISOString() };
    });
  }

  async revoke(projectId: string, id: string): Promise<boolean> {
    const { affected } = await auditedTransaction(this.dataSource, (transaction) =>
      transaction.delete(InvitationEntity, { id, project: { id: projectId } }),
    );
    return affected !== 0;
  }

  /** Returns an open invitation, or null if it is unknown, used, revoked or expired. */
  async find(token: string): Promise<OpenInvitation | null> {
    const [invitation] = await this.dataSource.manager.find(InvitationEntity, {
      where: { hash: hashCredential(token), expires_at: IS_UNEXPIRED },
      relations: { project: true },
    });
    if (invitation === undefined) return null;
    const { project, role, expires_at: expiresAt } = invitation;
    return { project_name: project.name, role, expires_at: expiresAt.toISOString() };
  }

  /**
   * Accepts an invitation with an existing account. Returns the project ID, or null if the invitation is no longer
   * valid.
   */
  async join(token: string, userId: string): Promise<string | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const usedInvitation = await useInvitation(transaction, token);
      if (usedInvitation !== null) await addMember(transaction, usedInvitation, userId);
      return usedInvitation?.project_id ?? null;
    });
  }

  /**
   * Creates an account and accepts an invitation with it.
   *
   * @returns Null if the invitation is no longer valid, or `known` if the address already has an account. In the latter
   * case, the invitation remains open.
   */
  async joinAs(token: string, user: NewUser): Promise<{ user: User; projectId: string } | 'known' | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const usedInvitation = await useInvitation(transaction, token);
      if (usedInvitation === null) return null;
      const added = await addUser(transaction, user);
      if (added === null) {
        await transaction.query(`ROLLBACK TO SAVEPOINT unused`);
        return 'known';
      }
      await addMember(transaction, usedInvitation, added.id);
      return { user: added, projectId: usedInvitation.project_id };
    });
  }
}

/**
 * Deletes and returns an invitation, if its creator is still allowed to invite people. Locks the creator's permissions
 * until the transaction ends.
 */
async function useInvitation(transaction: EntityManager, token: string): Promise<UsedInvitation | null> {
  const [invitation]: { project_id: string; created_by: string | null }[] = await transaction.query(
    `SELECT project_id, created_by FROM project_invitations WHERE hash = $1`,
    [hashCredential(token)],
  );
  if (invitation === undefined) return null;
  if (!(await ownsProject(transaction, invitation.created_by, invitation.project_id))) return null;
  await transaction.query(`SAVEPOINT unused`);
  const rows = await executeReturning<UsedInvitation>(
    transaction,
    `DELETE FROM project_invitations WHERE hash = $1 AND expires_at > now() RETURNING project_id, role`,
    [hashCredential(token)],
  );
  return rows[0] ?? null;
}

/** Adds a member, or upgrades their role. Never downgrades it. */
async function addMember(
  transaction: EntityManager,
  { project_id, role }: UsedInvitation,
  userId: string,
): Promise<void> {
  await transaction.query(
    `INSERT INTO project_members AS m (project_id, user_id, role) VALUES ($1, $2, $3)
     ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role
     WHERE array_position(ARRAY['viewer', 'member', 'owner'], excluded.role)
       > array_position(ARRAY['viewer', 'member', 'owner'], m.role)`,
    [project_id, userId, role],
  );
}
