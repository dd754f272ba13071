import { ProblemError } from '#libs/platform';
import { ApiKeyEntity, countChanged, MemberEntity, PasswordResetEntity, UserEntity } from '#libs/database';
import { IsNull, type EntityManager } from 'typeorm';
import { sessionEnded, type SessionUser } from './principal.js';

/** How many of the things that a person created stopped working. */
export interface Ended {
  api_keys: number;
  invitations: number;
  password_resets: number;
}

/**
 * Locks what people may do until the end of the transaction. Everything that changes or relies on it takes these locks
 * first, so that nobody passes on a right that is being taken from them.
 *
 * @returns whether each of them is an administrator; removed accounts are left out.
 */
export async function lockPeople(
  transaction: EntityManager,
  ids: readonly (string | null)[],
): Promise<Map<string, boolean>> {
  const rows: { id: string; is_admin: boolean }[] = await transaction.query(
    // In order, so that two concurrent changes never wait for each other.
    `SELECT id, is_admin FROM users WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [ids.filter((id) => id !== null)],
  );
  return new Map(rows.map(({ id, is_admin }) => [id, is_admin]));
}

/**
 * Locks what a person may do, as {@link lockPeople}, while their session has not ended: for a few seconds requests are
 * let in by a session that has.
 *
 * @throws ProblemError 401
 */
export async function requireOpenSession(transaction: EntityManager, { id, sessionId }: SessionUser): Promise<void> {
  await lockPeople(transaction, [id]);
  const open: unknown[] = await transaction.query(
    `SELECT FROM user_sessions WHERE id = $1 AND user_id = $2 AND expires_at > now()`,
    [sessionId, id],
  );
  if (open.length === 0) throw sessionEnded();
}

/** Whether a person, or a program (null), is an administrator; locked until the end of the transaction. */
export async function isAdministrator(transaction: EntityManager, id: string | null): Promise<boolean> {
  return id === null || (await lockPeople(transaction, [id])).get(id) === true;
}

/** Whether a person, or a program (null), has an owner's rights in a project; locked until the end of the transaction. */
export async function ownsProject(transaction: EntityManager, id: string | null, projectId: string): Promise<boolean> {
  return (await isAdministrator(transaction, id)) || isOwner(transaction, id!, projectId);
}

/** Call after {@link lockPeople}. */
export async function isOwner(transaction: EntityManager, id: string, projectId: string): Promise<boolean> {
  return transaction.existsBy(MemberEntity, { project_id: projectId, user_id: id, role: 'owner' });
}

/**
 * Ends what a person created and no longer has the right to. API keys and password links take an administrator,
 * invitations an owner of the project or an administrator. Their own keys stay: these may do what the person may.
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

/** Revokes the API keys that a person created for programs. @returns how many there were. */
export async function revokeKeysOf(transaction: EntityManager, id: string): Promise<number> {
  const keys = { created_by: { id }, acts_as: IsNull(), revoked_at: IsNull() };
  return (await transaction.update(ApiKeyEntity, keys, { revoked_at: () => 'now()' })).affected!;
}

/** For somebody who lost a right while their request was running. */
export const rightLost = (): ProblemError =>
  new ProblemError('forbidden', 'You no longer have the right to do this. It was removed a moment ago.');
