import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { assistantId } from '#libs/catalog';
import type { AssistantListItem, AssistantRecord } from '#libs/contracts';
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

  /** By name. */
  async list(): Promise<AssistantListItem[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT id, bundled, own FROM assistants ORDER BY lower(coalesce(own, bundled) ->> 'name') COLLATE "C"`,
    );
    return rows.map(toItem);
  }

  async find(id: string): Promise<AssistantListItem | null> {
    const [row]: Row[] = await this.dataSource.query(`SELECT id, bundled, own FROM assistants WHERE id = $1`, [id]);
    return row === undefined ? null : toItem(row);
  }

  /** @returns whether there was none with this name. */
  async add(record: AssistantRecord): Promise<boolean> {
    return this.dataSource.transaction(async (transaction) => {
      const rows: unknown[] = await transaction.query(
        `INSERT INTO assistants (id, own) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id`,
        [assistantId(record.name), record],
      );
      if (rows.length > 0) await countChange(transaction);
      return rows.length > 0;
    });
  }

  /**
   * Makes this what the assistant is. As it came with the release it isn't edited.
   *
   * @param check throws for one that is not to be changed.
   * @returns whether there is one.
   */
  async change(record: AssistantRecord, check: (assistant: AssistantListItem) => void): Promise<boolean> {
    return this.dataSource.transaction(async (transaction) => {
      const id = assistantId(record.name);
      const row = await lock(transaction, id);
      if (row === undefined) return false;
      check(toItem(row));
      const own = isDeepStrictEqual(row.bundled, record) ? null : record;
      await transaction.query(`UPDATE assistants SET own = $2, changed_at = now() WHERE id = $1`, [id, own]);
      await countChange(transaction);
      return true;
    });
  }

  /** Takes back what was entered here; `nothing` where that is nothing. */
  async remove(id: string, check: (assistant: AssistantListItem) => void): Promise<'removed' | 'nothing' | 'unknown'> {
    return this.dataSource.transaction(async (transaction) => {
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
