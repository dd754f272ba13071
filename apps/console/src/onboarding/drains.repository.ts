import { Injectable } from '@nestjs/common';
import type { Drain, DrainSettings, DrainSettingsChange } from '#libs/contracts';
import { auditedTransaction, drainSecretPurpose, SecretBox } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';

/** Settings for projects without a row in `drain_settings`. Must match the column defaults. */
const DEFAULT_SETTINGS: DrainSettings = {
  allows_token_in_url: false,
  leaves_out_static_files: true,
  mapping: null,
  vercel_verify: null,
  fastly_service_ids: [],
  has_vercel_secret: false,
};

type DrainRow = Omit<Drain, 'first_batch_at' | 'last_batch_at'> & { first_batch_at: Date; last_batch_at: Date };

/**
 * Stores drain settings, and reads drain statistics. The gateway writes the statistics with a delay of a few seconds.
 */
@Injectable()
export class DrainsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {}

  /** Returns a project's drains, most recently active first. */
  async list(projectId: string): Promise<Drain[]> {
    const rows: DrainRow[] = await this.dataSource.query(
      `SELECT source, first_batch_at, last_batch_at, last_batch, totals, unreadable_lines
       FROM drains WHERE project_id = $1 ORDER BY last_batch_at DESC, source`,
      [projectId],
    );
    return rows.map((row) => ({
      ...row,
      first_batch_at: row.first_batch_at.toISOString(),
      last_batch_at: row.last_batch_at.toISOString(),
    }));
  }

  async getSettings(projectId: string, manager: EntityManager = this.dataSource.manager): Promise<DrainSettings> {
    const [settings]: DrainSettings[] = await manager.query(
      `SELECT allows_token_in_url, leaves_out_static_files, mapping, vercel_verify, fastly_service_ids,
         vercel_secret IS NOT NULL AS has_vercel_secret
       FROM drain_settings WHERE id = $1`,
      [projectId],
    );
    return settings ?? DEFAULT_SETTINGS;
  }

  /**
   * Changes the settings. Returns null if the project doesn't exist.
   *
   * @param check Receives the current settings, and throws if they must not be changed.
   */
  async change(
    projectId: string,
    change: DrainSettingsChange,
    check: (settings: DrainSettings) => void,
  ): Promise<DrainSettings | null> {
    const { vercel_secret: secret, mapping, ...others } = change;
    const values: Record<string, unknown> = { ...others };
    if (mapping !== undefined) values['mapping'] = mapping === null ? null : JSON.stringify(mapping);
    if (secret !== undefined) {
      values['vercel_secret'] = secret === null ? null : this.secrets.seal(secret, drainSecretPurpose(projectId));
    }
    // These names are safe in SQL, because the request body's schema only allows column names.
    const names = Object.keys(values);
    return auditedTransaction(this.dataSource, async (transaction) => {
      // Lock the project instead of its settings, which might not have a row yet.
      const projects: unknown[] = await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [
        projectId,
      ]);
      if (projects.length === 0) return null;
      check(await this.getSettings(projectId, transaction));
      await transaction.query(
        `INSERT INTO drain_settings (id, ${names.join(', ')}) VALUES ($1, ${names.map((_, index) => `$${index + 2}`).join(', ')})
       ON CONFLICT (id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
        [projectId, ...Object.values(values)],
      );
      return this.getSettings(projectId, transaction);
    });
  }
}
