import { Injectable } from '@nestjs/common';
import { auditedTransaction, executeReturning, executeAndCount } from '#libs/database';
import { DataSource } from 'typeorm';

/** Maximum number of unconfirmed recipients per project. The oldest ones above the limit are deleted. */
const MAX_PENDING = 200;

export interface Recipient {
  /** Secret in email links. Anyone who has it can confirm or unsubscribe the address. */
  id: string;
  address: string;
}

/**
 * SQL condition: recipient `r` is the verified address of a project member or administrator, and needs no confirmation.
 */
const IS_VERIFIED_MEMBER = `EXISTS (
  SELECT FROM users u WHERE lower(u.email) = r.address AND u.email_verified
    AND (u.is_admin OR EXISTS (SELECT FROM project_members m WHERE (m.project_id, m.user_id) = (r.project_id, u.id))))`;

/** Stores the recipients of alert emails. They get emails from when they confirm until they unsubscribe. */
@Injectable()
export class RecipientsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds recipients. Returns the new ones that need a confirmation email. */
  async add(projectId: string, addresses: readonly string[]): Promise<Recipient[]> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const added: Recipient[] = await transaction.query(
        `INSERT INTO mail_recipients (project_id, address) SELECT $1, * FROM unnest($2::text[])
         ON CONFLICT DO NOTHING RETURNING id, address`,
        [projectId, toUniqueLowercase(addresses)],
      );
      const ids = added.map(({ id }) => id);
      const confirmed = await executeReturning<{ id: string }>(
        transaction,
        `UPDATE mail_recipients r SET confirmed_at = now() WHERE id = ANY ($1::uuid[]) AND ${IS_VERIFIED_MEMBER} RETURNING id`,
        [ids],
      );
      await transaction.query(
        `DELETE FROM mail_recipients WHERE id IN (
           SELECT id FROM mail_recipients WHERE project_id = $1 AND confirmed_at IS NULL AND stopped_at IS NULL
           ORDER BY created_at DESC, id OFFSET $2)`,
        [projectId, MAX_PENDING],
      );
      return added.filter(({ id }) => !confirmed.some((one) => one.id === id));
    });
  }

  /** Returns the secrets of confirmed recipients that haven't unsubscribed, by lowercase address. */
  async loadConfirmedSecrets(projectId: string, addresses: readonly string[]): Promise<Map<string, string>> {
    const rows: Recipient[] = await this.dataSource.query(
      `SELECT id, address FROM mail_recipients
       WHERE project_id = $1 AND address = ANY ($2::text[]) AND confirmed_at IS NOT NULL AND stopped_at IS NULL`,
      [projectId, toUniqueLowercase(addresses)],
    );
    return new Map(rows.map(({ id, address }) => [address, id]));
  }

  async findPending(projectId: string, addresses: readonly string[]): Promise<Recipient[]> {
    return this.dataSource.query(
      `SELECT id, address FROM mail_recipients
       WHERE project_id = $1 AND address = ANY ($2::text[]) AND confirmed_at IS NULL AND stopped_at IS NULL ORDER BY address`,
      [projectId, toUniqueLowercase(addresses)],
    );
  }

  async confirm(id: string): Promise<boolean> {
    const confirmed = await executeAndCount(
      this.dataSource,
      `UPDATE mail_recipients SET confirmed_at = coalesce(confirmed_at, now()), stopped_at = NULL WHERE id = $1`,
      [id],
    );
    return confirmed > 0;
  }

  async unsubscribe(id: string): Promise<void> {
    await this.dataSource.query(`UPDATE mail_recipients SET stopped_at = coalesce(stopped_at, now()) WHERE id = $1`, [
      id,
    ]);
  }
}

const toUniqueLowercase = (addresses: readonly string[]): string[] => [
  ...new Set(addresses.map((one) => one.toLowerCase())),
];
