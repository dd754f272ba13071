import { Injectable } from '@nestjs/common';
import type { VisitDeletionCursor, VisitDeletionResult } from '#libs/contracts';
import { countChanged } from '#libs/database';
import { DataSource } from 'typeorm';

/** Maximum number of rows per statement. Bounds its duration even if every row has the maximum size of 512 KiB. */
const ROWS_AT_ONCE = 2_000;
/** Maximum number of dead letters per statement. It is lower because a dead letter can have 3 MiB. */
const LETTERS_AT_ONCE = 200;
/** Maximum time in seconds from the `moved_at` of a re-identification step to its commit. */
const COMMIT_SECONDS = 1;
const LETTERS = 'dead_letters';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Visits to delete. Null means any. The address is canonical text. */
interface DeletedVisits {
  address: string | null;
  projectId: string | null;
}

interface DeletionStep {
  deleted: number;
  /** Last ID that was searched. Null at the end of the table. */
  last: string | null;
}

/**
 * Conditions for visits to delete. $1 is the address, $2 is a regular expression that finds it in a text, and $3 is the
 * project ID.
 */
const ofProject = (column = 'project_id'): string => `($3::uuid IS NULL OR ${column} = $3::uuid)`;
/** The first condition quickly rules out most rows. */
const holds = (...texts: string[]): string =>
  `($1::text IS NULL OR ${texts.map((text) => `(strpos(lower(${text}), $1::text) > 0 AND ${text} ~* $2::text)`).join(' OR ')})`;

const MEANT = `${ofProject()} AND ${holds('document::text', 'path', `coalesce(mcp_tool, '')`)}`;
/** Bytes as text, with non-ASCII bytes escaped. */
const VALUE = `encode(value, 'escape')`;

/** Records changes for publication on instances with Kafka. Reads the state before the deletion. */
const NOTED = `, noted AS (
  INSERT INTO visit_changes (visit_id, project_id, received_at, occurred_at)
  SELECT changed.id, former.project_id, former.received_at, former.occurred_at
  FROM changed CROSS JOIN LATERAL (
    SELECT project_id, occurred_at, (document ->> 'received_at')::timestamptz AS received_at
    FROM visits_full WHERE visits_full.id = changed.id LIMIT 1
  ) former
  WHERE (SELECT publishes_audit FROM instance_settings)
)`;

@Injectable()
export class VisitDeletionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Deletes visits for about the given time.
   *
   * @param cursor Cursor from the previous call. Undefined to start.
   * @returns Counts of this call, and the cursor for the next one. The cursor is null once everything is deleted.
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
    // Skips a table that was dropped since the last call. The first table isn't in alphabetical order.
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
      // Runs only at the end, because it reads the entire outbox. That is slow while Kafka is down.
      waiting: table === undefined ? await this.waiting(visits) : 0,
      progress: index / tables.length,
      next: table === undefined ? null : { table, after, since },
    };
  }

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

  /**
   * Returns assignments that clear every column except the ID, which prevents a redelivered visit from being stored
   * again.
   */
  private async erasure(table: string): Promise<string> {
    const columns: { name: string }[] = await this.dataSource.query(
      `SELECT quote_ident(attname) AS name FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id'`,
      [table],
    );
    return columns.map(({ name }) => `${name} = NULL`).join(', ');
  }

  /** Returns the database's time in milliseconds since the epoch. */
  private async time(): Promise<number> {
    const [row]: { time: number }[] = await this.dataSource.query(
      `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time`,
    );
    return row!.time;
  }

  /** Returns whether a re-identification may have moved visits to a table that was already searched. */
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

  /** Deletes refused requests in one statement, because there are few. Returns the number deleted. */
  private async refusedRequests(visits: DeletedVisits): Promise<number> {
    return countChanged(
      this.dataSource,
      `DELETE FROM refused_requests WHERE ${ofProject()} AND ${holds('client_address', 'detail')}`,
      parameters(visits),
    );
  }

  /**
   * Returns the number of matching reports that wait for Kafka. They may contain other visits, so they are kept and
   * will be stored once Kafka is back.
   */
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
 * Returns a regular expression that matches the address, but not as part of a longer one.
 *
 * A port may follow an IPv4 address. The character before the address may be percent-encoded, or escaped as in JSON or
 * {@link VALUE}. A colon before an IPv6 address may end a name, as in `ip:`.
 */
function addressExpression(address: string): string {
  const escaped = address.replaceAll('.', String.raw`\.`);
  return address.includes(':')
    ? `(^|[^0-9a-f:.]|[^0-9a-f:.]:|${ESCAPED})${escaped}($|[^0-9a-f:.]|[.]([^0-9]|$))`
    : `(^|[^0-9.]|${ESCAPED})${escaped}($|[^0-9.]|[.]([^0-9]|$))`;
}
