import { arrayLiteral } from '#libs/database';
import type { EntityManager } from 'typeorm';

/** Key columns and their types for each table, except for project and shard. */
const KEY_COLUMNS = {
  visit_counts: { bucket: 'timestamptz', agent_id: 'uuid', agent_type: 'text', result: 'text' },
  visit_top_counts: { bucket: 'timestamptz', dimension: 'text', value: 'text' },
};

/**
 * A number of visits to subtract. They are subtracted from the first key until its count is zero, then from the next
 * one.
 */
export interface Subtrahend {
  /** Values of the key columns, in order. The first one is the bucket. */
  countKeys: readonly (readonly string[])[];
  visits: number;
}

interface CountRow {
  key: readonly string[];
  shard: number;
  visits: number;
}

/** Subtracts visits from one of a project's count tables, starting with the lowest shards. */
export class CountSubtraction {
  private readonly columns: string[];
  private readonly types: string[];
  private readonly countKeys: (readonly string[])[];

  constructor(
    private readonly transaction: EntityManager,
    private readonly projectId: string,
    private readonly table: keyof typeof KEY_COLUMNS,
    private readonly wanted: readonly Subtrahend[],
  ) {
    this.columns = Object.keys(KEY_COLUMNS[table]);
    this.types = Object.values(KEY_COLUMNS[table]);
    const distinct = new Map(wanted.flatMap(({ countKeys }) => countKeys.map((key) => [JSON.stringify(key), key])));
    this.countKeys = [...distinct.values()];
  }

  /** Returns the shards that contain counts to subtract from. The list can contain duplicates. */
  async shards(): Promise<number[]> {
    return this.subtractFrom(await this.read('ORDER BY shard')).map(({ shard }) => shard);
  }

  /**
   * Subtracts visits without making any count negative. Deletes counts that reach zero.
   *
   * @param shards Shards to subtract from. The caller must hold their locks.
   */
  async subtract(shards: readonly number[]): Promise<void> {
    const locked = `AND shard = ANY ($${this.columns.length + 2}::integer[]) ORDER BY shard FOR UPDATE OF ${this.table}`;
    const changed = this.subtractFrom(await this.read(locked, shards));
    await this.change(
      `UPDATE ${this.table} c SET visits = d.visits FROM`,
      changed.filter(({ visits }) => visits > 0),
    );
    await this.change(
      `DELETE FROM ${this.table} c USING`,
      changed.filter(({ visits }) => visits <= 0),
    );
  }

  private async change(statement: string, rows: readonly CountRow[]): Promise<void> {
    if (rows.length === 0) return;
    const columns = [...this.columns, 'shard'];
    await this.transaction.query(
      `${statement} unnest(${this.parameters([...this.types, 'integer', 'bigint'])}) AS d (${columns.join(', ')}, visits)
       WHERE c.project_id = $1 AND ${columns.map((name) => `c.${name} = d.${name}`).join(' AND ')}`,
      [
        this.projectId,
        ...this.columnLiterals(rows.map(({ key }) => key)),
        rows.map(({ shard }) => shard),
        rows.map(({ visits }) => visits),
      ],
    );
  }

  private async read(rowFilter: string, ...extraParameters: unknown[]): Promise<CountRow[]> {
    if (this.wanted.length === 0) return [];
    const rows: (Record<string, string> & { bucket: Date; shard: number; visits: number })[] =
      await this.transaction.query(
        `SELECT ${this.columns.join(', ')}, shard, visits::float8 AS visits
         FROM ${this.table} JOIN unnest(${this.parameters(this.types)}) AS d (${this.columns.join(', ')})
           USING (${this.columns.join(', ')})
         WHERE project_id = $1 ${rowFilter}`,
        [this.projectId, ...this.columnLiterals(this.countKeys), ...extraParameters],
      );
    return rows.map(({ bucket, shard, visits, ...names }) => ({
      key: [bucket.toISOString(), ...this.columns.slice(1).map((name) => names[name]!)],
      shard,
      visits,
    }));
  }

  /**
   * Subtracts from rows in memory. They must be sorted by shard.
   *
   * @returns the rows that changed.
   */
  private subtractFrom(rows: readonly CountRow[]): CountRow[] {
    const byKey = Map.groupBy(rows, ({ key }) => JSON.stringify(key));
    const changed = new Set<CountRow>();
    for (const { countKeys, visits } of this.wanted) {
      let remaining = visits;
      for (const row of countKeys.flatMap((key) => byKey.get(JSON.stringify(key)) ?? [])) {
        const amount = Math.min(remaining, row.visits);
        if (amount === 0) continue;
        row.visits -= amount;
        remaining -= amount;
        changed.add(row);
      }
    }
    return [...changed];
  }

  private parameters(types: readonly string[]): string {
    return types.map((type, index) => `$${index + 2}::${type}[]`).join(', ');
  }

  private columnLiterals(keys: readonly (readonly string[])[]): string[] {
    return this.columns.map((_, index) => arrayLiteral(keys.map((key) => key[index]!)));
  }
}
