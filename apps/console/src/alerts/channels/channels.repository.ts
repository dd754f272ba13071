import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  FORMER_SECRET_HOURS,
  MAX_ALERT_CHANNELS,
  type AlertChannel,
  type AlertChannelKind,
  type NewAlertChannel,
} from '#libs/contracts';
import { auditedTransaction, countChanged, SecretBox } from '#libs/database';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';

/** Encryption contexts that bind the target and secrets of a channel to its row. */
export const channelTargetPurpose = (id: string): string => `alert channel target ${id}`;
export const channelSecretPurpose = (id: string): string => `alert channel secret ${id}`;

export type ChannelTarget = { addresses: string[] } | { url: string };

/** Data for sending to a channel. The target and secrets are encrypted. */
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

const FIELDS = `id, kind, name, target_hint AS target,
  CASE WHEN kind = 'email' THEN ARRAY (
    SELECT a FROM unnest(string_to_array(target_hint, ', ')) a WHERE NOT EXISTS (
      SELECT FROM mail_recipients r WHERE (r.project_id, r.address) = (alert_channels.project_id, lower(a))
        AND r.confirmed_at IS NOT NULL AND r.stopped_at IS NULL)
  ) ELSE '{}' END AS pending_addresses, is_enabled, disabled_reason, created_at,
  CASE WHEN former_secret_until > now() THEN former_secret_until END AS former_secret_until`;

/** Creates a secret of 32 bytes. Standard Webhooks requires 24 to 64. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Returns the displayable part of a target. URLs are reduced to their origin, because the path may be a secret. */
const hintOf = (target: ChannelTarget): string =>
  'url' in target ? `${new URL(target.url).origin}/…` : target.addresses.join(', ');

@Injectable()
export class ChannelsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {}

  /** Returns channels, oldest first. @param id Channel to return. Null for all. */
  async list(projectId: string, id: string | null = null): Promise<AlertChannel[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${FIELDS} FROM alert_channels WHERE project_id = $1 AND ($2::uuid IS NULL OR id = $2) ORDER BY created_at, id`,
      [projectId, id],
    );
    return rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      former_secret_until: row.former_secret_until?.toISOString() ?? null,
    }));
  }

  /** @returns the ID, `full` if the project has reached the limit, or `unknown` if the project doesn't exist. */
  async create(
    projectId: string,
    { kind, name }: NewAlertChannel,
    target: ChannelTarget,
  ): Promise<{ id: string } | 'full' | 'unknown'> {
    const id = v7();
    const secret = kind === 'webhook' ? this.secrets.seal(newSecret(), channelSecretPurpose(id)) : null;
    return auditedTransaction(this.dataSource, async (transaction) => {
      // Serializes concurrent requests, so the limit holds.
      const project: unknown[] = await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [
        projectId,
      ]);
      if (project.length === 0) return 'unknown';
      const rows: unknown[] = await transaction.query(
        `INSERT INTO alert_channels (id, project_id, kind, name, target_hint, target, secret)
         SELECT $1, $2, $3, $4, $5, $6, $7
         WHERE (SELECT count(*) FROM alert_channels WHERE project_id = $2) < $8 RETURNING id`,
        [id, projectId, kind, name, hintOf(target), this.seal(id, target), secret, MAX_ALERT_CHANNELS],
      );
      return rows.length === 0 ? 'full' : { id };
    });
  }

  /** Changes a channel. Turning it on clears `disabled_reason`. */
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
          target === undefined ? null : hintOf(target),
          target === undefined ? null : this.seal(id, target),
          isEnabled ?? null,
        ],
      ),
    );
  }

  /**
   * Deletes a channel. Alerts that were sent only to this channel are sent to all channels from then on.
   *
   * @returns false if the channel doesn't exist.
   */
  async delete(projectId: string, id: string): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const deleted = await countChanged(transaction, `DELETE FROM alert_channels WHERE project_id = $1 AND id = $2`, [
        projectId,
        id,
      ]);
      await transaction.query(
        `UPDATE alerts SET channel_ids = nullif(array_remove(channel_ids, $2::uuid), '{}')
         WHERE project_id = $1 AND $2::uuid = ANY (channel_ids)`,
        [projectId, id],
      );
      return deleted > 0;
    });
  }

  /** Returns the signing secret of a webhook, or null if it doesn't exist. */
  async reveal(projectId: string, id: string): Promise<string | null> {
    const [row]: { secret: Buffer | null }[] = await this.dataSource.query(
      `SELECT secret FROM alert_channels WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    return row?.secret ? this.secrets.open(row.secret, channelSecretPurpose(id)) : null;
  }

  /**
   * Replaces the signing secret of a webhook. The previous one stays in use for `FORMER_SECRET_HOURS`.
   *
   * @returns the new secret, or null if the webhook doesn't exist.
   */
  async rotate(projectId: string, id: string, now: number): Promise<string | null> {
    const secret = newSecret();
    const until = new Date(now + FORMER_SECRET_HOURS * 3_600_000);
    const rotated = await auditedTransaction(this.dataSource, (transaction) =>
      countChanged(
        transaction,
        `UPDATE alert_channels SET former_secret = secret, former_secret_until = $3, secret = $4
       WHERE project_id = $1 AND id = $2 AND secret IS NOT NULL`,
        [projectId, id, until, this.secrets.seal(secret, channelSecretPurpose(id))],
      ),
    );
    return rotated === 0 ? null : secret;
  }

  targetOf(id: string, { target }: SealedChannel): ChannelTarget {
    return JSON.parse(this.secrets.open(target, channelTargetPurpose(id))) as ChannelTarget;
  }

  /** Returns the secrets to sign a webhook with, newest first. */
  secretsOf(id: string, channel: SealedChannel, now: number): string[] {
    const isFormerInUse = channel.former_secret_until !== null && channel.former_secret_until.getTime() > now;
    return [channel.secret, isFormerInUse ? channel.former_secret : null]
      .filter((sealed) => sealed !== null)
      .map((sealed) => this.secrets.open(sealed, channelSecretPurpose(id)));
  }

  private seal(id: string, target: ChannelTarget): Buffer {
    return this.secrets.seal(JSON.stringify(target), channelTargetPurpose(id));
  }
}
