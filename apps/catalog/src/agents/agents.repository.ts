import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { patternFault } from '#libs/agents';
import { agentId, type AgentRecord } from '#libs/catalog';
import type { AgentImportResult, AgentListItem, Fault, listAgents, QueryOf } from '#libs/contracts';
import { auditedTransaction } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { countChange } from '../catalog/catalog.repository.js';

interface Row {
  id: string;
  bundled: AgentRecord | null;
  own: AgentRecord | null;
  feed: AgentRecord | null;
}

interface ListedRow extends Row {
  changed_at: Date;
  feed_id: string | null;
  feed_name: string | null;
  feed_url: string | null;
  feed_accepted_at: Date | null;
  feed_gone_at: Date | null;
}

type AgentsQuery = Omit<QueryOf<typeof listAgents>, 'cursor'>;

const TOKEN = `lower(coalesce(own, bundled, feed) ->> 'token') COLLATE "C"`;
const LISTED = `id, bundled, own, feed, changed_at, feed_id, feed_name, feed_url, feed_accepted_at, feed_gone_at`;

@Injectable()
export class AgentsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns up to `limit + 1` agents. @param after Token of the last agent on the previous page. */
  async list(query: AgentsQuery, after: string): Promise<AgentListItem[]> {
    const { search, type, behavior, operator, origin, limit } = query;
    const rows: ListedRow[] = await this.dataSource.query(
      `SELECT ${LISTED} FROM agents, LATERAL (SELECT coalesce(own, bundled, feed) AS agent) a
       WHERE ${TOKEN} > lower($1) COLLATE "C"
         AND ($2 = '' OR position(lower($2) IN lower(concat_ws(' ', agent ->> 'token', agent ->> 'operator', agent ->> 'robots_token'))) > 0)
         AND (cardinality($3::text[]) = 0 OR agent ->> 'type' = ANY ($3::text[]))
         AND (cardinality($4::text[]) = 0 OR agent ->> 'operator' = ANY ($4::text[]))
         AND ($5::text IS NULL OR
           $5 = CASE WHEN bundled IS NOT NULL THEN 'bundled' WHEN feed IS NOT NULL THEN 'feed' ELSE 'own' END)
         AND (cardinality($7::text[]) = 0 OR agent -> 'behaviors' ?| $7::text[])
       ORDER BY ${TOKEN} LIMIT $6`,
      [after, search ?? '', type ?? [], operator ?? [], origin, limit + 1, behavior ?? []],
    );
    return rows.map(toItem);
  }

  async find(id: string, manager: EntityManager = this.dataSource.manager): Promise<AgentListItem | null> {
    const rows: ListedRow[] = await manager.query(`SELECT ${LISTED} FROM agents WHERE id = $1`, [id]);
    return rows[0] === undefined ? null : toItem(rows[0]);
  }

  /** @param onlyOwn Only custom and edited agents. */
  async all(onlyOwn: boolean): Promise<AgentRecord[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT id, bundled, own, feed FROM agents WHERE own IS NOT NULL OR NOT $1 ORDER BY ${TOKEN}`,
      [onlyOwn],
    );
    return rows.map((row) => recordOf(row)!);
  }

  /** @returns false if the token is already in use. */
  async add(record: AgentRecord): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const rows: unknown[] = await transaction.query(
        `INSERT INTO agents (id, own) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id`,
        [agentId(record.token), record],
      );
      if (rows.length > 0) await countChange(transaction);
      return rows.length > 0;
    });
  }

  /**
   * Replaces the definition of an agent.
   *
   * @param check Throws if the agent must not be changed.
   */
  async change(record: AgentRecord, check: (agent: AgentListItem) => void): Promise<void> {
    await this.put([record], async (transaction) => {
      const agent = await this.find(agentId(record.token), transaction);
      if (agent !== null) check(agent);
    });
  }

  /**
   * Adds agents, or replaces their definitions.
   *
   * @param whenLocked Runs after existing agents are locked and before any change.
   */
  async put(
    records: readonly AgentRecord[],
    whenLocked: (transaction: EntityManager) => Promise<void> = async () => {},
  ): Promise<AgentImportResult> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const known = await lockRows(
        transaction,
        records.map(({ token }) => agentId(token)),
      );
      await whenLocked(transaction);
      const changes = records.flatMap((record) => changeOf(record, known.get(agentId(record.token))) ?? []);
      if (changes.length > 0) {
        await transaction.query(
          `INSERT INTO agents (id, own) SELECT * FROM unnest($1::uuid[], $2::jsonb[])
           ON CONFLICT (id) DO UPDATE SET own = excluded.own, changed_at = now()`,
          [changes.map(({ id }) => id), changes.map(({ own }) => (own === null ? null : JSON.stringify(own)))],
        );
        await countChange(transaction);
      }
      const added = changes.filter(({ id }) => !known.has(id)).length;
      return { added, changed: changes.length - added, unchanged: records.length - changes.length };
    });
  }

  /**
   * Removes an edit. Without one, removes the agent if it was added by hand or accepted from a feed, or returns
   * `nothing` if it's bundled.
   */
  async remove(id: string, check: (agent: AgentListItem) => void): Promise<'removed' | 'nothing' | 'unknown'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const row = (await lockRows(transaction, [id])).get(id);
      if (row === undefined) return 'unknown';
      check((await this.find(id, transaction))!);
      const isFromFeed = row.bundled === null && row.feed !== null;
      if (row.own === null && !isFromFeed) return 'nothing';
      if (row.own !== null && (row.bundled !== null || isFromFeed)) {
        await transaction.query(`UPDATE agents SET own = NULL, changed_at = now() WHERE id = $1`, [id]);
      } else {
        await transaction.query(`DELETE FROM agents WHERE id = $1`, [id]);
        // Keeps the feed from proposing it again.
        await transaction.query(
          `UPDATE feed_agents SET state = 'dismissed' WHERE agent_id = $1 AND state = 'accepted'`,
          [id],
        );
      }
      await countChange(transaction);
      return 'removed';
    });
  }
}

/** Returns undefined if nothing changes. `own` is null if the record equals the bundled or feed definition. */
function changeOf(record: AgentRecord, row: Row | undefined): { id: string; own: AgentRecord | null } | undefined {
  if (row !== undefined && isDeepStrictEqual(recordOf(row), record)) return undefined;
  return { id: agentId(record.token), own: isDeepStrictEqual(row?.bundled ?? row?.feed, record) ? null : record };
}

async function lockRows(transaction: EntityManager, ids: readonly string[]): Promise<Map<string, Row>> {
  const rows: Row[] = await transaction.query(
    `SELECT id, bundled, own, feed FROM agents WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

const recordOf = ({ own, bundled, feed }: Row): AgentRecord | null => own ?? bundled ?? feed;

function toItem(row: ListedRow): AgentListItem {
  const { id, bundled, own, feed } = row;
  const faults = own === null ? [] : patternFaults(own);
  const isFromFeed = bundled === null && feed !== null;
  return {
    id,
    origin: bundled !== null ? 'bundled' : isFromFeed ? 'feed' : 'own',
    is_edited: own !== null && (bundled !== null || isFromFeed),
    changed_at: row.changed_at.toISOString(),
    ...(isFromFeed && {
      feed: {
        id: row.feed_id,
        name: row.feed_name!,
        url: row.feed_url,
        accepted_at: row.feed_accepted_at!.toISOString(),
        gone_at: row.feed_gone_at?.toISOString() ?? null,
      },
    }),
    ...(recordOf(row)! as Omit<AgentListItem, 'id' | 'origin' | 'is_edited' | 'changed_at'>),
    ...(faults.length > 0 && { faults }),
  };
}

/** Returns faults of patterns that an earlier release accepted. */
function patternFaults({ user_agent_patterns: patterns }: AgentRecord): Fault[] {
  return patterns.flatMap((pattern, index) => {
    const detail = patternFault(pattern);
    return detail === null ? [] : [{ pointer: `/user_agent_patterns/${index}`, detail }];
  });
}
