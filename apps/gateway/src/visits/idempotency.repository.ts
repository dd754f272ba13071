import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const KEY_LIFETIME_DAYS = 30;

@Injectable()
export class IdempotencyRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Stores a new idempotency key, or looks up a known one.
   *
   * @param body Decoded body.
   * @param batchId Batch ID to store if the key is new.
   * @returns the batch ID from the key's first use, or null if the key was used with a different body.
   */
  async claim(projectId: string, key: string, body: Buffer, batchId: string): Promise<string | null> {
    const bodyHash = createHash('sha256').update(body).digest();
    const parameters = [projectId, createHash('sha256').update(key).digest(), bodyHash, batchId];
    // DO UPDATE instead of DO NOTHING, so RETURNING also returns a row that was inserted concurrently.
    const rows: { batch_id: string; body_hash: Buffer }[] = await this.dataSource.query(
      `INSERT INTO idempotency_keys (project_id, key_hash, body_hash, batch_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (project_id, key_hash) DO UPDATE SET key_hash = excluded.key_hash
       RETURNING batch_id, body_hash`,
      parameters,
    );
    return rows[0]!.body_hash.equals(bodyHash) ? rows[0]!.batch_id : null;
  }

  async deleteExpired(): Promise<void> {
    await this.dataSource.query(`DELETE FROM idempotency_keys WHERE created_at < now() - make_interval(days => $1)`, [
      KEY_LIFETIME_DAYS,
    ]);
  }
}
