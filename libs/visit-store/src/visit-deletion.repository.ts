import { Injectable } from '@nestjs/common';
import type { VisitDeletionCursor, VisitDeletionResult } from '#libs/contracts';
import { executeAndCount } from '#libs/database';
import { DataSource } from 'typeorm';

/** Maximum number of rows per statement. Limits its duration even if every row has the maximum size of 512 KiB. */
const MAX_ROWS_PER_STATEMENT = 2_000;
/** Maximum number of dead letters per statement. It's lower because a dead letter can have up to 3 MiB. */
const MAX_DEAD_LETTERS_PER_STATEMENT = 200;
/** Maximum time in seconds between the moment when a re-identification step sets `moved_at` and its commit. */
const MAX_COMMIT_SECONDS = 1;
const LETTERS = 'dead_letters';
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Criteria for the visits to delete. Null matches any. The address must be in canonical form. */
export interface DeletionCriteria {
  address: string | null;
  projectId: string | null;
}

export interface DeletionStep {
  deleted: number;
  /** Last ID searched, or null at the end of the table. */
  last: string | null;
}

/**
 * SQL conditions for visits to delete. $1 is the address, $2 is a regular expression that finds the address in text,
 * and $3 is the project ID.
 */
const projectCondition = (column = 'project_id'): string => `($3::uuid IS NULL OR ${column} = $3::uuid)`;
/** The substring search quickly rules out most rows before the regular expression runs. */
const containsAddress = (...texts: string[]): string =>
  `($1::text IS NULL OR ${texts.map((text) => `(strpos(lower(${text}), $1::text) > 0 AND ${text} ~* $2::text)`).join(' OR ')})`;

const VISIT_CONDITION = `${projectCondition()} AND ${containsAddress('document::text', 'path', `coalesce(mcp_tool, '')`)}`;
/** SQL expression for the value as text, with non-ASCII bytes escaped. */
const VALUE = `encode(value, 'escape')`;

