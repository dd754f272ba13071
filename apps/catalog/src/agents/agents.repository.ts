import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { findPatternFault } from '#libs/agents';
import { agentId, type AgentRecord } from '#libs/catalog';
import type { AgentImportResult, AgentListItem, Fault, listAgents, QueryOf } from '#libs/contracts';
import { auditedTransaction } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { incrementRevision } from '../catalog/catalog.repository.js';

interface AgentRow {
  id: string;
  bundled: AgentRecord | null;
  own: AgentRecord | null;
  feed: AgentRecord | null;
  record: AgentRecord;
}

interface AgentListRow extends AgentRow {
  changed_at: Date;
  feed_id: string | null;
  feed_name: string | null;
  feed_url: string | null;
  feed_accepted_at: Date | null;
  feed_gone_at: Date | null;
}

type AgentsQuery = Omit<QueryOf<typeof listAgents>, 'cursor'>;

const TOKEN_SORT_KEY = `lower(record ->> 'token') COLLATE "C"`;
const LIST_COLUMNS = `id, bundled, own, feed, record, changed_at, feed_id, feed_name, feed_url, feed_accepted_at, feed_gone_at`;

@Injectable()
export class AgentsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns up to `limit + 1` agents. The extra one shows that another page exists.
   *
   * @param after Last token on the previous page. Empty for the first page.
   */
  async list(query: AgentsQuery, after: string): Promise<AgentListItem[]> {
    const { search, type, behavior, operator, origin, limit } = query;
    const rows: AgentListRow[] = await this.dataSource.query(
      `SELECT ${LIST_COLUMNS} FROM agents
       WHERE ${TOKEN_SORT_KEY} > lower($1) COLLATE "C"
         AND ($2 = '' OR position(lower($2) IN lower(concat_ws(' ', record ->> 'token', record ->> 'operator', record ->> 'robots_token'))) > 0)
         AND (cardinality($3::text[]) = 0 OR record ->> 'type' = ANY ($3::text[]))
         AND (cardinality($4::text[]) = 0 OR record ->> 'operator' = ANY ($4::text[]))
         AND ($5::text IS NULL OR
           $5 = CASE WHEN bundled IS NOT NULL THEN 'bundled' WHEN feed IS NOT NULL THEN 'feed' ELSE 'own' END)
         AND (cardinality($7::text[]) = 0 OR record -> 'behaviors' ?| $7::text[])
       ORDER BY ${TOKEN_SORT_KEY} LIMIT $6`,
      [after, search ?? '', type ?? [], operator ?? [], origin, limit + 1, behavior ?? []],
    );
    return rows.map(toItem);
  }

  async find(id: string, manager: EntityManager = this.dataSource.manager): Promise<AgentListItem | null> {
    const rows: AgentListRow[] = await manager.query(`SELECT ${LIST_COLUMNS} FROM agents WHERE id = $1`, [id]);
    return rows[0] === undefined ? null : toItem(rows[0]);
  }

  /** @param onlyCustomized Limits the result to custom and edited agents. */
  async all(onlyCustomized: boolean): Promise<AgentRecord[]> {
    const rows: Pick<AgentRow, 'record'>[] = await this.dataSource.query(
      `SELECT record FROM agents WHERE own IS NOT NULL OR NOT $1 ORDER BY ${TOKEN_SORT_KEY}`,
      [onlyCustomized],
    );
    return rows.map(({ record }) => record);
  }

  /** Adds a custom agent. Returns false if the token is already in use. */
  async add(record: AgentRecord): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const rows: unknown[] = await transaction.query(
        `INSERT INTO agents (id, own) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id`,
        [agentId(record.token), record],
      );
      if (rows.length > 0) await incrementRevision(transaction);
      return rows.length > 0;
    });
  }

  /**
   * Replaces an agent's definition.
   *
   * @param check Throws to abort the change, for example on a version conflict.
   */
  async change(record: AgentRecord, check: (agent: AgentListItem) => void): Promise<void> {
    await this.put([record], async (transaction) => {
      const agent = await this.find(agentId(record.token), transaction);
      if (agent !== null) check(agent);
    });
  }

  /**
   * Adds or replaces agents.
   *
   * @param whenLocked Runs once existing agents are locked and before any of them changes. Can throw to abort.
   */
  async put(
    records: readonly AgentRecord[],
    whenLocked: (transaction: EntityManager) => Promise<void> = async () => {},
  ): Promise<AgentImportResult> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const existingRows = await lockRows(
        transaction,
        records.map(({ token }) => agentId(token)),
      );
      await whenLocked(transaction);
      const changes = records.flatMap((record) => toChange(record, existingRows.get(agentId(record.token))) ?? []);
      if (changes.length > 0) {
        await transaction.query(
          `INSERT INTO agents (id, own) SELECT * FROM unnest($1::uuid[], $2::jsonb[])
           ON CONFLICT (id) DO UPDATE SET own = excluded.own, changed_at = now()`,
          [changes.map(({ id }) => id), changes.map(({ own }) => (own === null ? null : JSON.stringify(own)))],
        );
        await incrementRevision(transaction);
      }
      const added = changes.filter(({ id }) => !existingRows.has(id)).length;
      return { added, changed: changes.length - added, unchanged: records.length - changes.length };
    });
  }

  /**
   * Reverts an edited agent, or deletes one without edits. Returns `nothing` for a bundled agent without edits, which
   * can't be deleted.
   */
  async remove(id: string, check: (agent: AgentListItem) => void): Promise<'removed' | 'nothing' | 'unknown'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const row = (await lockRows(transaction, [id])).get(id);
      if (row === undefined) return 'unknown';
      check((await this.find(id, transaction))!);
      const wasAcceptedFromFeed = row.bundled === null && row.feed !== null;
      if (row.own === null && !wasAcceptedFromFeed) return 'nothing';
      if (row.own !== null && (row.bundled !== null || wasAcceptedFromFeed)) {
        await transaction.query(`UPDATE agents SET own = NULL, changed_at = now() WHERE id = $1`, [id]);
      } else {
        await transaction.query(`DELETE FROM agents WHERE id = $1`, [id]);
        // Records that this agent isn't wanted, so that the feed doesn't propose it again.
        await transaction.query(
          `UPDATE feed_agents SET state = 'dismissed' WHERE agent_id = $1 AND state = 'accepted'`,
          [id],
        );
      }
      await incrementRevision(transaction);
      return 'removed';
    });
  }
}

