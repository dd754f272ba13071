import { Injectable } from '@nestjs/common';
import type { EncodedMessage } from '#libs/bus';
import { DataSource } from 'typeorm';

export interface OutboxState {
  messages: number;
  /** Table size on disk, including indexes. */
  bytes: number;
  /** Age of the oldest message in seconds, or 0 if the outbox is empty. */
  age: number;
}

interface Row extends EncodedMessage {
  id: string;
}

/** Maximum number of messages forwarded per transaction. */
const MAX_MESSAGES = 2_000;

@Injectable()
export class OutboxRepository {
  constructor(private readonly dataSource: DataSource) {}

  async add(messages: readonly EncodedMessage[]): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO visits_outbox (topic, key, value, headers)
       SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::jsonb[])`,
      [
        messages.map(({ topic }) => topic),
        messages.map(({ key }) => key),
        messages.map(({ value }) => value),
        messages.map(({ headers }) => JSON.stringify(headers)),
      ],
    );
  }

  /**
   * Sends the oldest messages and deletes them if `send` succeeds. Skips messages that another process is forwarding.
   *
   * @param maxBytes Target batch size in bytes. The last message can exceed it.
   * @returns the number of forwarded messages.
   */
  async forward(maxBytes: number, send: (messages: EncodedMessage[]) => Promise<void>): Promise<number> {
    return this.dataSource.transaction(async (transaction) => {
      const rows: Row[] = await transaction.query(
        `WITH locked AS (
           SELECT id, octet_length(value) AS size FROM visits_outbox
           ORDER BY id LIMIT ${MAX_MESSAGES} FOR UPDATE SKIP LOCKED
         ), summed AS (
           SELECT id, sum(size) OVER (ORDER BY id) - size AS before FROM locked
         )
         SELECT id, topic, key, value, headers FROM visits_outbox
         WHERE id IN (SELECT id FROM summed WHERE before < $1) ORDER BY id`,
        [maxBytes],
      );
      if (rows.length === 0) return 0;
      await send(rows);
      await transaction.query(`DELETE FROM visits_outbox WHERE id = ANY ($1::bigint[])`, [rows.map(({ id }) => id)]);
      return rows.length;
    });
  }

  async state(): Promise<OutboxState> {
    const [state]: { messages: number; bytes: number; age: number }[] = await this.dataSource.query(
      `SELECT count(*)::float8 AS messages, pg_total_relation_size('visits_outbox')::float8 AS bytes,
         coalesce(extract(epoch FROM now() - (SELECT created_at FROM visits_outbox ORDER BY id LIMIT 1)), 0)::float8 AS age
       FROM visits_outbox`,
    );
    return state!;
  }

  /** Frees the disk space that deleted messages used. */
  async shrink(): Promise<void> {
    await this.dataSource.query('VACUUM visits_outbox');
  }
}
