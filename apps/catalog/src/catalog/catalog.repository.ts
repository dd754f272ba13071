import { Injectable } from '@nestjs/common';
import type { PublishedList } from '#libs/agents';
import { agentId, assistantId, type Agent, type AgentRecord } from '#libs/catalog';
import type { AssistantRecord } from '#libs/contracts';
import { ADVISORY_LOCKS } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';

/** Consistent snapshot of all catalog data in the database. */
export interface StoredCatalog {
  revision: number;
  agents: Agent[];
  assistants: AssistantRecord[];
  lists: PublishedList[];
  /** Public keys of the instance's test agent, in JWK format. */
  testAgentKeys: object[];
}

/** Members that follow the release in edited agents whose patterns weren't edited. */
const PATTERN_MEMBERS = [
  'user_agent_patterns',
  'fallback_patterns',
  'loose_patterns',
  'excluded_prefixes',
  'sample_user_agents',
];

/** Gives bundled agents priority over feed agents with the same token or a shared pattern. Edited agents stay. */
const REPLACE_FEEDS_BY_RELEASE = `
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

  /** Returns the revision, which increases whenever catalog data changes. */
  async revision(): Promise<number> {
    return revisionOf(this.dataSource.manager);
  }

  async load(): Promise<StoredCatalog> {
    return this.dataSource.transaction('REPEATABLE READ', async (transaction) => {
      const revision = await revisionOf(transaction);
      const agents: { id: string; definition: AgentRecord }[] = await transaction.query(
        `SELECT id, coalesce(own, bundled, feed) AS definition FROM agents`,
      );
      const assistants: { definition: AssistantRecord }[] = await transaction.query(
        `SELECT coalesce(own, bundled) AS definition FROM assistants
         ORDER BY lower(coalesce(own, bundled) ->> 'name') COLLATE "C"`,
      );
      const lists: { url: string; ranges: string[]; fetched_at: Date }[] = await transaction.query(
        `SELECT url, ranges, fetched_at FROM address_lists WHERE ranges IS NOT NULL ORDER BY url`,
      );
      const keys: { public_key: object }[] = await transaction.query(
        `SELECT public_key FROM test_agent_keys ORDER BY created_at, id`,
      );
      return {
        revision,
        agents: agents.map(({ id, definition }) => ({ ...definition, id })),
        assistants: assistants.map(({ definition }) => definition),
        lists: lists.map(({ url, ranges, fetched_at: time }) => ({ url, ranges, fetchedAt: time.getTime() })),
        testAgentKeys: keys.map(({ public_key: key }) => key),
      };
    });
  }

  /**
   * Stores the records bundled with the release, unless this version has already been stored. Keeps custom agents and
   * edits.
   */
  async seed(
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
      // Records an update, but not for the first catalog or if only settings changed.
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
        [ids, records, PATTERN_MEMBERS],
      );
      await replaceBundled(transaction, 'agents', ids, records);
      const assistantIds = assistants.map(({ name }) => assistantId(name));
      const assistantRecords = assistants.map((assistant) => JSON.stringify(assistant));
      await replaceBundled(transaction, 'assistants', assistantIds, assistantRecords);
      await transaction.query(REPLACE_FEEDS_BY_RELEASE);
      await transaction.query(`UPDATE catalog_state SET bundled_version = $1, revision = revision + 1`, [version]);
    });
  }
}

/** Replaces the bundled records, and removes those that are no longer bundled. Edits and feed records stay. */
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
  const isGone = `id <> ALL ($1::uuid[])`;
  const isElsewhere = table === 'agents' ? 'own IS NOT NULL OR feed IS NOT NULL' : 'own IS NOT NULL';
  await transaction.query(`DELETE FROM ${table} WHERE NOT (${isElsewhere}) AND ${isGone}`, [ids]);
  await transaction.query(`UPDATE ${table} SET bundled = NULL WHERE bundled IS NOT NULL AND ${isGone}`, [ids]);
}

async function revisionOf(manager: EntityManager): Promise<number> {
  const [state]: { revision: string }[] = await manager.query(`SELECT revision FROM catalog_state`);
  return Number(state!.revision);
}

/** Increments the revision. Must be called in the transaction of the change. */
export async function countChange(transaction: EntityManager): Promise<void> {
  await transaction.query(`UPDATE catalog_state SET revision = revision + 1`);
}
