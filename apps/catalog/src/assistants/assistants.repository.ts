import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { assistantId } from '#libs/catalog';
import type { AssistantListItem, AssistantRecord } from '#libs/contracts';
import { ADVISORY_LOCKS, auditedTransaction } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { countChange } from '../catalog/catalog.repository.js';

interface Row {
  id: string;
  bundled: AssistantRecord | null;
  own: AssistantRecord | null;
}

@Injectable()
export class AssistantsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async list(): Promise<AssistantListItem[]> {
    return listAll(this.dataSource.manager);
  }

  async find(id: string): Promise<AssistantListItem | null> {
    const [row]: Row[] = await this.dataSource.query(`SELECT id, bundled, own FROM assistants WHERE id = $1`, [id]);
    return row === undefined ? null : toItem(row);
  }

  /** @param check Throws if the assistant conflicts with others. @returns false if the name is already in use. */
  async add(record: AssistantRecord, check: (all: AssistantListItem[]) => void): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      check(await lockAll(transaction));
      const rows: unknown[] = await transaction.query(
        `INSERT INTO assistants (id, own) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id`,
        [assistantId(record.name), record],
      );
      if (rows.length > 0) await countChange(transaction);
      return rows.length > 0;
    });
  }

  /**
   * Replaces the definition of an assistant. A record that equals the bundled one removes the edit.
   *
   * @param check Throws if the assistant must not be changed or conflicts with others.
   * @returns false if it doesn't exist.
   */
  async change(
    record: AssistantRecord,
    check: (assistant: AssistantListItem, all: AssistantListItem[]) => void,
  ): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const id = assistantId(record.name);
      const all = await lockAll(transaction);
      const row = await lock(transaction, id);
      if (row === undefined) return false;
      check(toItem(row), all);
      const own = isDeepStrictEqual(row.bundled, record) ? null : record;
      await transaction.query(`UPDATE assistants SET own = $2, changed_at = now() WHERE id = $1`, [id, own]);
      await countChange(transaction);
      return true;
    });
  }

  /** Removes a custom assistant, or the edit of a bundled one. Returns `nothing` if a bundled one has no edit. */
  async remove(id: string, check: (assistant: AssistantListItem) => void): Promise<'removed' | 'nothing' | 'unknown'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const row = await lock(transaction, id);
      if (row === undefined) return 'unknown';
      check(toItem(row));
      if (row.own === null) return 'nothing';
      if (row.bundled === null) await transaction.query(`DELETE FROM assistants WHERE id = $1`, [id]);
      else await transaction.query(`UPDATE assistants SET own = NULL, changed_at = now() WHERE id = $1`, [id]);
      await countChange(transaction);
      return 'removed';
    });
  }
}

async function listAll(manager: EntityManager): Promise<AssistantListItem[]> {
  const rows: Row[] = await manager.query(
    `SELECT id, bundled, own FROM assistants ORDER BY lower(coalesce(own, bundled) ->> 'name') COLLATE "C"`,
  );
  return rows.map(toItem);
}

/** Prevents other additions and changes until the transaction ends: two assistants could claim the same host. */
async function lockAll(transaction: EntityManager): Promise<AssistantListItem[]> {
  await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.assistants]);
  return listAll(transaction);
}

async function lock(transaction: EntityManager, id: string): Promise<Row | undefined> {
  const [row]: Row[] = await transaction.query(`SELECT id, bundled, own FROM assistants WHERE id = $1 FOR UPDATE`, [
    id,
  ]);
  return row;
}

const toItem = ({ id, bundled, own }: Row): AssistantListItem => ({
  id,
  origin: bundled === null ? 'own' : 'bundled',
  is_edited: bundled !== null && own !== null,
  ...(own ?? bundled)!,
});
