import { arrayLiteral } from '#libs/database';
import type { EntityManager } from 'typeorm';

/** Key columns of each table, without project and shard. */
const KEYS = {
  visit_counts: { bucket: 'timestamptz', agent_id: 'uuid', agent_type: 'text', result: 'text' },
  visit_top_counts: { bucket: 'timestamptz', dimension: 'text', value: 'text' },
};

/** Visits to subtract. They are taken from the first key until it is empty, then from the next. */
export interface Subtrahend {
  /** Values of the key columns, starting with the bucket. */
  countKeys: readonly (readonly string[])[];
  visits: number;
}

interface Counted {
  key: readonly string[];
  shard: number;
  visits: number;
}

/** Subtracts visits from a project's counts in one table, starting with the lowest shards. */
export class CountSubtraction {
  private readonly columns: string[];
  private readonly types: string[];
  private readonly countKeys: (readonly string[])[];

  constructor(
    private readonly transaction: EntityManager,
    private readonly projectId: string,
    private readonly table: keyof typeof KEYS,
    private readonly wanted: readonly Subtrahend[],
  ) {
    this.columns = Object.keys(KEYS[table]);
    this.types = Object.values(KEYS[table]);
    const distinct = new Map(wanted.flatMap(({ countKeys }) => countKeys.map((key) => [JSON.stringify(key), key])));
    this.countKeys = [...distinct.values()];
  }

  /** Returns the shards to subtract from. They can contain duplicates. */
  async shards(): Promise<number[]> {
    return this.subtractFrom(await this.read('ORDER BY shard')).map(({ shard }) => shard);
  }

  /**
   * Subtracts visits, but never more than are counted. Deletes counts that reach zero.
   *
   * @param shards locked shards to subtract from.
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

  private async change(statement: string, rows: readonly Counted[]): Promise<void> {
    if (rows.length === 0) return;
    const columns = [...this.columns, 'shard'];
    await this.transaction.query(
      `${statement} unnest(${this.parameters([...this.types, 'integer', 'bigint'])}) AS d (${columns.join(', ')}, visits)
       WHERE c.project_id = $1 AND ${columns.map((name) => `c.${name} = d.${name}`).join(' AND ')}`,
      [
        this.projectId,
        ...this.valuesOf(rows.map(({ key }) => key)),
        rows.map(({ shard }) => shard),
        rows.map(({ visits }) => visits),
      ],
    );
  }

  private async read(which: string, ...more: unknown[]): Promise<Counted[]> {
    if (this.wanted.length === 0) return [];
    const rows: (Record<string, string> & { bucket: Date; shard: number; visits: number })[] =
      await this.transaction.query(
        `SELECT ${this.columns.join(', ')}, shard, visits::float8 AS visits
         FROM ${this.table} JOIN unnest(${this.parameters(this.types)}) AS d (${this.columns.join(', ')})
           USING (${this.columns.join(', ')})
         WHERE project_id = $1 ${which}`,
        [this.projectId, ...this.valuesOf(this.countKeys), ...more],
      );
    return rows.map(({ bucket, shard, visits, ...names }) => ({
      key: [bucket.toISOString(), ...this.columns.slice(1).map((name) => names[name]!)],
      shard,
      visits,
    }));
  }

  /**
   * Subtracts from the given rows, which must be sorted by shard.
   *
   * @returns the rows that changed.
   */
  private subtractFrom(rows: readonly Counted[]): Counted[] {
    const byKey = Map.groupBy(rows, ({ key }) => JSON.stringify(key));
    const changed = new Set<Counted>();
    for (const { countKeys, visits } of this.wanted) {
      let left = visits;
      for (const row of countKeys.flatMap((key) => byKey.get(JSON.stringify(key)) ?? [])) {
        const some = Math.min(left, row.visits);
        if (some === 0) continue;
        row.visits -= some;
        left -= some;
        changed.add(row);
      }
    }
    return [...changed];
  }

  private parameters(types: readonly string[]): string {
    return types.map((type, index) => `$${index + 2}::${type}[]`).join(', ');
  }

  private valuesOf(keys: readonly (readonly string[])[]): string[] {
    return this.columns.map((_, index) => arrayLiteral(keys.map((key) => key[index]!)));
  }
}
