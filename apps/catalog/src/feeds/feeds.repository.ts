import { Injectable } from '@nestjs/common';
import type { AgentRecord } from '#libs/catalog';
import {
  FEED_AGENT_STATES,
  type AgentFeed,
  type FeedAgent,
  type FeedAgentState,
  type FeedDecision,
  type FeedFormat,
} from '#libs/contracts';
import { recordAuditedAction, auditedTransaction, executeReturning } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { incrementRevision } from '../catalog/catalog.repository.js';
import type { FeedVerdict } from './feed-review.js';

export interface DueFeed {
  id: string;
  url: string | null;
  document: string | null;
  public_key: string | null;
  accepts_all: boolean;
  signed_at: Date | null;
  etag: string | null;
  last_modified: string | null;
  /** Identifies this process's claim. A later claim by another process invalidates it. */
  claim: string;
  /** Time of the refresh request, as text to preserve microseconds. Null for a scheduled refresh. */
  requested_at: string | null;
}

export interface FeedReadResult {
  format: FeedFormat;
  signedAt: Date | null;
  etag: string | null;
  lastModified: string | null;
  verdicts: readonly FeedVerdict[];
}

interface NewFeed {
  name: string;
  url: string | null;
  document: string | null;
  public_key: string | null;
  accepts_all: boolean;
}

interface FeedChange {
  name?: string | undefined;
  accepts_all?: boolean | undefined;
  document?: string | undefined;
}

export interface Proposal {
  agent_id: string;
  record: AgentRecord;
}

type FeedRow = Omit<AgentFeed, 'counts' | 'state'> & {
  is_requested: boolean;
  counts: Partial<AgentFeed['counts']> | null;
};

/** Time after which another process may claim the feed, for example because this one crashed. */
const CLAIM_SECONDS = 600;

/** Returns SQL that formats a timestamp as in the API (`2026-11-21T08:30:00.123Z`), or null for infinity. */
const toIsoSql = (column: string): string =>
  `CASE WHEN isfinite(${column}) THEN to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END`;

const UNIQUE_VIOLATION = '23505';

