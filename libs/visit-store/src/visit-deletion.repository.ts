import { Injectable } from '@nestjs/common';
import type { VisitDeletionCursor, VisitDeletionResult } from '#libs/contracts';
import { countChanged } from '#libs/database';
import { DataSource } from 'typeorm';

/** Rows that one statement looks through, so that it ends in time where each is as large as can be: 512 KiB. */
const ROWS_AT_ONCE = 2_000;
/** Dead letters are up to 3 MiB. */
const LETTERS_AT_ONCE = 200;
/** In which a step of a re-identification is committed after it has noted the time. */
const COMMIT_SECONDS = 1;
const LETTERS = 'dead_letters';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Which visits are meant; null does not narrow them. */
interface DeletedVisits {
  /** Canonical text. */
  address: string | null;
  projectId: string | null;
}

/** What was done in a step through a table. */
interface DeletionStep {
  deleted: number;
  /** The last id that was looked at; null at the table's end. */
  last: string | null;
}

/** Takes the address, the expression that finds it in a text, and the project. */
const ofProject = (column = 'project_id'): string => `($3::uuid IS NULL OR ${column} = $3::uuid)`;
/** The first condition rules out most rows quickly. */
const holds = (...texts: string[]): string =>
  `($1::text IS NULL OR ${texts.map((text) => `(strpos(lower(${text}), $1::text) > 0 AND ${text} ~* $2::text)`).join(' OR ')})`;

const MEANT = `${ofProject()} AND ${holds('document::text', 'path', `coalesce(mcp_tool, '')`)}`;
/** Bytes as text, with those that are not ASCII escaped. */
const VALUE = `encode(value, 'escape')`;

/** Records changes of visits for publication on instances with Kafka. Reads the state from before the deletion. */
const NOTED = `, noted AS (
  INSERT INTO visit_changes (visit_id, project_id, received_at, occurred_at)
  SELECT changed.id, former.project_id, former.received_at, former.occurred_at
  FROM changed CROSS JOIN LATERAL (
    SELECT project_id, occurred_at, (document ->> 'received_at')::timestamptz AS received_at
    FROM visits_full WHERE visits_full.id = changed.id LIMIT 1
  ) former
  WHERE (SELECT publishes_audit FROM instance_settings)
)`;

