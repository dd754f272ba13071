import { Injectable } from '@nestjs/common';
import { auditedTransaction, changeRows, countChanged } from '#libs/database';
import { DataSource } from 'typeorm';

/** Recipients of a project that have neither confirmed nor stopped, at most: the oldest are forgotten. */
const MAX_PENDING = 200;

export interface Recipient {
  /** Secret: who has it can confirm and stop. */
  id: string;
  address: string;
}

/** A member's address that was verified needs no confirmation: `r` is the recipient. */
const IS_VERIFIED_MEMBER = `EXISTS (
  SELECT FROM users u WHERE lower(u.email) = r.address AND u.email_verified
    AND (u.is_admin OR EXISTS (SELECT FROM project_members m WHERE (m.project_id, m.user_id) = (r.project_id, u.id))))`;

/** Who may get the alert mails of a project: people who confirmed that they want them, until they stop them. */
@Injectable()
export class RecipientsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds recipients. @returns those who were not there before and have to confirm */
  async add(projectId: string, addresses: readonly string[]): Promise<Recipient[]> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const added: Recipient[] = await transaction.query(
        `INSERT INTO mail_recipients (project_id, address) SELECT $1, * FROM unnest($2::text[])
         ON CONFLICT DO NOTHING RETURNING id, address`,
        [projectId, plain(addresses)],
      );
      const ids = added.map(({ id }) => id);
      const confirmed = await changeRows<{ id: string }>(
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

  /** The addresses among these that may get mail, with the secrets that stop it. */
  async confirmed(projectId: string, addresses: readonly string[]): Promise<Map<string, string>> {
    const rows: Recipient[] = await this.dataSource.query(
      `SELECT id, address FROM mail_recipients
       WHERE project_id = $1 AND address = ANY ($2::text[]) AND confirmed_at IS NOT NULL AND stopped_at IS NULL`,
      [projectId, plain(addresses)],
    );
    return new Map(rows.map(({ id, address }) => [address, id]));
  }

  /** The addresses among these that have to confirm. Those that stopped aren't asked again. */
  async pending(projectId: string, addresses: readonly string[]): Promise<Recipient[]> {
    return this.dataSource.query(
      `SELECT id, address FROM mail_recipients
       WHERE project_id = $1 AND address = ANY ($2::text[]) AND confirmed_at IS NULL AND stopped_at IS NULL ORDER BY address`,
      [projectId, plain(addresses)],
    );
  }

  async confirm(id: string): Promise<boolean> {
    const confirmed = await countChanged(
      this.dataSource,
      `UPDATE mail_recipients SET confirmed_at = coalesce(confirmed_at, now()), stopped_at = NULL WHERE id = $1`,
      [id],
    );
    return confirmed > 0;
  }

  async stop(id: string): Promise<void> {
    await this.dataSource.query(`UPDATE mail_recipients SET stopped_at = coalesce(stopped_at, now()) WHERE id = $1`, [
      id,
    ]);
  }
}

const plain = (addresses: readonly string[]): string[] => [...new Set(addresses.map((one) => one.toLowerCase()))];
