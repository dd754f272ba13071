import { ProblemError } from '#libs/platform';
import { ApiKeyEntity, countChanged, MemberEntity, PasswordResetEntity, UserEntity } from '#libs/database';
import { IsNull, type EntityManager } from 'typeorm';
import { sessionEnded, type SessionUser } from './principal.js';

/** Number of revoked credentials and invitations. */
export interface Ended {
  api_keys: number;
  invitations: number;
  password_resets: number;
}

/**
 * Locks the rights of users until the end of the transaction. Transactions that change or rely on rights take these locks
 * first. This keeps people from granting a right that is being taken from them.
 *
 * @returns for each user, whether they are an administrator. Deleted accounts are omitted.
 */
export async function lockPeople(
  transaction: EntityManager,
  ids: readonly (string | null)[],
): Promise<Map<string, boolean>> {
  const rows: { id: string; is_admin: boolean }[] = await transaction.query(
    // Ordered to avoid deadlocks.
    `SELECT id, is_admin FROM users WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [ids.filter((id) => id !== null)],
  );
  return new Map(rows.map(({ id, is_admin }) => [id, is_admin]));
}

/**
 * Locks the rights of a person like {@link lockPeople} and checks their session in the database. Cached sessions still
 * authenticate requests for a few seconds after they end.
 *
 * @throws ProblemError 401 if the session has ended.
 */
export async function requireOpenSession(transaction: EntityManager, { id, sessionId }: SessionUser): Promise<void> {
  await lockPeople(transaction, [id]);
  const open: unknown[] = await transaction.query(
    `SELECT FROM user_sessions WHERE id = $1 AND user_id = $2 AND expires_at > now()`,
    [sessionId, id],
  );
  if (open.length === 0) throw sessionEnded();
}

/** Returns true for an administrator or a program (null). Locks the person's rights until the end of the transaction. */
export async function isAdministrator(transaction: EntityManager, id: string | null): Promise<boolean> {
  return id === null || (await lockPeople(transaction, [id])).get(id) === true;
}

/**
 * Returns true for an owner of the project, an administrator or a program (null). Locks the person's rights until the end
 * of the transaction.
 */
export async function ownsProject(transaction: EntityManager, id: string | null, projectId: string): Promise<boolean> {
  return (await isAdministrator(transaction, id)) || isOwner(transaction, id!, projectId);
}

/** Returns true for an owner of the project. Call {@link lockPeople} first. */
export async function isOwner(transaction: EntityManager, id: string, projectId: string): Promise<boolean> {
  return transaction.existsBy(MemberEntity, { project_id: projectId, user_id: id, role: 'owner' });
}

/**
 * Revokes API keys, password links and invitations that a person created but no longer has the right to create. API keys
 * and password links require an administrator, invitations an administrator or an owner of the project. Personal API keys
 * stay, because they only have the person's rights.
 */
export async function endWhatTheyMayNotGrant(transaction: EntityManager, id: string): Promise<Ended> {
  if (await transaction.existsBy(UserEntity, { id, is_admin: true })) {
    return { api_keys: 0, invitations: 0, password_resets: 0 };
  }
  const keys = await revokeKeysOf(transaction, id);
  const invitations = await countChanged(
    transaction,
    `DELETE FROM project_invitations WHERE created_by = $1 AND project_id NOT IN
       (SELECT project_id FROM project_members WHERE user_id = $1 AND role = 'owner')`,
    [id],
  );
  const resets = await transaction.delete(PasswordResetEntity, { created_by: id });
  return { api_keys: keys, invitations, password_resets: resets.affected! };
}

/** Revokes the API keys that a person created for programs. @returns the number revoked. */
export async function revokeKeysOf(transaction: EntityManager, id: string): Promise<number> {
  const keys = { created_by: { id }, acts_as: IsNull(), revoked_at: IsNull() };
  return (await transaction.update(ApiKeyEntity, keys, { revoked_at: () => 'now()' })).affected!;
}

/** Error for a person who lost a right while their request was in flight. */
export const rightLost = (): ProblemError =>
  new ProblemError('forbidden', 'You no longer have the right to do this. It was removed a moment ago.');
