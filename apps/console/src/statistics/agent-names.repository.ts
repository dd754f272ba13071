import { Inject, Injectable } from '@nestjs/common';
import { type Snapshot, StoredVisitsRepository } from '#libs/visit-store';
import type { DataSource } from 'typeorm';
import { READ_DATA_SOURCE } from '#libs/database';
import { isUnavailableError } from '#libs/platform';
import { getAgentMethods, type VerificationMethod } from '#libs/agents/vocabulary';
import type { SeenAgents } from '#libs/contracts';

export interface AgentNames {
  agent_token: string | null;
  agent_type_name: string | null;
  operator_name: string | null;
  agent_url: string | null;
  robots_token: string | null;
  /** Whether the catalog has a verification method for the agent. */
  is_verifiable: boolean;
  verification_methods: VerificationMethod[];
}

type CatalogAgent = Omit<SeenAgents['agents'][number], 'visits' | 'projects'>;

const UNKNOWN_AGENT: AgentNames = {
  agent_token: null,
  agent_type_name: null,
  operator_name: null,
  agent_url: null,
  robots_token: null,
  is_verifiable: false,
  verification_methods: [],
};

type Row = Omit<AgentNames, 'is_verifiable' | 'verification_methods' | 'robots_token'> & {
  id: string;
  robots_token?: string | null;
  verification?: Parameters<typeof getAgentMethods>[0] | null;
};

// Unpacks the agent once, because each `->>` would decompress its address ranges again, up to 100,000 of them. The
// first item of each verification list is enough to tell that the list isn't empty.
const AGENT_RECORD = `jsonb_to_record(record) AS r
  (token text, type text, operator text, url text, robots_token text, behaviors jsonb, verification jsonb)`;
const NAME_COLUMNS = `token AS agent_token, type AS agent_type_name, operator AS operator_name, url AS agent_url,
  (
    SELECT jsonb_object_agg(key, jsonb_build_array(value -> 0)) FROM jsonb_each(verification)
    WHERE value -> 0 IS NOT NULL
  ) AS verification`;

@Injectable()
export class AgentNamesRepository {
  constructor(
    @Inject(READ_DATA_SOURCE) private readonly dataSource: DataSource,
    private readonly visits: StoredVisitsRepository,
  ) {}

  /** Returns all catalog agents, sorted by token. */
  async list(): Promise<CatalogAgent[]> {
    const rows: (CatalogAgent & Pick<Row, 'verification'>)[] = await this.dataSource.query(
      `SELECT id AS agent_id, robots_token, coalesce(behaviors, '[]') AS behaviors, origin, is_edited, changed_at, CASE WHEN origin = 'feed' THEN feed_name END
           AS feed_name, origin = 'feed' AND feed_gone_at IS NOT NULL AS is_gone, ${NAME_COLUMNS}
       FROM (
         SELECT id, record, feed_name, feed_gone_at,
           CASE WHEN bundled IS NOT NULL THEN 'bundled' WHEN feed IS NOT NULL THEN 'feed' ELSE 'own' END AS origin,
           own IS NOT NULL AND (bundled IS NOT NULL OR feed IS NOT NULL) AS is_edited,
           to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS changed_at
         FROM agents
       ) a, ${AGENT_RECORD} ORDER BY lower(token) COLLATE "C"`,
    );
    return rows.map(({ verification, ...agent }) => ({ ...agent, methods: getAgentMethods(verification ?? {}) }));
  }

  /**
   * Returns a lookup of names by agent ID. For agents deleted from the catalog, uses the names in their most recent
   * visit. If the visit store is unavailable, these agents have no names.
   */
  async find(snapshot: Snapshot, projectId: string, ids: readonly string[]): Promise<(id: string) => AgentNames> {
    const namesById = new Map<string, AgentNames>();
    const addRows = (rows: Row[]): void => {
      for (const { id, verification, robots_token = null, ...names } of rows) {
        const methods = getAgentMethods(verification ?? {});
        const isVerifiable = methods.length > 0;
        namesById.set(id, { ...names, robots_token, is_verifiable: isVerifiable, verification_methods: methods });
      }
    };
    addRows(
      await this.dataSource.query(
        `SELECT id, robots_token, ${NAME_COLUMNS}
         FROM agents, ${AGENT_RECORD} WHERE id = ANY ($1::uuid[])`,
        [ids],
      ),
    );
    const missing = ids.filter((id) => !namesById.has(id));
    if (missing.length > 0) {
      const names = this.visits.findAgentNames(snapshot, projectId, missing);
      addRows(await names.catch(returnNoneIfUnavailable));
    }
    return (id) => namesById.get(id) ?? UNKNOWN_AGENT;
  }
}

function returnNoneIfUnavailable(error: unknown): [] {
  if (!isUnavailableError(error)) throw error;
  return [];
}
