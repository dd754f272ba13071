import { Inject, Injectable } from '@nestjs/common';
import { auditCursor, type AuditedCall, type AuditPage, type exportAuditEntries, type QueryOf } from '#libs/contracts';
import { READ_DATA_SOURCE } from '#libs/database';
import type { Actor } from '#libs/platform';
import { DataSource } from 'typeorm';
import { AUDIT_COLUMNS, toEntry, type AuditRow } from './audit-row.js';

export type AuditFilters = QueryOf<typeof exportAuditEntries>;

interface CallInput {
  params: unknown;
  query: Record<string, unknown>;
  body: unknown;
}

const ENTRIES_PER_DELETION = 10_000;

@Injectable()
export class AuditRepository {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(READ_DATA_SOURCE) private readonly reading: DataSource,
  ) {}

  /** Returns a page of entries that match the filters, newest first. */
  async page(
    filters: AuditFilters,
    limit: number,
    cursor: { occurredAt: number; id: string } | null,
  ): Promise<AuditPage> {
    const rows: AuditRow[] = await this.reading.query(
      `SELECT ${AUDIT_COLUMNS}
       FROM audit_entries
       WHERE ($1::uuid IS NULL OR project_id = $1)
         AND ($2::float8 IS NULL OR occurred_at >= to_timestamp($2 / 1000))
         AND ($3::float8 IS NULL OR occurred_at < to_timestamp($3 / 1000))
         AND ($4::text IS NULL OR position(lower($4) IN lower(coalesce(actor_name, ''))) > 0)
         AND ($5::text IS NULL OR actor_id = lower($5))
         AND ($6::text[] IS NULL OR subject_type = ANY ($6))
         AND ($7::text IS NULL OR subject_id = lower($7))
         AND ($8::text[] IS NULL OR change = ANY ($8))
         AND ($9::bigint IS NULL OR
           (occurred_at, id) < (timestamptz 'epoch' + $9 * interval '1 microsecond', $10::uuid))
       ORDER BY occurred_at DESC, id DESC LIMIT $11`,
      [
        filters.project,
        filters.from,
        filters.to,
        filters.actor,
        filters.actor_id,
        filters.subject,
        filters.subject_id,
        filters.change,
        cursor?.occurredAt ?? null,
        cursor?.id ?? null,
        limit + 1,
      ],
    );
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1)! : null;
    return {
      entries: page.map(toEntry),
      next_cursor: last && auditCursor.write({ occurredAt: Number(last.position), id: last.id }),
    };
  }

  /** Records a call to an operation. The values of sensitive fields are replaced with `[hidden]`. */
  async record(actor: Actor, call: AuditedCall, { params, query, body }: CallInput): Promise<void> {
    const parameters = params as Record<string, string>;
    const fields: Record<string, unknown> = { ...query, ...(body as object | undefined) };
    const names = [...Object.keys(query), ...(call.body ?? []), ...(call.hides ?? [])];
    const after = Object.fromEntries(
      names
        .filter((name) => fields[name] !== undefined)
        .map((name) => [name, call.hides?.includes(name) ? '[hidden]' : fields[name]]),
    );
    await this.dataSource.query(
      `SELECT audit_record($1::jsonb, $2, $3, lower($4), CASE WHEN $3 = 'access_token' THEN
         (SELECT name FROM access_tokens WHERE id::text = lower($4)) END, $5::uuid, NULL, nullif($6::jsonb, '{}'))`,
      [
        actor,
        call.change,
        call.subject,
        (call.id !== undefined && parameters[call.id]) || null,
        (call.project === undefined ? parameters['id'] : fields[call.project]) ?? null,
        after,
      ],
    );
  }

  /**
   * Deletes entries older than the retention period, even if they haven't been published to Kafka. A database trigger
   * prevents the deletion of newer entries.
   */
  async deleteExpired(): Promise<void> {
    for (let count = ENTRIES_PER_DELETION; count === ENTRIES_PER_DELETION;) {
      [{ count }] = (await this.dataSource.query(
        `WITH deleted AS (
           DELETE FROM audit_entries WHERE id IN (
             SELECT id FROM audit_entries
             WHERE occurred_at < now() - make_interval(days => (SELECT audit_retention_days FROM instance_settings))
             LIMIT $1)
           RETURNING id
         ), forgotten AS (
           DELETE FROM audit_outbox WHERE id IN (SELECT id FROM deleted)
         ) SELECT count(*)::integer AS count FROM deleted`,
        [ENTRIES_PER_DELETION],
      )) as [{ count: number }];
    }
  }
}
