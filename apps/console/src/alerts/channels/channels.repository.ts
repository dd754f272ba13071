import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  FORMER_SECRET_HOURS,
  MAX_ALERT_CHANNELS,
  type AlertChannel,
  type AlertChannelKind,
  type NewAlertChannel,
} from '#libs/contracts';
import { auditedTransaction, executeAndCount, SecretBox } from '#libs/database';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';

/** Encryption context that binds a target to its channel's row, so it can't be decrypted for another channel. */
export const channelTargetPurpose = (id: string): string => `alert channel target ${id}`;
/** Encryption context that binds a signing secret to its channel's row. */
export const channelSecretPurpose = (id: string): string => `alert channel secret ${id}`;

export type ChannelTarget = { addresses: string[] } | { url: string };

/** Channel data needed to send a message. The target and secrets are encrypted. */
export interface SealedChannel {
  kind: AlertChannelKind;
  target: Buffer;
  secret: Buffer | null;
  former_secret: Buffer | null;
  former_secret_until: Date | null;
}

interface ChannelChange {
  name?: string | undefined;
  target?: ChannelTarget | undefined;
  is_enabled?: boolean | undefined;
}

type Row = Omit<AlertChannel, 'created_at' | 'former_secret_until'> & {
  created_at: Date;
  former_secret_until: Date | null;
};

const CHANNEL_COLUMNS = `id, kind, name, target_hint AS target,
  CASE WHEN kind = 'email' THEN ARRAY (
    SELECT a FROM unnest(string_to_array(target_hint, ', ')) a WHERE NOT EXISTS (
      SELECT FROM mail_recipients r WHERE (r.project_id, r.address) = (alert_channels.project_id, lower(a))
        AND r.confirmed_at IS NOT NULL AND r.stopped_at IS NULL)
  ) ELSE '{}' END AS pending_addresses, is_enabled, disabled_reason, created_at,
  CASE WHEN former_secret_until > now() THEN former_secret_until END AS former_secret_until`;

/** Creates a 32-byte signing secret. Standard Webhooks requires 24 to 64 bytes. */
const createSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Returns a target for display. URLs are reduced to their origin, because the path may be secret. */
const toTargetHint = (target: ChannelTarget): string =>
  'url' in target ? `${new URL(target.url).origin}/…` : target.addresses.join(', ');

@Injectable()
export class ChannelsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Returns the project's channels, oldest first.
   *
   * @param id Channel ID, or null for all channels.
   */
  async list(projectId: string, id: string | null = null): Promise<AlertChannel[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${CHANNEL_COLUMNS} FROM alert_channels WHERE project_id = $1 AND ($2::uuid IS NULL OR id = $2) ORDER BY created_at, id`,
      [projectId, id],
    );
    return rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      former_secret_until: row.former_secret_until?.toISOString() ?? null,
    }));
  }

  /**
   * Creates a channel.
   *
   * @returns The ID, `full` if the project has reached `MAX_ALERT_CHANNELS`, or `unknown` if the project doesn't exist.
   */
  async create(
    projectId: string,
    { kind, name }: NewAlertChannel,
    target: ChannelTarget,
  ): Promise<{ id: string } | 'full' | 'unknown'> {
    const id = v7();
    const secret = kind === 'webhook' ? this.secrets.seal(createSigningSecret(), channelSecretPurpose(id)) : null;
    return auditedTransaction(this.dataSource, async (transaction) => {
      // Lock the project, so concurrent requests can't exceed the limit.
      const project: unknown[] = await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [
        projectId,
      ]);
      if (project.length === 0) return 'unknown';
      const rows: unknown[] = await transaction.query(
        `INSERT INTO alert_channels (id, project_id, kind, name, target_hint, target, secret)
         SELECT $1, $2, $3, $4, $5, $6, $7
         WHERE (SELECT count(*) FROM alert_channels WHERE project_id = $2) < $8 RETURNING id`,
        [id, projectId, kind, name, toTargetHint(target), this.seal(id, target), secret, MAX_ALERT_CHANNELS],
      );
      return rows.length === 0 ? 'full' : { id };
    });
  }

  /** Changes a channel. Enabling it clears `disabled_reason`. */
  async change(projectId: string, id: string, { name, target, is_enabled: isEnabled }: ChannelChange): Promise<void> {
    await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(
        `UPDATE alert_channels SET name = coalesce($3, name), target_hint = coalesce($4, target_hint),
         target = coalesce($5, target), is_enabled = coalesce($6, is_enabled),
         disabled_reason = CASE WHEN $6 THEN NULL ELSE disabled_reason END
       WHERE project_id = $1 AND id = $2`,
        [
          projectId,
          id,
          name ?? null,
          target === undefined ? null : toTargetHint(target),
          target === undefined ? null : this.seal(id, target),
          isEnabled ?? null,
        ],
      ),
    );
  }

  /**
   * Deletes a channel. An alert that was only sent to this channel is then sent to all channels.
   *
   * @returns False if the channel doesn't exist.
   */
  async delete(projectId: string, id: string): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const deleted = await executeAndCount(
        transaction,
        `DELETE FROM alert_channels WHERE project_id = $1 AND id = $2`,
        [projectId, id],
      );
      await transaction.query(
        `UPDATE alerts SET channel_ids = nullif(array_remove(channel_ids, $2::uuid), '{}')
         WHERE project_id = $1 AND $2::uuid = ANY (channel_ids)`,
        [projectId, id],
      );
      return deleted > 0;
    });
  }

  /** Returns a webhook's signing secret, or null if the webhook doesn't exist. */
  async reveal(projectId: string, id: string): Promise<string | null> {
    const [row]: { secret: Buffer | null }[] = await this.dataSource.query(
      `SELECT secret FROM alert_channels WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    return row?.secret ? this.secrets.open(row.secret, channelSecretPurpose(id)) : null;
  }

  /**
   * Replaces a webhook's signing secret. Messages are also signed with the previous secret for `FORMER_SECRET_HOURS`.
   *
   * @returns The new secret, or null if the webhook doesn't exist.
   */
  async rotate(projectId: string, id: string, now: number): Promise<string | null> {
    const secret = createSigningSecret();
    const until = new Date(now + FORMER_SECRET_HOURS * 3_600_000);
    const rotated = await auditedTransaction(this.dataSource, (transaction) =>
      executeAndCount(
        transaction,
        `UPDATE alert_channels SET former_secret = secret, former_secret_until = $3, secret = $4
       WHERE project_id = $1 AND id = $2 AND secret IS NOT NULL`,
        [projectId, id, until, this.secrets.seal(secret, channelSecretPurpose(id))],
      ),
    );
    return rotated === 0 ? null : secret;
  }

  openTarget(id: string, { target }: SealedChannel): ChannelTarget {
    return JSON.parse(this.secrets.open(target, channelTargetPurpose(id))) as ChannelTarget;
  }

  /** Returns the secrets that are currently valid for signing a webhook, newest first. */
  openSigningSecrets(id: string, channel: SealedChannel, now: number): string[] {
    const isPreviousSecretValid = channel.former_secret_until !== null && channel.former_secret_until.getTime() > now;
    return [channel.secret, isPreviousSecretValid ? channel.former_secret : null]
      .filter((sealed) => sealed !== null)
      .map((sealed) => this.secrets.open(sealed, channelSecretPurpose(id)));
  }

  private seal(id: string, target: ChannelTarget): Buffer {
    return this.secrets.seal(JSON.stringify(target), channelTargetPurpose(id));
  }
}
