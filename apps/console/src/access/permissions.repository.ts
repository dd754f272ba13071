import { ProblemError } from '#libs/platform';
import { ApiKeyEntity, executeAndCount, MemberEntity, PasswordResetEntity, UserEntity } from '#libs/database';
import { IsNull, type EntityManager } from 'typeorm';
import { sessionEnded, type SessionUser } from './principal.js';

export interface RevokedCounts {
  api_keys: number;
  invitations: number;
  password_resets: number;
}

/**
 * Locks users and their permissions until the transaction ends. Transactions that change or rely on permissions take
 * these locks first. Otherwise users could grant a permission that they are about to lose.
 *
 * @returns Whether each user is an administrator, by user ID. Deleted accounts are omitted.
 */
export async function lockUsers(
  transaction: EntityManager,
  ids: readonly (string | null)[],
): Promise<Map<string, boolean>> {
  const rows: { id: string; is_admin: boolean }[] = await transaction.query(
    // Lock rows in a fixed order to avoid deadlocks.
    `SELECT id, is_admin FROM users WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [ids.filter((id) => id !== null)],
  );
  return new Map(rows.map(({ id, is_admin }) => [id, is_admin]));
}

/**
 * Locks a user like {@link lockUsers}, and checks their session in the database. A cached session still authenticates
 * requests for a few seconds after it ends.
 *
 * @throws {ProblemError} 401 if the session has ended.
 */
export async function requireOpenSession(transaction: EntityManager, { id, sessionId }: SessionUser): Promise<void> {
  await lockUsers(transaction, [id]);
  const openSessions: unknown[] = await transaction.query(
    `SELECT FROM user_sessions WHERE id = $1 AND user_id = $2 AND expires_at > now()`,
    [sessionId, id],
  );
  if (openSessions.length === 0) throw sessionEnded();
}

/**
 * Returns whether a user is an administrator. Always true for a program (null ID). Locks the user until the transaction
 * ends.
 */
export async function isAdministrator(transaction: EntityManager, id: string | null): Promise<boolean> {
  return id === null || (await lockUsers(transaction, [id])).get(id) === true;
}

/**
 * Returns whether a user is an administrator or an owner of the project. Always true for a program (null ID). Locks the
 * user until the transaction ends.
 */
export async function ownsProject(transaction: EntityManager, id: string | null, projectId: string): Promise<boolean> {
  return (await isAdministrator(transaction, id)) || isOwner(transaction, id!, projectId);
}

/** Returns whether a user is an owner of the project. Call {@link lockUsers} first. */
export async function isOwner(transaction: EntityManager, id: string, projectId: string): Promise<boolean> {
  return transaction.existsBy(MemberEntity, { project_id: projectId, user_id: id, role: 'owner' });
}

/**
 * Revokes API keys, password links and invitations that a user created but is no longer allowed to create. API keys and
 * password links require an administrator. Invitations require an administrator or a project owner. Personal API keys
 * aren't revoked, because they only have the user's permissions.
 *
 * @returns Number of revoked credentials and invitations.
 */
export async function revokeUngrantable(transaction: EntityManager, id: string): Promise<RevokedCounts> {
  if (await transaction.existsBy(UserEntity, { id, is_admin: true })) {
    return { api_keys: 0, invitations: 0, password_resets: 0 };
  }
  const keys = await revokeProgramKeys(transaction, id);
  const invitations = await executeAndCount(
    transaction,
    `DELETE FROM project_invitations WHERE created_by = $1 AND project_id NOT IN
       (SELECT project_id FROM project_members WHERE user_id = $1 AND role = 'owner')`,
    [id],
  );
  const resets = await transaction.delete(PasswordResetEntity, { created_by: id });
  return { api_keys: keys, invitations, password_resets: resets.affected! };
}

/** Revokes the API keys that a user created for programs. Returns the number of revoked keys. */
export async function revokeProgramKeys(transaction: EntityManager, id: string): Promise<number> {
  const keys = { created_by: { id }, acts_as: IsNull(), revoked_at: IsNull() };
  return (await transaction.update(ApiKeyEntity, keys, { revoked_at: () => 'now()' })).affected!;
}

/** Error for a user who lost a permission while their request was in flight. */
export const permissionLost = (): ProblemError =>
  new ProblemError('forbidden', 'You no longer have permission to do this. It was just revoked.');