/** Deletes visits, a part of a table at a time. */
@Injectable()
export class VisitDeletionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Deletes visits for some time.
   *
   * @param cursor where the last call ended; undefined to begin.
   * @returns what was deleted, and the cursor to go on with; null once everything is deleted.
   */
  async delete(
    visits: DeletedVisits,
    cursor: VisitDeletionCursor | undefined,
    durationMs: number,
  ): Promise<Omit<VisitDeletionResult, 'next_cursor'> & { next: VisitDeletionCursor | null }> {
    const until = performance.now() + durationMs;
    const from = cursor ?? { table: LETTERS, after: FIRST_ID, since: await this.time() };
    const tables = await this.tables();
    const deleted = { visits: 0, dead_letters: 0, refused_requests: await this.refusedRequests(visits) };
    // A table that was dropped meanwhile is passed over. The first is not in the order of names.
    let index = from.table === LETTERS ? 0 : tables.findIndex((name, at) => at > 0 && name >= from.table);
    if (index === -1) index = tables.length;
    let after = tables[index] === from.table ? from.after : FIRST_ID;
    while (index < tables.length && performance.now() < until) {
      const table = tables[index]!;
      const step = await this.step(table, after, visits);
      deleted[table === LETTERS ? 'dead_letters' : 'visits'] += step.deleted;
      if (step.last === null) index += 1;
      after = step.last ?? FIRST_ID;
    }
    let { since } = from;
    if (index === tables.length && tables.length > 1) {
      const time = await this.time();
      if (await this.haveMoved(visits, since)) [index, since] = [1, time];
    }
    const table = tables[index];
    return {
      deleted,
      // Reads the whole outbox, which takes its time while Kafka is away.
      waiting: table === undefined ? await this.waiting(visits) : 0,
      progress: index / tables.length,
      next: table === undefined ? null : { table, after, since },
    };
  }

  /** The tables that hold visits, in the order in which they are looked through. */
  private async tables(): Promise<string[]> {
    const rows: { name: string }[] = await this.dataSource.query(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent IN ('visits'::regclass, 'unknown_visits'::regclass) ORDER BY 1`,
    );
    return [LETTERS, ...rows.map(({ name }) => name)];
  }

  private async step(table: string, after: string, visits: DeletedVisits): Promise<DeletionStep> {
    const isLetters = table === LETTERS;
    const limit = isLetters ? LETTERS_AT_ONCE : ROWS_AT_ONCE;
    const meant = isLetters
      ? `${ofProject()} AND ${holds(VALUE, `coalesce(key, '')`, 'headers::text', 'detail')}`
      : MEANT;
    const change = table.startsWith('unknown_visits')
      ? `UPDATE ${table} SET ${await this.erasure(table)} WHERE id IN (SELECT id FROM page WHERE is_meant) RETURNING id`
      : `DELETE FROM ${table} WHERE id IN (SELECT id FROM page WHERE is_meant) RETURNING id`;
    const [row]: { deleted: number; last: string | null; found: number }[] = await this.dataSource.query(
      `WITH page AS MATERIALIZED (
         SELECT id, ${isLetters ? '' : 'project_id IS NOT NULL AND '}${meant} AS is_meant
         FROM ${table} WHERE id > $4::uuid ORDER BY id LIMIT ${limit}
       ), changed AS (${change})${isLetters ? '' : NOTED}
       SELECT (SELECT count(*)::int FROM changed) AS deleted, count(*)::int AS found,
         (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last FROM page`,
      [...parameters(visits), after],
    );
    return { deleted: row!.deleted, last: row!.found < limit ? null : row!.last };
  }

  /** Returns assignments that clear every column except the ID, which keeps a redelivered visit from being stored again. */
  private async erasure(table: string): Promise<string> {
    const columns: { name: string }[] = await this.dataSource.query(
      `SELECT quote_ident(attname) AS name FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id'`,
      [table],
    );
    return columns.map(({ name }) => `${name} = NULL`).join(', ');
  }

  /** Milliseconds since the epoch, by the database's clock. */
  private async time(): Promise<number> {
    const [row]: { time: number }[] = await this.dataSource.query(
      `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time`,
    );
    return row!.time;
  }

  /** Whether visits may have moved from one table to the other, past where was looked, because they were identified again. */
  private async haveMoved({ projectId }: DeletedVisits, since: number): Promise<boolean> {
    const [row]: { moved: boolean }[] = await this.dataSource.query(
      `SELECT EXISTS (
         SELECT FROM reidentifications WHERE ($1::uuid IS NULL OR project_id = $1::uuid)
           AND (state = 'applying' AND NOT is_paused OR moved_at > to_timestamp($2::float8 / 1000) - interval '${COMMIT_SECONDS} seconds')
       ) AS moved`,
      [projectId, since],
    );
    return row!.moved;
  }

  /** There are few of them. @returns how many there were. */
  private async refusedRequests(visits: DeletedVisits): Promise<number> {
    return countChanged(
      this.dataSource,
      `DELETE FROM refused_requests WHERE ${ofProject()} AND ${holds('client_address', 'detail')}`,
      parameters(visits),
    );
  }

  /** Reports that wait for Kafka. They hold other visits, too, and are stored when Kafka is back. */
  private async waiting(visits: DeletedVisits): Promise<number> {
    const [row]: { waiting: number }[] = await this.dataSource.query(
      `SELECT count(*)::int AS waiting FROM visits_outbox
       WHERE ${ofProject(`(headers ->> 'project_id')::uuid`)} AND ${holds(VALUE)}`,
      parameters(visits),
    );
    return row!.waiting;
  }
}

const ESCAPED = String.raw`%[0-9a-f]{2}|\\[0-7]{3}|\\[bfnrt]`;

const parameters = ({ address, projectId }: DeletedVisits): (string | null)[] => [
  address,
  address === null ? null : addressExpression(address),
  projectId,
];

/**
 * The address alone, and not as a part of a longer one. A port may follow an IPv4 address, and what is before it may be
 * percent-encoded, or escaped as JSON and {@link VALUE} do. A colon before an IPv6 address may be of a name, as in `ip:`.
 */
function addressExpression(address: string): string {
  const escaped = address.replaceAll('.', String.raw`\.`);
  return address.includes(':')
    ? `(^|[^0-9a-f:.]|[^0-9a-f:.]:|${ESCAPED})${escaped}($|[^0-9a-f:.]|[.]([^0-9]|$))`
    : `(^|[^0-9.]|${ESCAPED})${escaped}($|[^0-9.]|[.]([^0-9]|$))`;
}
