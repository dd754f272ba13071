import { Injectable } from '@nestjs/common';
import type { Account } from '#libs/contracts';
import { ADVISORY_LOCKS, auditedTransaction, UserEntity } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import {
  revokeUngrantable,
  lockUsers,
  revokeProgramKeys,
  permissionLost,
  type RevokedCounts,
} from '../access/permissions.repository.js';

type Row = Omit<Account, 'created_at' | 'last_seen_at'> & { created_at: Date; last_seen_at: Date | null };

@Injectable()
export class UsersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Lists accounts with their roles and sign-in methods.
   *
   * @param id Account ID, or null for all accounts.
   */
  async list(id: string | null = null): Promise<Account[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT id, email, name, is_admin, created_at,
         (SELECT count(*)::integer FROM project_members m WHERE m.user_id = u.id) AS projects,
         EXISTS (SELECT FROM user_logins l WHERE l.user_id = u.id AND l.password IS NOT NULL) AS has_password,
         EXISTS (SELECT FROM second_factors f WHERE f.user_id = u.id AND f.active_since IS NOT NULL) AS has_second_factor,
         (SELECT count(*)::integer FROM passkeys k WHERE k.user_id = u.id) AS passkeys,
         (SELECT max(s.updated_at) FROM user_sessions s WHERE s.user_id = u.id) AS last_seen_at,
         json_build_object(
           'api_keys', (SELECT count(*) FROM api_keys k
             WHERE k.created_by = u.id AND k.acts_as IS NULL AND k.revoked_at IS NULL),
           'password_resets',
             (SELECT count(*) FROM password_resets r WHERE r.created_by = u.id AND r.expires_at > now()),
           'invitations', (SELECT count(*) FROM project_invitations i WHERE i.created_by = u.id AND i.expires_at > now()),
           'invitations_elsewhere', (SELECT count(*) FROM project_invitations i
             WHERE i.created_by = u.id AND i.expires_at > now() AND i.project_id NOT IN
               (SELECT m.project_id FROM project_members m WHERE m.user_id = u.id AND m.role = 'owner'))
         ) AS made
       FROM users u WHERE $1::uuid IS NULL OR id = $1 ORDER BY email`,
      [id],
    );
    return rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
    }));
  }

  /**
   * Grants or removes the administrator role. Removing it revokes everything the user created but is no longer allowed
   * to grant.
   *
   * @param changedBy ID of the administrator, or null for a program.
   * @returns Number of revoked credentials and invitations, or the reason for a failure. `last` means the account is
   * the only administrator.
   * @throws {ProblemError} 403 if the caller is no longer an administrator.
   */
  async setAdmin(id: string, isAdmin: boolean, changedBy: string | null): Promise<RevokedCounts | 'unknown' | 'last'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await lockAdministrators(transaction, id, changedBy);
      if (!isAdmin && (await isLastAdmin(transaction, id))) return 'last';
      const change = { is_admin: isAdmin, updated_at: () => 'now()' };
      const { affected } = await transaction.update(UserEntity, id, change);
      return affected === 0 ? 'unknown' : revokeUngrantable(transaction, id);
    });
  }

  /**
   * Deletes an account with its sessions, logins and memberships. Also revokes the API keys, invitations and password
   * links that the user created, but not access tokens for sites.
   *
   * @param removedBy ID of the administrator, or null for a program.
   * @returns Null, or the reason for a failure. `last` means the account is the only administrator.
   * @throws {ProblemError} 403 if the caller is no longer an administrator.
   */
  async remove(id: string, removedBy: string | null): Promise<'unknown' | 'last' | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await lockAdministrators(transaction, id, removedBy);
      if (await isLastAdmin(transaction, id)) return 'last';
      // Deleting the account also deletes its personal API keys, invitations and links. Other API keys that the user
      // created must be revoked separately.
      await revokeProgramKeys(transaction, id);
      const { affected } = await transaction.delete(UserEntity, id);
      return affected === 0 ? 'unknown' : null;
    });
  }
}

/**
 * Locks out concurrent changes to administrators until the transaction ends.
 *
 * @throws {ProblemError} 403 if the caller is no longer an administrator.
 */
async function lockAdministrators(transaction: EntityManager, id: string, changedBy: string | null): Promise<void> {
  await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.administrators]);
  const people = await lockUsers(transaction, [id, changedBy]);
  if (changedBy !== null && people.get(changedBy) !== true) throw permissionLost();
}

async function isLastAdmin(transaction: EntityManager, id: string): Promise<boolean> {
  const admins = await transaction.find(UserEntity, { select: { id: true }, where: { is_admin: true }, take: 2 });
  return admins.length === 1 && admins[0]!.id === id;
}
