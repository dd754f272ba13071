import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ArchivedVisit } from './archived-visit.js';
import { PartitionsRepository, toVisitTable, type Visitors } from './partitions.repository.js';
import { COMMON_COLUMNS, TABLE_COLUMNS, type VisitTable } from './visit-columns.js';

/**
 * Returns SQL that inserts the visits in the JSON array $1. Visits that either table already contains are skipped.
 * Documents are stored in full, because forms are deleted after the retention period.
 */
function insertSql(table: VisitTable): string {
  const columns = [...COMMON_COLUMNS, ...TABLE_COLUMNS[table]];
  const names = columns.map(({ name }) => name).join(', ');
  const other = table === 'visits' ? 'unknown_visits' : 'visits';
  return `WITH inserted AS (
    INSERT INTO ${table} (id, project_id, occurred_at, position, document, ${names})
    SELECT id, project_id, to_timestamp(occurred_at / 1000), position, document, ${names}
    FROM json_to_recordset($1::json) AS r (
      id uuid, project_id uuid, occurred_at float8, position bigint, document json,
      ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')}
    )
    WHERE NOT EXISTS (SELECT FROM ${other} o WHERE o.id = r.id AND o.project_id IS NOT NULL)
    ORDER BY id ON CONFLICT (id) DO NOTHING RETURNING id
  ) SELECT count(*)::int AS inserted FROM inserted`;
}

/** Stores archived visits again, without counting them. */
@Injectable()
export class RestoredVisitsRepository {
  constructor(
    protected readonly dataSource: DataSource,
    private readonly partitions: PartitionsRepository,
  ) {}

  /**
   * Creates a day's partitions, and protects them from deletion for a number of days. Call this before storing visits.
   *
   * @param day `YYYY-MM-DD`
   */
  async prepareDay(day: string, keepDays: number): Promise<void> {
    const [row]: { number: number }[] = await this.dataSource.query(
      `INSERT INTO restored_days AS r (day, kept_until) VALUES ($1, now() + $2 * interval '1 day')
       ON CONFLICT (day) DO UPDATE SET kept_until = greatest(r.kept_until, excluded.kept_until)
       RETURNING day - date '1970-01-01' AS number`,
      [day, keepDays],
    );
    await this.partitions.ensure([row!.number]);
  }

  /** Returns the IDs of the projects that exist. */
  async filterExisting(projectIds: readonly string[]): Promise<Set<string>> {
    const rows: { id: string }[] = await this.dataSource.query(`SELECT id FROM projects WHERE id = ANY ($1::uuid[])`, [
      projectIds,
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Stores visits from a prepared day. @returns the number of visits that weren't stored yet. */
  async store(visitors: Visitors, visits: readonly ArchivedVisit[]): Promise<number> {
    const [row]: { inserted: number }[] = await this.dataSource.query(insertSql(toVisitTable(visitors)), [
      `[${visits.map(toJson).join(',')}]`,
    ]);
    return row!.inserted;
  }
}

/** Embeds the document as text, because parsing and serializing could alter it. */
const toJson = ({ document, ...visit }: ArchivedVisit): string =>
  `${JSON.stringify(visit).slice(0, -1)},"document":${document}}`;
