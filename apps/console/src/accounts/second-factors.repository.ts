import { Inject, Injectable } from '@nestjs/common';
import { RECOVERY_CODE_COUNT, type OwnSecondFactor } from '#libs/contracts';
import { auditedTransaction, executeAndCount, SecretBox } from '#libs/database';
import { CLOCK, type Clock } from '#libs/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import type { SessionUser } from '../access/principal.js';
import { isAdministrator, requireOpenSession, permissionLost } from '../access/permissions.repository.js';
import { rotateSession } from '../access/sessions.repository.js';
import { isTimeCode, createSecret, matchTimeStep } from './time-code.js';
import { hashTypedCode, createTypedCode } from './typed-code.js';

/** Encryption context that binds a second factor's secret to its row. */
export const secondFactorPurpose = (id: string): string => `second factor ${id}`;

/** Time limit for the setup. Prevents the activation of an old secret that someone else may have seen. */
const SETUP_MINUTES = 60;

/** Stores second factors, which consist of authenticator app codes and recovery codes. */
@Injectable()
export class SecondFactorsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /** Returns the active second factor, or null if there is none. */
  async find(userId: string): Promise<OwnSecondFactor | null> {
    const [row]: { active_since: Date; left: number }[] = await this.dataSource.query(
      `SELECT active_since, cardinality(recovery_codes) AS left FROM second_factors
       WHERE user_id = $1 AND active_since IS NOT NULL`,
      [userId],
    );
    return row === undefined ? null : { since: row.active_since.toISOString(), recovery_codes_left: row.left };
  }

  /**
   * Creates a secret that replaces any inactive one. Returns it in base32, or null if a second factor is already
   * active.
   */
  async begin(user: SessionUser): Promise<string | null> {
    const id = v7();
    const secret = createSecret();
    return auditedTransaction(this.dataSource, async (transaction) => {
      await requireOpenSession(transaction, user);
      const rows: unknown[] = await transaction.query(
        `INSERT INTO second_factors (id, user_id, secret) VALUES ($1, $2, $3)
         ON CONFLICT (user_id) DO UPDATE SET id = excluded.id, secret = excluded.secret, created_at = now()
         WHERE second_factors.active_since IS NULL RETURNING id`,
        [id, user.id, this.secrets.seal(secret, secondFactorPurpose(id))],
      );
      return rows.length === 0 ? null : secret;
    });
  }

  /**
   * Activates the second factor. Ends the account's other sessions, which were opened without it, and replaces the
   * token of the current session.
   *
   * @returns The recovery codes and the new session token, or the reason for a failure. `not-begun` includes expired
   * setups.
   */
  async activate(
    user: SessionUser,
    code: string,
  ): Promise<{ codes: string[]; session: string } | 'wrong-code' | 'not-begun'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await requireOpenSession(transaction, user);
      const [pendingFactor]: { id: string; secret: Buffer }[] = await transaction.query(
        `SELECT id, secret FROM second_factors
         WHERE user_id = $1 AND active_since IS NULL AND created_at > now() - make_interval(mins => $2)`,
        [user.id, SETUP_MINUTES],
      );
      if (pendingFactor === undefined) return 'not-begun';
      const step = this.matchStep(code, pendingFactor);
      if (step === null) return 'wrong-code';
      const codes = createRecoveryCodes();
      await transaction.query(
        `UPDATE second_factors SET active_since = now(), last_step = $2, recovery_codes = $3 WHERE id = $1`,
        [pendingFactor.id, step, codes.map(hashTypedCode)],
      );
      await transaction.query(`DELETE FROM user_sessions WHERE user_id = $1 AND id <> $2`, [user.id, user.sessionId]);
      return { codes, session: await rotateSession(transaction, user.sessionId) };
    });
  }

  /**
   * Consumes a code. Returns false if it is wrong or already used. A code only works once, even in concurrent requests.
   */
  async consumeCode(userId: string, code: string): Promise<boolean> {
    return isTimeCode(code) ? this.acceptTimeCode(userId, code) : this.acceptRecoveryCode(userId, code);
  }

  /** Creates new recovery codes that replace all earlier ones. Returns null if the account has no second factor. */
  async replaceRecoveryCodes(user: SessionUser): Promise<string[] | null> {
    const codes = createRecoveryCodes();
    return auditedTransaction(this.dataSource, async (transaction) => {
      await requireOpenSession(transaction, user);
      const replaced = await executeAndCount(
        transaction,
        `UPDATE second_factors SET recovery_codes = $2 WHERE user_id = $1 AND active_since IS NOT NULL`,
        [user.id, codes.map(hashTypedCode)],
      );
      return replaced === 0 ? null : codes;
    });
  }

  /**
   * Removes the signed-in user's second factor, or their unfinished setup.
   *
   * @returns The new token of the current session, or null if there was no second factor.
   */
  async removeOwn(user: SessionUser): Promise<string | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await requireOpenSession(transaction, user);
      return (await remove(transaction, user.id)) ? rotateSession(transaction, user.sessionId) : null;
    });
  }

  /**
   * Removes another account's second factor, for users who lost it.
   *
   * @param removedBy ID of the administrator, or null for a program.
   * @returns False if the account has no second factor.
   * @throws {ProblemError} 403 if the caller is no longer an administrator.
   */
  async remove(userId: string, removedBy: string | null): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      if (!(await isAdministrator(transaction, removedBy))) throw permissionLost();
      return remove(transaction, userId);
    });
  }

  private async acceptTimeCode(userId: string, code: string): Promise<boolean> {
    const [active]: { id: string; secret: Buffer }[] = await this.dataSource.query(
      `SELECT id, secret FROM second_factors WHERE user_id = $1 AND active_since IS NOT NULL`,
      [userId],
    );
    const step = active === undefined ? null : this.matchStep(code, active);
    if (step === null) return false;
    const used = await executeAndCount(
      this.dataSource,
      `UPDATE second_factors SET last_step = $2 WHERE id = $1 AND last_step < $2`,
      [active!.id, step],
    );
    return used > 0;
  }

  private async acceptRecoveryCode(userId: string, code: string): Promise<boolean> {
    const used = await auditedTransaction(this.dataSource, (transaction) =>
      executeAndCount(
        transaction,
        `UPDATE second_factors SET recovery_codes = array_remove(recovery_codes, $2)
       WHERE user_id = $1 AND active_since IS NOT NULL AND $2 = ANY (recovery_codes)`,
        [userId, hashTypedCode(code)],
      ),
    );
    return used > 0;
  }

  private matchStep(code: string, { id, secret }: { id: string; secret: Buffer }): number | null {
    return matchTimeStep(code, this.secrets.open(secret, secondFactorPurpose(id)), this.now());
  }
}

const createRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODE_COUNT }, createTypedCode);

async function remove(transaction: EntityManager, userId: string): Promise<boolean> {
  const removed = await executeAndCount(transaction, `DELETE FROM second_factors WHERE user_id = $1`, [userId]);
  return removed > 0;
}
