import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { assistantId } from '#libs/catalog';
import type { AssistantListItem, AssistantRecord } from '#libs/contracts';
import { ADVISORY_LOCKS, auditedTransaction } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { incrementRevision } from '../catalog/catalog.repository.js';

interface AssistantRow {
  id: string;
  bundled: AssistantRecord | null;
  own: AssistantRecord | null;
  record: AssistantRecord;
}

@Injectable()
export class AssistantsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async list(): Promise<AssistantListItem[]> {
    return listAll(this.dataSource.manager);
  }

  async find(id: string): Promise<AssistantListItem | null> {
    const [row]: AssistantRow[] = await this.dataSource.query(
      `SELECT id, bundled, own, record FROM assistants WHERE id = $1`,
      [id],
    );
    return row === undefined ? null : toItem(row);
  }

  /**
   * Adds a custom assistant.
   *
   * @param check Throws to abort, for example if the assistant conflicts with another one.
   * @returns false if the name is already in use.
   */
  async add(record: AssistantRecord, check: (all: AssistantListItem[]) => void): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      check(await lockAndListAll(transaction));
      const rows: unknown[] = await transaction.query(
        `INSERT INTO assistants (id, own) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id`,
        [assistantId(record.name), record],
      );
      if (rows.length > 0) await incrementRevision(transaction);
      return rows.length > 0;
    });
  }

  /**
   * Replaces an assistant's definition. A record that equals the bundled one reverts the edit.
   *
   * @param check Throws to abort, for example on a version conflict.
   * @returns false if the assistant doesn't exist.
   */
  async change(
    record: AssistantRecord,
    check: (assistant: AssistantListItem, all: AssistantListItem[]) => void,
  ): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const id = assistantId(record.name);
      const all = await lockAndListAll(transaction);
      const row = await lockRow(transaction, id);
      if (row === undefined) return false;
      check(toItem(row), all);
      const own = isDeepStrictEqual(row.bundled, record) ? null : record;
      await transaction.query(`UPDATE assistants SET own = $2, changed_at = now() WHERE id = $1`, [id, own]);
      await incrementRevision(transaction);
      return true;
    });
  }

  /** Deletes a custom assistant or reverts an edited one. Returns `nothing` for a bundled assistant without edits. */
  async remove(id: string, check: (assistant: AssistantListItem) => void): Promise<'removed' | 'nothing' | 'unknown'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const row = await lockRow(transaction, id);
      if (row === undefined) return 'unknown';
      check(toItem(row));
      if (row.own === null) return 'nothing';
      if (row.bundled === null) await transaction.query(`DELETE FROM assistants WHERE id = $1`, [id]);
      else await transaction.query(`UPDATE assistants SET own = NULL, changed_at = now() WHERE id = $1`, [id]);
      await incrementRevision(transaction);
      return 'removed';
    });
  }
}

async function listAll(manager: EntityManager): Promise<AssistantListItem[]> {
  const rows: AssistantRow[] = await manager.query(
    `SELECT id, bundled, own, record FROM assistants ORDER BY lower(record ->> 'name') COLLATE "C"`,
  );
  return rows.map(toItem);
}

/** Blocks other additions and changes during the transaction. Otherwise, two assistants could claim the same host. */
async function lockAndListAll(transaction: EntityManager): Promise<AssistantListItem[]> {
  await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.assistants]);
  return listAll(transaction);
}

async function lockRow(transaction: EntityManager, id: string): Promise<AssistantRow | undefined> {
  const [row]: AssistantRow[] = await transaction.query(
    `SELECT id, bundled, own, record FROM assistants WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return row;
}

const toItem = ({ id, bundled, own, record }: AssistantRow): AssistantListItem => ({
  id,
  origin: bundled === null ? 'own' : 'bundled',
  is_edited: bundled !== null && own !== null,
  ...record,
});
