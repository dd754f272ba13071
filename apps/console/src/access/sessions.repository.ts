import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { API_KEY_SCOPES, type ProjectRole } from '#libs/contracts';
import { auditedTransaction, executeAndCount, hashCredential } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import type { Principal } from './principal.js';
import type { SecondFactorPolicy } from './second-factor-policy.js';
import { SESSION_SECONDS } from './session-cookie.js';

interface Row {
  hash: string;
  session_id: string;
  expires_at: Date;
  /** Milliseconds since the last identity confirmation. */
  confirmed_ago: number;
  id: string;
  email: string;
  name: string;
  is_admin: boolean;
  /** Whether the session was opened with only a password and the account has no second factor. */
  is_by_password_alone: boolean;
  project_ids: string[];
  roles: ProjectRole[];
}

@Injectable()
export class SessionsRepository {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONSOLE_SETTINGS)
    private readonly settings: Pick<ConsoleSettings, 'SESSION_MAX_DAYS' | 'SECOND_FACTOR_REQUIRED'>,
  ) {}

  /**
   * Returns principals by token hash. Ended sessions are omitted.
   *
   * @param hashes SHA-256 of the session tokens, in hex.
   */
  async find(hashes: string[]): Promise<Map<string, Principal>> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT encode(s.hash, 'hex') AS hash, s.id AS session_id, s.expires_at,
         (extract(epoch FROM now() - s.confirmed_at) * 1000)::float8 AS confirmed_ago, u.id, u.email, u.name, u.is_admin,
         s.opened_by = 'password'
           AND NOT EXISTS (SELECT FROM second_factors f WHERE f.user_id = u.id AND f.active_since IS NOT NULL)
           AND EXISTS (SELECT FROM user_logins l WHERE l.user_id = u.id AND l.password IS NOT NULL)
           AS is_by_password_alone,
         coalesce(array_agg(m.project_id) FILTER (WHERE m.project_id IS NOT NULL), '{}') AS project_ids,
         coalesce(array_agg(m.role) FILTER (WHERE m.project_id IS NOT NULL), '{}') AS roles
       FROM user_sessions s JOIN users u ON u.id = s.user_id LEFT JOIN project_members m ON m.user_id = u.id
       WHERE s.hash = ANY (SELECT decode(h, 'hex') FROM unnest($1::text[]) h) AND s.expires_at > now() AND s.created_at > now() - make_interval(days => $2)
       GROUP BY s.id, u.id`,
      [hashes, this.settings.SESSION_MAX_DAYS],
    );
    return new Map(rows.map((row) => [row.hash, toPrincipal(row, this.settings.SECOND_FACTOR_REQUIRED)]));
  }

  /** Extends a session to its full lifetime. Returns false if it has ended. */
  async extend(token: string): Promise<boolean> {
    const extended = await executeAndCount(
      this.dataSource,
      `UPDATE user_sessions SET expires_at = now() + make_interval(secs => $2), updated_at = now()
       WHERE hash = $1 AND expires_at > now()`,
      [hashCredential(token), SESSION_SECONDS],
    );
    return extended > 0;
  }

  async delete(token: string): Promise<void> {
    await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(`DELETE FROM user_sessions WHERE hash = $1`, [hashCredential(token)]),
    );
  }
}

export const createSessionToken = (): string => randomBytes(32).toString('base64url');

/** Replaces a session's token, so copies of its cookie stop working. Returns the new token. */
export async function rotateSession(transaction: EntityManager, sessionId: string): Promise<string> {
  const token = createSessionToken();
  await transaction.query(`UPDATE user_sessions SET hash = $2 WHERE id = $1`, [sessionId, hashCredential(token)]);
  return token;
}

const needsSecondFactor = ({ is_admin: isAdmin, roles }: Row, policy: SecondFactorPolicy): boolean =>
  (policy !== 'nobody' && isAdmin) || (policy === 'owners' && roles.includes('owner'));

const toPrincipal = (row: Row, policy: SecondFactorPolicy): Principal => {
  const { session_id, expires_at, confirmed_ago, id, email, name, is_admin, project_ids, roles } = row;
  return {
    keyId: null,
    expiresAt: null,
    scopes: API_KEY_SCOPES,
    makerId: id,
    user: {
      id,
      email,
      name,
      is_admin,
      sessionId: session_id,
      sessionExpiresAt: expires_at.getTime(),
      confirmedAt: performance.now() - confirmed_ago,
      mustSetUpSecondFactor: row.is_by_password_alone && needsSecondFactor(row, policy),
    },
    admin: is_admin,
    projectIds: project_ids,
    roles: new Map(project_ids.map((projectId, index) => [projectId, roles[index]!])),
  };
};