/**
 * Returns the new value for `own`, or undefined if the record wouldn't change. The value is null if the record equals
 * the definition from the release or feed.
 */
function toChange(record: AgentRecord, row: AgentRow | undefined): { id: string; own: AgentRecord | null } | undefined {
  if (row !== undefined && isDeepStrictEqual(row.record, record)) return undefined;
  return { id: agentId(record.token), own: isDeepStrictEqual(row?.bundled ?? row?.feed, record) ? null : record };
}

async function lockRows(transaction: EntityManager, ids: readonly string[]): Promise<Map<string, AgentRow>> {
  const rows: AgentRow[] = await transaction.query(
    `SELECT id, bundled, own, feed, record FROM agents WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function toItem(row: AgentListRow): AgentListItem {
  const { id, bundled, own, feed } = row;
  const faults = own === null ? [] : patternFaults(own);
  const wasAcceptedFromFeed = bundled === null && feed !== null;
  return {
    id,
    origin: bundled !== null ? 'bundled' : wasAcceptedFromFeed ? 'feed' : 'own',
    is_edited: own !== null && (bundled !== null || wasAcceptedFromFeed),
    changed_at: row.changed_at.toISOString(),
    ...(wasAcceptedFromFeed && {
      feed: {
        id: row.feed_id,
        name: row.feed_name!,
        url: row.feed_url,
        accepted_at: row.feed_accepted_at!.toISOString(),
        gone_at: row.feed_gone_at?.toISOString() ?? null,
      },
    }),
    ...(row.record as Omit<AgentListItem, 'id' | 'origin' | 'is_edited' | 'changed_at'>),
    ...(faults.length > 0 && { faults }),
  };
}

/** Finds invalid patterns, which earlier releases accepted. */
function patternFaults({ user_agent_patterns: patterns }: AgentRecord): Fault[] {
  return patterns.flatMap((pattern, index) => {
    const detail = findPatternFault(pattern);
    return detail === null ? [] : [{ pointer: `/user_agent_patterns/${index}`, detail }];
  });
}
