import { Injectable } from '@nestjs/common';
import { getFirstIdAt } from '#libs/contracts';
import { arrayLiteral, preparedQuery } from '#libs/database';
import { DataSource } from 'typeorm';
import { select, type Snapshot } from './snapshot.js';

/** An agent's names as of its most recent visit. */
export interface StoredAgentNames {
  id: string;
  agent_token: string | null;
  agent_type_name: string | null;
  operator_name: string | null;
  agent_url: string | null;
}

/** Headers and client address of a visit. They show the proxies that the visit passed through. */
export interface VisitOrigin {
  headers: Record<string, unknown>;
  peer: string | null;
  /** True if the address comes from a header that any client can send. */
  isUnconfirmed: boolean;
}

/**
 * Statement that counts how many of the given IDs are stored. The ID bounds let PostgreSQL skip the partitions of other
 * days.
 */
const COUNT_STORED = {
  name: 'stored-imported-visits',
  text: `SELECT count(*)::integer AS stored FROM unknown_visits WHERE id = ANY ($1::uuid[]) AND id BETWEEN $2 AND $3`,
};

/**
 * Condition for visits that were both received and made before a time. The ID condition lets PostgreSQL skip newer
 * partitions.
 */
const IS_EARLIER = 'project_id = $1 AND id < $2 AND occurred_at < $3';

/** Returns how many of the given IDs are in PostgreSQL. */
export async function countStoredIds(dataSource: DataSource, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  let [first, last] = [ids[0]!, ids[0]!];
  for (const id of ids) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  const rows = await preparedQuery<{ stored: number }>(dataSource, COUNT_STORED, [arrayLiteral(ids), first, last]);
  return rows[0]!.stored;
}

@Injectable()
export class StoredVisitsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns how many of the given visits are stored. Can't find visits that are past the retention for unknown
   * visitors.
   */
  countStored(ids: readonly string[]): Promise<number> {
    return countStoredIds(this.dataSource, ids);
  }

  async hasVisitsBefore(projectId: string, time: Date): Promise<boolean> {
    const [row]: { has_earlier: boolean }[] = await this.dataSource.query(
      `SELECT EXISTS (SELECT FROM unknown_visits WHERE ${IS_EARLIER}) OR EXISTS (SELECT FROM visits WHERE ${IS_EARLIER}) AS has_earlier`,
      [projectId, getFirstIdAt(time.getTime()), time],
    );
    return row!.has_earlier;
  }

  async hasVisitsOfAgent(projectId: string, agentId: string): Promise<boolean> {
    const [row]: { has_visits: boolean }[] = await this.dataSource.query(
      `SELECT EXISTS (SELECT FROM visits WHERE project_id = $1 AND agent_id = $2) AS has_visits`,
      [projectId, agentId],
    );
    return row!.has_visits;
  }

  /**
   * Returns the project's newest visits.
   *
   * @param excludesUnknown Whether to exclude visits by unknown visitors.
   */
  async newestOrigins(projectId: string, excludesUnknown: boolean, limit: number): Promise<VisitOrigin[]> {
    return this.dataSource.query<VisitOrigin[]>(
      `SELECT document->'visit'->'request_headers' AS headers, document->'visit'->>'client_address' AS peer,
         document#>'{identification,evidence,client_address_note}' IS NOT NULL AS "isUnconfirmed"
       FROM visits_full WHERE project_id = $1 ${excludesUnknown ? 'AND agent_id IS NOT NULL' : ''}
       ORDER BY occurred_at DESC, id DESC LIMIT $2`,
      [projectId, limit],
    );
  }

  /** Returns agents' names as of their most recent visit. Omits agents without visits. */
  async findAgentNames(
    snapshot: Snapshot,
    projectId: string,
    agentIds: readonly string[],
  ): Promise<StoredAgentNames[]> {
    return select(
      snapshot,
      `SELECT m.id, agent_token, agent_type_name, operator_name, agent_url
       FROM unnest($2::uuid[]) m (id), LATERAL (
         SELECT document -> 'identification' AS identification FROM visits_full
         WHERE project_id = $1 AND agent_id = m.id ORDER BY occurred_at DESC, id DESC LIMIT 1
       ) newest, json_to_record(identification)
         AS r (agent_token text, agent_type_name text, operator_name text, agent_url text)`,
      [projectId, agentIds],
    );
  }
}
