import { Injectable } from '@nestjs/common';
import { firstIdAt } from '#libs/contracts';
import { arrayLiteral, preparedQuery } from '#libs/database';
import { DataSource } from 'typeorm';
import { select, type Snapshot } from './snapshot.js';

/** Names of an agent at the time of its newest visit. */
interface StoredAgentNames {
  id: string;
  agent_token: string | null;
  agent_type_name: string | null;
  operator_name: string | null;
  agent_url: string | null;
}

/** Headers and address of a visit, which show the proxies it passed through. */
interface VisitOnPath {
  headers: Record<string, unknown>;
  peer: string | null;
  /** True if the address comes from a header that any client can send. */
  isUnconfirmed: boolean;
}

/** The ID bounds exclude other partitions. */
const STORED = {
  name: 'stored-imported-visits',
  text: `SELECT count(*)::integer AS stored FROM unknown_visits WHERE id = ANY ($1::uuid[]) AND id BETWEEN $2 AND $3`,
};

/** Received, and therefore also occurred, before a time. The ID condition skips newer partitions. */
const EARLIER = 'project_id = $1 AND id < $2 AND occurred_at < $3';

@Injectable()
export class StoredVisitsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the number of IDs that are stored. Doesn't find visits past the retention of unknown visitors. */
  async countStored(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    let [first, last] = [ids[0]!, ids[0]!];
    for (const id of ids) {
      if (id < first) first = id;
      if (id > last) last = id;
    }
    const rows = await preparedQuery<{ stored: number }>(this.dataSource, STORED, [arrayLiteral(ids), first, last]);
    return rows[0]!.stored;
  }

  /** Returns true if the project has a visit that was received before the given time. */
  async hasVisitsBefore(projectId: string, time: Date): Promise<boolean> {
    const [row]: { has_earlier: boolean }[] = await this.dataSource.query(
      `SELECT EXISTS (SELECT FROM unknown_visits WHERE ${EARLIER}) OR EXISTS (SELECT FROM visits WHERE ${EARLIER}) AS has_earlier`,
      [projectId, firstIdAt(time.getTime()), time],
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
   * Returns the newest visits of a project.
   *
   * @param isOfAgents true to leave out visits of unknown visitors.
   */
  async newestPaths(projectId: string, isOfAgents: boolean, limit: number): Promise<VisitOnPath[]> {
    return this.dataSource.query<VisitOnPath[]>(
      `SELECT document->'visit'->'request_headers' AS headers, document->'visit'->>'client_address' AS peer,
         document#>'{identification,evidence,client_address_note}' IS NOT NULL AS "isUnconfirmed"
       FROM visits_full WHERE project_id = $1 ${isOfAgents ? 'AND agent_id IS NOT NULL' : ''}
       ORDER BY occurred_at DESC, id DESC LIMIT $2`,
      [projectId, limit],
    );
  }

  /** Returns the names of agents at their newest visit. Agents without visits are left out. */
  async namesOfAgents(snapshot: Snapshot, projectId: string, agentIds: readonly string[]): Promise<StoredAgentNames[]> {
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
