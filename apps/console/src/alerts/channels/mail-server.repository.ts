import { Injectable } from '@nestjs/common';
import type { MailServerChange, MailSecurity } from '#libs/contracts';
import { auditedTransaction, executeAndCount, SecretBox } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import type { MailSettings } from './mail-settings.js';

/** Encryption context of the mail server's password. */
export const mailPasswordPurpose = (id: string): string => `mail server password ${id}`;
const PURPOSE = mailPasswordPurpose('1');

/** The mail server as stored, with the encrypted password. */
export interface StoredMailServer {
  host: string;
  port: number;
  security: MailSecurity;
  user: string | null;
  password: Buffer | null;
  from: string;
}

/** Stores the mail server that administrators set in the dashboard. */
@Injectable()
export class MailServerRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {}

  async find(manager: EntityManager = this.dataSource.manager): Promise<StoredMailServer | null> {
    const [row]: StoredMailServer[] = await manager.query(
      `SELECT host, port, security, user_name AS "user", password, sender AS "from" FROM mail_server`,
    );
    return row ?? null;
  }

  /**
   * Stores the mail server. If the change contains no password, the stored one is kept.
   *
   * @param check Receives the stored mail server, and throws to prevent the change.
   */
  async change(
    { host, port, security, user, password, from }: MailServerChange,
    check: (stored: StoredMailServer | null) => void,
  ): Promise<StoredMailServer> {
    const sealed = user === null || password === undefined ? null : this.secrets.seal(password, PURPOSE);
    return auditedTransaction(this.dataSource, async (transaction) => {
      // Lock a row that always exists, so that concurrent requests check the same version.
      await transaction.query(`SELECT FROM instance_settings FOR NO KEY UPDATE`);
      check(await this.find(transaction));
      await transaction.query(
        `INSERT INTO mail_server (host, port, security, user_name, password, sender)
         SELECT $1, $2, $3, $4, CASE WHEN $4::text IS NOT NULL THEN coalesce($5, (SELECT password FROM mail_server)) END, $6
         ON CONFLICT (id) DO UPDATE SET host = excluded.host, port = excluded.port, security = excluded.security,
           user_name = excluded.user_name, password = excluded.password, sender = excluded.sender`,
        [host, port, security, user, sealed, from],
      );
      return (await this.find(transaction))!;
    });
  }

  /** Returns false if no mail server is stored. */
  async remove(): Promise<boolean> {
    return auditedTransaction(
      this.dataSource,
      async (transaction) => (await executeAndCount(transaction, `DELETE FROM mail_server`, [])) > 0,
    );
  }

  /** @throws {Error} if the password was encrypted with another key. */
  open(stored: StoredMailServer): MailSettings {
    const { password } = stored;
    return { ...stored, password: password === null ? null : this.secrets.open(password, PURPOSE) };
  }
}
