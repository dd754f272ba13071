import { Injectable } from '@nestjs/common';
import { getFirstIdAt, type EnrichedVisit } from '#libs/contracts';
import { DataSource } from 'typeorm';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import {
  countStoredIds,
  type StoredAgentNames,
  type StoredVisitsRepository,
  type VisitOrigin,
} from '../stored-visits.repository.js';
import { ClickHouse } from './clickhouse.js';
import { toReceiptDay } from './receipt-day.js';
import { createParameters } from './statement-parameters.js';
import { findIdsInClickHouse, isPastLedger } from './stored-ids.repository.js';
import { toKeyConditions, type VisitKey } from './visit-keys.js';
import { NEWEST_FIRST } from './visit-range.js';

@Injectable()
export class ClickHouseStoredVisitsRepository implements PublicOf<StoredVisitsRepository> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clickhouse: ClickHouse,
  ) {}

  async countStored(ids: readonly string[]): Promise<number> {
    const { past = [], recent = [] } = Object.groupBy(ids, (id) => (isPastLedger(id) ? 'past' : 'recent'));
    const [countRecent, storedLongAgo] = await Promise.all([
      countStoredIds(this.dataSource, recent),
      findIdsInClickHouse(this.clickhouse, past),
    ]);
    return countRecent + storedLongAgo.size;
  }

  async hasVisitsBefore(projectId: string, time: Date): Promise<boolean> {
    return this.exists(
      `project_id = {project:UUID} AND occurred_at < {time:Int64} AND day <= {day:Date}
       AND UUIDToNum(id) < UUIDToNum({id:UUID})`,
      {
        project: projectId,
        time: time.getTime(),
        day: toReceiptDay(time.getTime()),
        id: getFirstIdAt(time.getTime()),
      },
    );
  }

  async hasVisitsOfAgent(projectId: string, agentId: string): Promise<boolean> {
    return this.exists('project_id = {project:UUID} AND agent_id IS NOT NULL AND agent_id = {agent:UUID}', {
      project: projectId,
      agent: agentId,
    });
  }

  async newestOrigins(projectId: string, excludesUnknown: boolean, limit: number): Promise<VisitOrigin[]> {
    const rows = await this.clickhouse.query<{ document: string }>(
      `SELECT document FROM ${this.clickhouse.visits}
       WHERE project_id = {project:UUID} ${excludesUnknown ? 'AND agent_id IS NOT NULL' : ''}
       ORDER BY ${NEWEST_FIRST} LIMIT ${limit}`,
      { project: projectId },
    );
    return rows.map(({ document }) => {
      const { visit, identification } = JSON.parse(document) as EnrichedVisit;
      return {
        headers: visit.request_headers,
        peer: visit.client_address ?? null,
        isUnconfirmed: identification.evidence.client_address_note !== undefined,
      };
    });
  }

  async findAgentNames(
    { timeoutMs }: Snapshot,
    projectId: string,
    agentIds: readonly string[],
  ): Promise<StoredAgentNames[]> {
    const { parameters, bind } = createParameters();
    const project = `project_id = ${bind(projectId, 'UUID')}`;
    const keys = await this.clickhouse.query<VisitKey>(
      `SELECT newest.1 AS occurred_at, newest.3 AS id FROM (
         SELECT max((occurred_at, UUIDToNum(id), id)) AS newest FROM ${this.clickhouse.visits}
         WHERE ${project} AND agent_id IS NOT NULL AND agent_id IN ${bind(agentIds, 'Array(UUID)')} GROUP BY agent_id
       )`,
      parameters,
      { timeoutMs },
    );
    if (keys.length === 0) return [];
    const name = (key: string): string =>
      `JSONExtract(document, 'identification', '${key}', 'Nullable(String)') AS ${key}`;
    const rows = await this.clickhouse.query<Omit<StoredAgentNames, 'id'> & { agent_id: string }>(
      `SELECT agent_id, ${['agent_token', 'agent_type_name', 'operator_name', 'agent_url'].map(name).join(', ')}
       FROM ${this.clickhouse.visits} WHERE ${[project, ...toKeyConditions(keys, bind)].join(' AND ')}`,
      parameters,
      // In the conditions, `id` is the column.
      { timeoutMs, settings: { prefer_column_name_to_alias: 1 } },
    );
    return rows.map(({ agent_id: id, ...names }) => ({ id, ...names }));
  }

  private async exists(condition: string, parameters: Record<string, unknown>): Promise<boolean> {
    const rows = await this.clickhouse.query(
      `SELECT 1 FROM ${this.clickhouse.visits} WHERE ${condition} LIMIT 1`,
      parameters,
    );
    return rows.length > 0;
  }
}