@Injectable()
export class FeedsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async list(id: string | null = null): Promise<AgentFeed[]> {
    const rows: FeedRow[] = await this.dataSource.query(
      `SELECT id, name, url, public_key, accepts_all, format, ${toIsoSql('signed_at')} AS signed_at, fault,
         ${toIsoSql('fetched_at')} AS fetched_at, ${toIsoSql('created_at')} AS created_at,
         requested_at IS NOT NULL AS is_requested,
         CASE WHEN requested_at IS NULL THEN ${toIsoSql('next_try_at')} ELSE ${toIsoSql('requested_at')} END AS next_refresh_at,
         (SELECT jsonb_object_agg(state, agents) || jsonb_build_object('gone', sum(gone)) FROM (
            SELECT state, count(*) AS agents, count(gone_at) FILTER (WHERE state = 'accepted') AS gone
            FROM feed_agents WHERE feed_id = agent_feeds.id GROUP BY state
          ) c) AS counts
       FROM agent_feeds WHERE $1::uuid IS NULL OR id = $1 ORDER BY lower(name)`,
      [id],
    );
    return rows.map(({ counts, is_requested: isRequested, ...feed }) => ({
      ...feed,
      state: isRequested ? 'waiting' : feed.fault === null ? 'current' : 'failed',
      counts: {
        ...(Object.fromEntries(FEED_AGENT_STATES.map((state) => [state, 0])) as Record<FeedAgentState, number>),
        gone: 0,
        ...counts,
      },
    }));
  }

  /** Returns the new feed's ID, or null if the name is taken or the maximum number of feeds is reached. */
  async add(feed: NewFeed, maxFeeds: number): Promise<string | null> {
    const rows: { id: string }[] = await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(
        `INSERT INTO agent_feeds (name, url, document, public_key, accepts_all)
       SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM agent_feeds) < $6 ON CONFLICT DO NOTHING RETURNING id`,
        [feed.name, feed.url, feed.document, feed.public_key, feed.accepts_all, maxFeeds],
      ),
    );
    return rows[0]?.id ?? null;
  }

  async hasName(name: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(`SELECT FROM agent_feeds WHERE lower(name) = lower($1)`, [
      name,
    ]);
    return rows.length > 0;
  }

  /** Changes a feed. Replacing the document or turning on `accepts_all` also requests a refresh. */
  async change(
    id: string,
    { name, accepts_all: acceptsAll, document }: FeedChange,
  ): Promise<'changed' | 'unknown' | 'same name'> {
    try {
      const [, changed]: [unknown, number] = await auditedTransaction(this.dataSource, (transaction) =>
        transaction.query(
          `UPDATE agent_feeds SET name = coalesce($2, name), accepts_all = coalesce($3, accepts_all),
           document = coalesce($4, document),
           requested_at = CASE WHEN $3 OR $4 IS NOT NULL THEN clock_timestamp() ELSE requested_at END
         WHERE id = $1`,
          [id, name ?? null, acceptsAll ?? null, document ?? null],
        ),
      );
      return changed > 0 ? 'changed' : 'unknown';
    } catch (error) {
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) return 'same name';
      throw error;
    }
  }

  /** Requests a refresh. Returns false if the feed doesn't exist. */
  async requestRefresh(id: string): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const [, changed]: [unknown, number] = await transaction.query(
        `UPDATE agent_feeds SET requested_at = clock_timestamp() WHERE id = $1`,
        [id],
      );
      if (changed > 0) await recordAuditedAction(transaction, { subject: 'agent_feed', id });
      return changed > 0;
    });
  }

  /**
   * Removes a feed. Returns false if it doesn't exist.
   *
   * @param removeAgents Also removes unedited agents that were accepted from the feed.
   */
  async remove(id: string, removeAgents: boolean): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      if (removeAgents) {
        // All transactions lock a feed before its agents, to prevent deadlocks.
        await transaction.query(`SELECT FROM agent_feeds WHERE id = $1 FOR UPDATE`, [id]);
        await transaction.query(`DELETE FROM agents WHERE feed_id = $1 AND own IS NULL AND bundled IS NULL`, [id]);
        await transaction.query(
          `UPDATE agents SET feed = NULL, feed_id = NULL, feed_name = NULL, feed_url = NULL, feed_accepted_at = NULL,
             feed_gone_at = NULL WHERE feed_id = $1`,
          [id],
        );
        await incrementRevision(transaction);
      }
      const [, removed]: [unknown, number] = await transaction.query(`DELETE FROM agent_feeds WHERE id = $1`, [id]);
      return removed > 0;
    });
  }

  /** Claims a feed that is due, or returns null if no feed is. Requested refreshes go first. */
  async claimDue(includesScheduled: boolean): Promise<DueFeed | null> {
    const rows = await executeReturning<DueFeed>(
      this.dataSource,
      `UPDATE agent_feeds SET claim = gen_random_uuid(), claimed_until = now() + make_interval(secs => $1)
       WHERE id = (
         SELECT id FROM agent_feeds
         WHERE (requested_at IS NOT NULL OR ($2 AND next_try_at <= now()))
           AND (claimed_until IS NULL OR claimed_until <= now())
         ORDER BY requested_at, next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED
       )
       RETURNING id, url, document, public_key, accepts_all, signed_at, etag, last_modified, claim,
         requested_at::text AS requested_at`,
      [CLAIM_SECONDS, includesScheduled],
    );
    return rows[0] ?? null;
  }

  /** Returns the IDs of agents that were accepted from a feed and are neither edited nor bundled. */
  async findAcceptedIds(feedId: string): Promise<Set<string>> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT id FROM agents WHERE feed_id = $1 AND own IS NULL AND bundled IS NULL`,
      [feedId],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Records why a feed couldn't be read. Keeps the agents that were accepted from it.
   *
   * @param nextReadSeconds Seconds until the next attempt, or null to wait for a request.
   */
  async recordFault(due: DueFeed, fault: string, nextReadSeconds: number | null): Promise<void> {
    await this.releaseClaim(this.dataSource.manager, due, nextReadSeconds, `fault = $4`, [fault]);
  }

  /**
   * Records a read that found no changes.
   *
   * @param nextReadSeconds Seconds until the next read, or null to wait for a request.
   */
  async recordUnchanged(due: DueFeed, nextReadSeconds: number | null): Promise<void> {
    await this.releaseClaim(this.dataSource.manager, due, nextReadSeconds, `fault = NULL, fetched_at = now()`, []);
  }

  /**
   * Stores the result of a read, replacing the previous one.
   *
   * @param nextReadSeconds Seconds until the next read, or null to wait for a request.
   * @returns false, without storing anything, if another process has claimed the feed in the meantime.
   */
  async storeRead(due: DueFeed, read: FeedReadResult, nextReadSeconds: number | null): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const hasClaim = await this.releaseClaim(
        transaction,
        due,
        nextReadSeconds,
        `fault = NULL, fetched_at = now(), format = $4, signed_at = $5, etag = $6, last_modified = $7`,
        [read.format, read.signedAt, read.etag, read.lastModified],
      );
      if (hasClaim) await storeVerdicts(transaction, due.id, read.verdicts);
      return hasClaim;
    });
  }

  private async releaseClaim(
    manager: EntityManager,
    { id, claim, requested_at: requestedAt }: DueFeed,
    nextReadSeconds: number | null,
    changes: string,
    parameters: readonly unknown[],
  ): Promise<boolean> {
    // A refresh requested during the read has a newer timestamp, so it stays pending.
    const [, changed]: [unknown, number] = await manager.query(
      `UPDATE agent_feeds SET ${changes}, claim = NULL, claimed_until = NULL,
         requested_at = nullif(requested_at, $${parameters.length + 4}::timestamptz),
         next_try_at = CASE WHEN $3::float8 IS NULL THEN 'infinity' ELSE now() + make_interval(secs => $3) END
       WHERE id = $1 AND claim = $2`,
      [id, claim, nextReadSeconds, ...parameters, requestedAt],
    );
    return changed > 0;
  }

  async listAgents(feedId: string | null, state: FeedAgentState, limit: number): Promise<FeedAgent[]> {
    return this.dataSource.query(
      `SELECT f.feed_id, agent_feeds.name AS feed_name, f.agent_id, f.token, f.state,
         f.state = 'proposed' AND agents.id IS NOT NULL AS is_change, f.reason, f.record,
         ${toIsoSql('f.first_seen_at')} AS first_seen_at, ${toIsoSql('f.gone_at')} AS gone_at
       FROM feed_agents f JOIN agent_feeds ON agent_feeds.id = f.feed_id
         LEFT JOIN agents ON agents.id = f.agent_id AND agents.feed_id = f.feed_id
       WHERE f.state = $1 AND ($2::uuid IS NULL OR f.feed_id = $2)
       ORDER BY lower(f.token) COLLATE "C", lower(agent_feeds.name) LIMIT $3`,
      [state, feedId, limit],
    );
  }

  async countAgents(feedId: string | null, state: FeedAgentState): Promise<number> {
    const [row]: { agents: number }[] = await this.dataSource.query(
      `SELECT count(*)::integer AS agents FROM feed_agents WHERE state = $1 AND ($2::uuid IS NULL OR feed_id = $2)`,
      [state, feedId],
    );
    return row!.agents;
  }

  /** Returns a feed's proposals. @param ids Limits the result to these agent IDs. Null returns all. */
  async findProposals(feedId: string, ids: readonly string[] | null): Promise<Proposal[]> {
    return this.dataSource.query(
      `SELECT agent_id, record FROM feed_agents
       WHERE feed_id = $1 AND state = 'proposed' AND ($2::uuid[] IS NULL OR agent_id = ANY ($2)) ORDER BY lower(token)`,
      [feedId, ids],
    );
  }

  /**
   * Adds accepted agents to the catalog, or updates them, and records why others were rejected. Other feeds' proposals
   * for the same agents or patterns become `known`.
   *
   * @param decision Decision for the audit log. Null if the feed accepts all agents automatically.
   * @returns false, without changing anything, if the feed no longer exists.
   */
  async accept(
    feedId: string,
    accepted: readonly Proposal[],
    rejected: readonly { agent_id: string; state: 'known' | 'refused'; reason: string }[],
    decision: FeedDecision | null,
  ): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      // Prevents the feed from being removed until the transaction ends.
      const feeds: unknown[] = await transaction.query(`SELECT FROM agent_feeds WHERE id = $1 FOR KEY SHARE`, [feedId]);
      if (feeds.length === 0) return false;
      if (decision !== null) await auditDecision(transaction, decision);
      const ids = accepted.map(({ agent_id: id }) => id);
      await transaction.query(
        `INSERT INTO agents (id, feed, feed_id, feed_name, feed_url, feed_accepted_at)
         SELECT agent_id, record, f.id, f.name, f.url, now()
         FROM unnest($2::uuid[], $3::jsonb[]) AS a (agent_id, record), agent_feeds f WHERE f.id = $1
         ON CONFLICT (id) DO UPDATE SET feed = excluded.feed, feed_id = excluded.feed_id, feed_name = excluded.feed_name,
           feed_url = excluded.feed_url, feed_accepted_at = now(), feed_gone_at = NULL, changed_at = now()
         WHERE agents.bundled IS NULL AND (agents.feed_id = $1 OR agents.feed_id IS NULL AND agents.own IS NULL)`,
        [feedId, ids, accepted.map(({ record }) => JSON.stringify(record))],
      );
      await this.setState(transaction, feedId, ids, 'accepted');
      await transaction.query(
        `UPDATE feed_agents f SET state = r.state, reason = r.reason
         FROM unnest($2::uuid[], $3::text[], $4::text[]) AS r (agent_id, state, reason)
         WHERE feed_id = $1 AND f.agent_id = r.agent_id`,
        [
          feedId,
          rejected.map(({ agent_id: id }) => id),
          rejected.map(({ state }) => state),
          rejected.map(({ reason }) => reason),
        ],
      );
      await transaction.query(
        `UPDATE feed_agents SET state = 'known', reason = 'The catalog already has it from another feed.'
         WHERE feed_id <> $1 AND state = 'proposed'
           AND (agent_id = ANY ($2::uuid[]) OR record -> 'user_agent_patterns' ?| $3::text[])`,
        [feedId, ids, accepted.flatMap(({ record }) => record.user_agent_patterns)],
      );
      if (accepted.length > 0) await incrementRevision(transaction);
      return true;
    });
  }

  async dismiss(feedId: string, ids: readonly string[], decision: FeedDecision): Promise<void> {
    await auditedTransaction(this.dataSource, async (transaction) => {
      await auditDecision(transaction, decision);
      await this.setState(transaction, feedId, ids, 'dismissed');
    });
  }

  private async setState(
    manager: EntityManager,
    feedId: string,
    ids: readonly string[],
    state: FeedAgentState,
  ): Promise<void> {
    await manager.query(
      `UPDATE feed_agents SET state = $3, reason = NULL WHERE feed_id = $1 AND agent_id = ANY ($2::uuid[])`,
      [feedId, ids, state],
    );
  }
}

const auditDecision = (transaction: EntityManager, { feed_id: id, agent_ids }: FeedDecision): Promise<void> =>
  recordAuditedAction(transaction, { subject: 'agent_feed', id, after: { feed_id: id, agent_ids } });

/** Stores a read's verdicts. Accepted agents with changes become proposals again. Dismissed agents stay dismissed. */
async function storeVerdicts(
  transaction: EntityManager,
  feedId: string,
  verdicts: readonly FeedVerdict[],
): Promise<void> {
  const ids = verdicts.map(({ agentId: id }) => id);
  const accepted: { id: string }[] = await transaction.query(`SELECT id FROM agents WHERE feed_id = $1 FOR UPDATE`, [
    feedId,
  ]);
  const columns = [
    ids,
    verdicts.map(({ token }) => token),
    verdicts.map(({ record }) => (record === null ? null : JSON.stringify(record))),
    verdicts.map(({ state }) => state),
    verdicts.map(({ reason }) => reason),
  ];
  await transaction.query(
    `INSERT INTO feed_agents AS f (feed_id, agent_id, token, record, state, reason)
     SELECT $1, v.agent_id, v.token, v.record,
       -- If an accepted agent has changed, proposes the change or stores why it can't be proposed.
       CASE WHEN a.id IS NULL THEN v.state WHEN a.feed = v.record OR v.state <> 'proposed' THEN 'accepted' ELSE v.state END,
       CASE WHEN a.id IS NULL OR a.feed IS DISTINCT FROM v.record THEN v.reason END
     FROM unnest($2::uuid[], $3::text[], $4::jsonb[], $5::text[], $6::text[]) AS v (agent_id, token, record, state, reason)
       LEFT JOIN agents a ON a.id = v.agent_id AND a.feed_id = $1
     ON CONFLICT (feed_id, agent_id) DO UPDATE SET token = excluded.token, record = excluded.record, gone_at = NULL,
       state = CASE WHEN f.state = 'dismissed' THEN f.state ELSE excluded.state END,
       reason = CASE WHEN f.state = 'dismissed' THEN NULL ELSE excluded.reason END`,
    [feedId, ...columns],
  );
  // Accepted and dismissed agents that the feed no longer lists are marked as gone. All others are deleted.
  await transaction.query(
    `DELETE FROM feed_agents WHERE feed_id = $1 AND agent_id <> ALL ($2::uuid[])
       AND state <> 'dismissed' AND agent_id <> ALL ($3::uuid[])`,
    [feedId, ids, accepted.map(({ id }) => id)],
  );
  await transaction.query(
    `UPDATE feed_agents SET state = CASE WHEN state = 'dismissed' THEN state ELSE 'accepted' END, reason = NULL,
       gone_at = coalesce(gone_at, now()) WHERE feed_id = $1 AND agent_id <> ALL ($2::uuid[])`,
    [feedId, ids],
  );
  await transaction.query(
    `UPDATE agents SET feed_gone_at = CASE WHEN id = ANY ($2::uuid[]) THEN NULL ELSE coalesce(feed_gone_at, now()) END
     WHERE feed_id = $1`,
    [feedId, ids],
  );
}
