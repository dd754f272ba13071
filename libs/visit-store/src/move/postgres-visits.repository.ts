import { getFirstIdAt } from '#libs/contracts';
import type { DataSource, EntityManager } from 'typeorm';
import type { ArchivedVisit } from '../archived-visit.js';
import { limitBytes } from '../limit-bytes.js';
import { PartitionsRepository, type DayNumber } from '../partitions.repository.js';
import { COMMON_COLUMNS, TABLE_COLUMNS, type VisitTable } from '../visit-columns.js';
import {
  bounds,
  COLUMN_LIST,
  DAY_HOURS,
  HOUR_MS,
  PAGE_BYTES,
  type Hour,
  type HourContent,
  type MovableVisits,
} from './movable-visits.js';

const PAGE_VISITS = 5_000;

/** Visits in PostgreSQL. */
export class PostgresVisits implements MovableVisits {
  private readonly partitions: PartitionsRepository;

  constructor(private readonly dataSource: DataSource) {
    this.partitions = new PartitionsRepository(dataSource);
  }

  async days(): Promise<DayNumber[]> {
    return [...(await this.partitions.list('visits')), ...(await this.partitions.list('unknown_visits'))];
  }

  async contents(day: DayNumber, comparesIds: boolean): Promise<HourContent[]> {
    const [first, end] = [getFirstIdAt(day * DAY_HOURS * HOUR_MS), getFirstIdAt((day + 1) * DAY_HOURS * HOUR_MS)];
    return this.dataSource.query(
      `SELECT hour, count(*)::float8 AS visits, lpad(to_hex(bit_xor(('x' || left(md5(content), 16))::bit(64)::bigint)), 16, '0') AS digest
       FROM (
         SELECT (('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / ${HOUR_MS})::float8 AS hour, content
         FROM (
           SELECT id, id::text || coalesce(position, 0) || document AS content FROM visits_full WHERE id >= $1 AND id < $2
           UNION ALL
           SELECT id, id::text FROM unknown_visits u
           WHERE $3 AND id >= $1 AND id < $2 AND project_id IS NULL
             AND NOT EXISTS (SELECT FROM visits v WHERE v.id = u.id)
         ) stored
       ) by_hour GROUP BY hour`,
      [first, end, comparesIds],
    );
  }

  async *read(hour: Hour): AsyncGenerator<ArchivedVisit[]> {
    const [first, end] = bounds(hour);
    for (let after: string | null = null; ;) {
      const rows: (ArchivedVisit & { found: number })[] = await this.dataSource.query(
        limitBytes(
          `id, project_id, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_at,
           coalesce(position, 0)::text AS position, client_address, ${COLUMN_LIST}, document`,
          `SELECT id, project_id, occurred_at, position, client_address, ${COLUMN_LIST}, document::text AS document
           FROM visits_full WHERE id ${after === null ? '>=' : '>'} $1 AND id < $2 ORDER BY id LIMIT ${PAGE_VISITS}`,
          'id',
          PAGE_BYTES,
        ),
        [after ?? first, end],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      if (rows.length === last.found && last.found < PAGE_VISITS) return;
      after = last.id;
    }
  }

  async countedIds(hour: Hour): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT id FROM unknown_visits u
       WHERE id >= $1 AND id < $2 AND project_id IS NULL AND NOT EXISTS (SELECT FROM visits v WHERE v.id = u.id)`,
      bounds(hour),
    );
    return rows.map(({ id }) => id);
  }

  async clear(hour: Hour): Promise<void> {
    await this.dataSource.query(`DELETE FROM visits WHERE id >= $1 AND id < $2`, bounds(hour));
    await this.dataSource.query(
      `UPDATE unknown_visits SET ${UNKNOWN_COLUMNS.map((name) => `${name} = NULL`).join(', ')}
       WHERE id >= $1 AND id < $2 AND project_id IS NOT NULL`,
      bounds(hour),
    );
  }

  async write(hour: Hour, visits: readonly ArchivedVisit[]): Promise<void> {
    await this.partitions.ensure([Math.floor(hour / DAY_HOURS)]);
    await this.dataSource.transaction(async (transaction) => {
      const byAgents = visits.filter(({ agent_id }) => agent_id !== null);
      await upsert(
        transaction,
        'unknown_visits',
        visits.filter(({ agent_id }) => agent_id === null),
      );
      await upsert(transaction, 'visits', byAgents);
      await insertIds(
        transaction,
        byAgents.map(({ id }) => id),
      );
    });
  }

  async writeCountedIds(hour: Hour, ids: readonly string[]): Promise<void> {
    await this.partitions.ensure([Math.floor(hour / DAY_HOURS)]);
    await insertIds(this.dataSource.manager, ids);
  }
}

const STORED_COLUMNS = (table: VisitTable) => [
  { name: 'project_id', type: 'uuid' },
  { name: 'occurred_at', type: 'float8' },
  { name: 'position', type: 'bigint' },
  { name: 'document', type: 'json' },
  ...COMMON_COLUMNS,
  ...TABLE_COLUMNS[table],
];
const UNKNOWN_COLUMNS = [...STORED_COLUMNS('unknown_visits').map(({ name }) => name), 'form'];

async function upsert(transaction: EntityManager, table: VisitTable, visits: readonly ArchivedVisit[]): Promise<void> {
  if (visits.length === 0) return;
  const columns = STORED_COLUMNS(table);
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => (name === 'occurred_at' ? 'to_timestamp(occurred_at / 1000)' : name));
  await transaction.query(
    `INSERT INTO ${table} (id, ${names.join(', ')}) SELECT id, ${values.join(', ')}
     FROM json_to_recordset($1::json) AS r (id uuid, ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})
     ORDER BY id ON CONFLICT (id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [`[${visits.map(toJson).join(',')}]`],
  );
}

const insertIds = (transaction: EntityManager, ids: readonly string[]): Promise<unknown> =>
  transaction.query(
    `INSERT INTO unknown_visits (id) SELECT unnest($1::uuid[]) ORDER BY 1 ON CONFLICT (id) DO NOTHING`,
    [ids],
  );

/** Embeds the document as text, because parsing and serializing could alter it. */
const toJson = ({ document, ...visit }: ArchivedVisit): string =>
  `${JSON.stringify(visit).slice(0, -1)},"document":${document}}`;
