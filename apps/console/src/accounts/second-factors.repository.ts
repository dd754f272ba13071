import { Inject, Injectable } from '@nestjs/common';
import { RECOVERY_CODES, type OwnSecondFactor } from '#libs/contracts';
import { auditedTransaction, countChanged, SecretBox } from '#libs/database';
import { CLOCK, type Clock } from '#libs/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import type { SessionUser } from '../access/principal.js';
import { isAdministrator, requireOpenSession, rightLost } from '../access/rights.repository.js';
import { rotateSession } from '../access/sessions.repository.js';
import { isTimeCode, newSecret, stepOf } from './time-code.js';
import { hashTypedCode, newTypedCode } from './typed-code.js';

/** Binds the secret of a second factor to its row. */
export const secondFactorPurpose = (id: string): string => `second factor ${id}`;

/** Time to finish the setup. A secret that may have been seen long ago can't be activated. */
const SETUP_MINUTES = 60;

/** Second factors: codes of an authenticator app, and recovery codes. */
@Injectable()
export class SecondFactorsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /** Returns the active second factor, or null without one. */
  async find(userId: string): Promise<OwnSecondFactor | null> {
    const [row]: { active_since: Date; left: number }[] = await this.dataSource.query(
      `SELECT active_since, cardinality(recovery_codes) AS left FROM second_factors
       WHERE user_id = $1 AND active_since IS NOT NULL`,
      [userId],
    );
    return row === undefined ? null : { since: row.active_since.toISOString(), recovery_codes_left: row.left };
  }

  /** Creates a secret, replacing any inactive one. @returns base32, or null if a second factor is active. */
  async begin(user: SessionUser): Promise<string | null> {
    const id = v7();
    const secret = newSecret();
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
   * Activates the second factor. Ends the other sessions of the account, which were opened without it, and replaces the
   * token of the current one.
   *
   * @returns recovery codes and the new session token, or the reason for a failure. `not-begun` covers expired setups.
   */
  async activate(
    user: SessionUser,
    code: string,
  ): Promise<{ codes: string[]; session: string } | 'wrong-code' | 'not-begun'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await requireOpenSession(transaction, user);
      const [begun]: { id: string; secret: Buffer }[] = await transaction.query(
        `SELECT id, secret FROM second_factors
         WHERE user_id = $1 AND active_since IS NULL AND created_at > now() - make_interval(mins => $2)`,
        [user.id, SETUP_MINUTES],
      );
      if (begun === undefined) return 'not-begun';
      const step = this.stepOf(code, begun);
      if (step === null) return 'wrong-code';
      const codes = newRecoveryCodes();
      await transaction.query(
        `UPDATE second_factors SET active_since = now(), last_step = $2, recovery_codes = $3 WHERE id = $1`,
        [begun.id, step, codes.map(hashTypedCode)],
      );
      await transaction.query(`DELETE FROM user_sessions WHERE user_id = $1 AND id <> $2`, [user.id, user.sessionId]);
      return { codes, session: await rotateSession(transaction, user.sessionId) };
    });
  }

  /** Consumes a code, which works only once, even in concurrent requests. @returns false if it's wrong or used. */
  async accept(userId: string, code: string): Promise<boolean> {
    return isTimeCode(code) ? this.acceptTimeCode(userId, code) : this.acceptRecoveryCode(userId, code);
  }

  /** @returns null without a second factor. */
  async replaceRecoveryCodes(user: SessionUser): Promise<string[] | null> {
    const codes = newRecoveryCodes();
    return auditedTransaction(this.dataSource, async (transaction) => {
      await requireOpenSession(transaction, user);
      const replaced = await countChanged(
        transaction,
        `UPDATE second_factors SET recovery_codes = $2 WHERE user_id = $1 AND active_since IS NOT NULL`,
        [user.id, codes.map(hashTypedCode)],
      );
      return replaced === 0 ? null : codes;
    });
  }

  /**
   * Removes the second factor of the signed-in person, or its unfinished setup.
   *
   * @returns the new token of the current session, or null if there was nothing to remove.
   */
  async removeOwn(user: SessionUser): Promise<string | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await requireOpenSession(transaction, user);
      return (await remove(transaction, user.id)) ? rotateSession(transaction, user.sessionId) : null;
    });
  }

  /**
   * Removes the second factor of another account, for people who lost it.
   *
   * @param removedBy Administrator, or null for a program.
   * @returns false if there was none.
   * @throws ProblemError 403 if the caller is no longer an administrator.
   */
  async remove(userId: string, removedBy: string | null): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      if (!(await isAdministrator(transaction, removedBy))) throw rightLost();
      return remove(transaction, userId);
    });
  }

  private async acceptTimeCode(userId: string, code: string): Promise<boolean> {
    const [active]: { id: string; secret: Buffer }[] = await this.dataSource.query(
      `SELECT id, secret FROM second_factors WHERE user_id = $1 AND active_since IS NOT NULL`,
      [userId],
    );
    const step = active === undefined ? null : this.stepOf(code, active);
    if (step === null) return false;
    const used = await countChanged(
      this.dataSource,
      `UPDATE second_factors SET last_step = $2 WHERE id = $1 AND last_step < $2`,
      [active!.id, step],
    );
    return used > 0;
  }

  private async acceptRecoveryCode(userId: string, code: string): Promise<boolean> {
    const used = await auditedTransaction(this.dataSource, (transaction) =>
      countChanged(
        transaction,
        `UPDATE second_factors SET recovery_codes = array_remove(recovery_codes, $2)
       WHERE user_id = $1 AND active_since IS NOT NULL AND $2 = ANY (recovery_codes)`,
        [userId, hashTypedCode(code)],
      ),
    );
    return used > 0;
  }

  private stepOf(code: string, { id, secret }: { id: string; secret: Buffer }): number | null {
    return stepOf(code, this.secrets.open(secret, secondFactorPurpose(id)), this.now());
  }
}

const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newTypedCode);

async function remove(transaction: EntityManager, userId: string): Promise<boolean> {
  const removed = await countChanged(transaction, `DELETE FROM second_factors WHERE user_id = $1`, [userId]);
  return removed > 0;
}