/** CTE that records deletions for publication if the instance has Kafka. It reads the state before the deletion. */
const RECORD_DELETIONS = `, noted AS (
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
  constructor(protected readonly dataSource: DataSource) {}

  /**
   * Deletes matching visits for about `durationMs` milliseconds.
   *
   * @param cursor Cursor from the previous call, or undefined to start.
   * @returns the number of rows deleted by this call, and the cursor for the next one. The cursor is null when
   * everything has been deleted.
   */
  async delete(
    visits: DeletionCriteria,
    cursor: VisitDeletionCursor | undefined,
    durationMs: number,
  ): Promise<Omit<VisitDeletionResult, 'next_cursor'> & { next: VisitDeletionCursor | null }> {
    const until = performance.now() + durationMs;
    const from = cursor ?? { table: LETTERS, after: FIRST_ID, since: await this.readTime() };
    const tables = [LETTERS, ...(await this.listPartitions(visits))];
    const deleted = { visits: 0, dead_letters: 0, refused_requests: await this.deleteRejectedRequests(visits) };
    // If the cursor's table was dropped since the last call, continue with the next one. The first table isn't in
    // alphabetical order.
    let index = from.table === LETTERS ? 0 : tables.findIndex((name, at) => at > 0 && name >= from.table);
    if (index === -1) index = tables.length;
    let after = tables[index] === from.table ? from.after : FIRST_ID;
    while (index < tables.length && performance.now() < until) {
      const table = tables[index]!;
      const step =
        table === LETTERS ? await this.deleteLetters(after, visits) : await this.deleteVisits(table, after, visits);
      deleted[table === LETTERS ? 'dead_letters' : 'visits'] += step.deleted;
      if (step.last === null) index += 1;
      after = step.last ?? FIRST_ID;
    }
    let { since } = from;
    if (index === tables.length && tables.length > 1) {
      const time = await this.readTime();
      if (await this.hasMovedVisits(visits, since)) [index, since] = [1, time];
    }
    const table = tables[index];
    return {
      deleted,
      // Only counted at the end, because it reads the entire outbox. That is slow while Kafka is down.
      waiting: table === undefined ? await this.countPendingReports(visits) : 0,
      progress: index / tables.length,
      next: table === undefined ? null : { table, after, since },
    };
  }

  /** Returns the names of the partitions with visits, sorted. */
  protected async listPartitions(_visits: DeletionCriteria): Promise<string[]> {
    const rows: { name: string }[] = await this.dataSource.query(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent IN ('visits'::regclass, 'unknown_visits'::regclass) ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  }

  /**
   * Deletes matching visits in a partition and records the deletions.
   *
   * @param after Last ID searched by the previous step.
   */
  protected async deleteVisits(partition: string, after: string, visits: DeletionCriteria): Promise<DeletionStep> {
    const change = partition.startsWith('unknown_visits')
      ? `UPDATE ${partition} SET ${await this.clearAssignments(partition)} WHERE id IN (SELECT id FROM page WHERE is_meant) RETURNING id`
      : `DELETE FROM ${partition} WHERE id IN (SELECT id FROM page WHERE is_meant) RETURNING id`;
    return this.deletePage(visits, after, {
      page: `SELECT id, project_id IS NOT NULL AND ${VISIT_CONDITION} AS is_meant FROM ${partition}`,
      changes: `changed AS (${change})${RECORD_DELETIONS}`,
      limit: MAX_ROWS_PER_STATEMENT,
    });
  }

  private async deleteLetters(after: string, visits: DeletionCriteria): Promise<DeletionStep> {
    const condition = `${projectCondition()} AND ${containsAddress(VALUE, `coalesce(key, '')`, 'headers::text', 'detail')}`;
    return this.deletePage(visits, after, {
      page: `SELECT id, ${condition} AS is_meant FROM ${LETTERS}`,
      changes: `changed AS (DELETE FROM ${LETTERS} WHERE id IN (SELECT id FROM page WHERE is_meant) RETURNING id)`,
      limit: MAX_DEAD_LETTERS_PER_STATEMENT,
    });
  }

  private async deletePage(
    visits: DeletionCriteria,
    after: string,
    { page, changes, limit }: { page: string; changes: string; limit: number },
  ): Promise<DeletionStep> {
    const [row]: { deleted: number; last: string | null; found: number }[] = await this.dataSource.query(
      `WITH page AS MATERIALIZED (
         ${page} WHERE id > $4::uuid ORDER BY id LIMIT ${limit}
       ), ${changes}
       SELECT (SELECT count(*)::int FROM changed) AS deleted, count(*)::int AS found,
         (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last FROM page`,
      [...parameters(visits), after],
    );
    return { deleted: row!.deleted, last: row!.found < limit ? null : row!.last };
  }

  /**
   * Returns SQL assignments that clear every column except the ID. The ID remains, so a redelivered visit isn't stored
   * again.
   */
  private async clearAssignments(table: string): Promise<string> {
    const columns: { name: string }[] = await this.dataSource.query(
      `SELECT quote_ident(attname) AS name FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id'`,
      [table],
    );
    return columns.map(({ name }) => `${name} = NULL`).join(', ');
  }

  /** Returns the database's current time in milliseconds since the epoch. */
  private async readTime(): Promise<number> {
    const [row]: { time: number }[] = await this.dataSource.query(
      `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time`,
    );
    return row!.time;
  }

  /**
   * Returns true if visits may have been missed because a re-identification moved them to a table that was already
   * searched.
   */
  private async hasMovedVisits({ projectId }: DeletionCriteria, since: number): Promise<boolean> {
    const [row]: { moved: boolean }[] = await this.dataSource.query(
      `SELECT EXISTS (
         SELECT FROM reidentifications WHERE ($1::uuid IS NULL OR project_id = $1::uuid)
           AND (state = 'applying' AND NOT is_paused OR moved_at > to_timestamp($2::float8 / 1000) - interval '${MAX_COMMIT_SECONDS} seconds')
       ) AS moved`,
      [projectId, since],
    );
    return row!.moved;
  }

  /** Deletes matching rejected requests and returns their number. There are so few that one statement is enough. */
  private async deleteRejectedRequests(visits: DeletionCriteria): Promise<number> {
    return executeAndCount(
      this.dataSource,
      `DELETE FROM refused_requests WHERE ${projectCondition()} AND ${containsAddress('client_address', 'detail')}`,
      parameters(visits),
    );
  }

  /**
   * Returns the number of matching reports that are waiting for Kafka. These reports aren't deleted, because they can
   * also contain other visits. They will be stored when Kafka is back.
   */
  private async countPendingReports(visits: DeletionCriteria): Promise<number> {
    const [row]: { waiting: number }[] = await this.dataSource.query(
      `SELECT count(*)::int AS waiting FROM visits_outbox
       WHERE ${projectCondition(`(headers ->> 'project_id')::uuid`)} AND ${containsAddress(VALUE)}`,
      parameters(visits),
    );
    return row!.waiting;
  }
}

const ESCAPED = String.raw`%[0-9a-f]{2}|\\[0-7]{3}|\\[bfnrt]`;

const parameters = ({ address, projectId }: DeletionCriteria): (string | null)[] => [
  address,
  address === null ? null : addressExpression(address),
  projectId,
];

/**
 * Returns a regular expression that matches the address, but not as part of a longer one.
 *
 * An IPv4 address can be followed by a port. The preceding character can be percent-encoded, or escaped as in JSON or
 * {@link VALUE}. A colon before an IPv6 address can belong to a prefix, such as `ip:`.
 */
export function addressExpression(address: string): string {
  const escaped = address.replaceAll('.', String.raw`\.`);
  return address.includes(':')
    ? `(^|[^0-9a-f:.]|[^0-9a-f:.]:|${ESCAPED})${escaped}($|[^0-9a-f:.]|[.]([^0-9]|$))`
    : `(^|[^0-9.]|${ESCAPED})${escaped}($|[^0-9.]|[.]([^0-9]|$))`;
}

/**
 * Returns a function that finds an address in text exactly as the deletion does.
 *
 * @param address Address in canonical form.
 */
export function createAddressMatcher(address: string): (text: string) => boolean {
  const expression = new RegExp(addressExpression(address), 'i');
  return (text) => text.toLowerCase().includes(address) && expression.test(text);
}
