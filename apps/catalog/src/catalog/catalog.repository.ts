import { Injectable } from '@nestjs/common';
import type { PublishedList } from '#libs/agents';
import { agentId, assistantId, type Agent, type AgentRecord } from '#libs/catalog';
import type { AssistantRecord } from '#libs/contracts';
import { ADVISORY_LOCKS } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';

/** Consistent snapshot of the catalog tables. */
export interface StoredCatalog {
  revision: number;
  agents: Agent[];
  assistants: AssistantRecord[];
  lists: PublishedList[];
  /** The test agent's public keys, as JWKs. */
  testAgentKeys: object[];
}

/**
 * Fields with patterns, which a new release updates even in edited agents. They remain unchanged if the user edited the
 * agent's patterns.
 */
const PATTERN_FIELDS = [
  'user_agent_patterns',
  'fallback_patterns',
  'loose_patterns',
  'excluded_prefixes',
  'sample_user_agents',
];

/** Deletes feed definitions whose token or pattern is now used by a bundled agent. Users' edits are kept. */
const DROP_SUPERSEDED_FEED_AGENTS = `
  WITH same AS (
    UPDATE agents SET feed = NULL, feed_id = NULL, feed_name = NULL, feed_url = NULL, feed_accepted_at = NULL,
      feed_gone_at = NULL
    WHERE feed IS NOT NULL AND bundled IS NOT NULL
  )
  DELETE FROM agents WHERE feed IS NOT NULL AND bundled IS NULL AND own IS NULL AND EXISTS (
    SELECT FROM agents released WHERE released.bundled IS NOT NULL AND released.bundled -> 'user_agent_patterns' ?|
      ARRAY(SELECT jsonb_array_elements_text(agents.feed -> 'user_agent_patterns'))
  )`;

@Injectable()
export class CatalogRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the catalog revision, which increases with every change. */
  async getRevision(): Promise<number> {
    return readRevision(this.dataSource.manager);
  }

  async load(): Promise<StoredCatalog> {
    return this.dataSource.transaction('REPEATABLE READ', async (transaction) => {
      const revision = await readRevision(transaction);
      const agents: { id: string; definition: AgentRecord }[] = await transaction.query(
        `SELECT id, record AS definition FROM agents`,
      );
      const assistants: { definition: AssistantRecord }[] = await transaction.query(
        `SELECT record AS definition FROM assistants
         ORDER BY lower(record ->> 'name') COLLATE "C"`,
      );
      const lists: { url: string; ranges: string[]; fetched_at: Date; changed_at: Date }[] = await transaction.query(
        `SELECT url, ranges, fetched_at, coalesce(changed_at, fetched_at) AS changed_at FROM address_lists WHERE ranges IS NOT NULL ORDER BY url`,
      );
      const keys: { public_key: object }[] = await transaction.query(
        `SELECT public_key FROM test_agent_keys ORDER BY created_at, id`,
      );
      return {
        revision,
        agents: agents.map(({ id, definition }) => ({ ...definition, id })),
        assistants: assistants.map(({ definition }) => definition),
        lists: lists.map(({ url, ranges, fetched_at: fetchedAt, changed_at: changedAt }) => ({
          url,
          ranges,
          fetchedAt: fetchedAt.getTime(),
          changedAt: changedAt.getTime(),
        })),
        testAgentKeys: keys.map(({ public_key: key }) => key),
      };
    });
  }

  /** Stores the records bundled with a release, once per version. Custom agents and edits are kept. */
  async storeBundled(
    version: string,
    agents: readonly AgentRecord[],
    assistants: readonly AssistantRecord[] = [],
  ): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.catalogSeed]);
      const [state]: { bundled_version: string }[] = await transaction.query(
        `SELECT bundled_version FROM catalog_state`,
      );
      if (state!.bundled_version === version) return;
      const ids = agents.map(({ token }) => agentId(token));
      const records = agents.map((record) => JSON.stringify(record));
      // Only record actual catalog updates. Storing the first version isn't an update, and neither is a change that
      // only affects settings.
      if (state!.bundled_version !== '') {
        await transaction.query(
          `WITH counts AS (
             SELECT count(*) FILTER (WHERE bundled IS NULL) AS added,
               count(*) FILTER (WHERE bundled <> released.agent) AS changed,
               count(*) FILTER (WHERE released.id IS NULL) AS removed
             FROM unnest($1::uuid[], $2::jsonb[]) AS released (id, agent)
             FULL JOIN (SELECT id, bundled FROM agents WHERE bundled IS NOT NULL) AS known USING (id)
           )
           INSERT INTO catalog_updates (version, added, changed, removed)
           SELECT $3, added, changed, removed FROM counts WHERE added + changed + removed > 0`,
          [ids, records, version],
        );
      }
      await transaction.query(
        `UPDATE agents SET own = (own - $3::text[]) ||
           (SELECT jsonb_object_agg(key, value) FROM jsonb_each(released.agent) WHERE key = ANY ($3))
         FROM unnest($1::uuid[], $2::jsonb[]) AS released (id, agent)
         WHERE agents.id = released.id AND own -> 'user_agent_patterns' = bundled -> 'user_agent_patterns'
           AND bundled -> 'user_agent_patterns' <> agent -> 'user_agent_patterns'`,
        [ids, records, PATTERN_FIELDS],
      );
      await replaceBundled(transaction, 'agents', ids, records);
      const assistantIds = assistants.map(({ name }) => assistantId(name));
      const assistantRecords = assistants.map((assistant) => JSON.stringify(assistant));
      await replaceBundled(transaction, 'assistants', assistantIds, assistantRecords);
      await transaction.query(DROP_SUPERSEDED_FEED_AGENTS);
      await transaction.query(`UPDATE catalog_state SET bundled_version = $1, revision = revision + 1`, [version]);
    });
  }
}

/** Replaces the bundled definitions and deletes obsolete ones. Edits and feed definitions are kept. */
async function replaceBundled(
  transaction: EntityManager,
  table: 'agents' | 'assistants',
  ids: readonly string[],
  records: readonly string[],
): Promise<void> {
  await transaction.query(
    `INSERT INTO ${table} (id, bundled) SELECT * FROM unnest($1::uuid[], $2::jsonb[])
     ON CONFLICT (id) DO UPDATE SET bundled = excluded.bundled`,
    [ids, records],
  );
  const isNoLongerBundled = `id <> ALL ($1::uuid[])`;
  const isStillNeeded = table === 'agents' ? 'own IS NOT NULL OR feed IS NOT NULL' : 'own IS NOT NULL';
  await transaction.query(`DELETE FROM ${table} WHERE NOT (${isStillNeeded}) AND ${isNoLongerBundled}`, [ids]);
  await transaction.query(`UPDATE ${table} SET bundled = NULL WHERE bundled IS NOT NULL AND ${isNoLongerBundled}`, [
    ids,
  ]);
}

async function readRevision(manager: EntityManager): Promise<number> {
  const [state]: { revision: string }[] = await manager.query(`SELECT revision FROM catalog_state`);
  return Number(state!.revision);
}

/** Increments the catalog revision. Must run in the same transaction as the change itself. */
export async function incrementRevision(transaction: EntityManager): Promise<void> {
  await transaction.query(`UPDATE catalog_state SET revision = revision + 1`);
}
