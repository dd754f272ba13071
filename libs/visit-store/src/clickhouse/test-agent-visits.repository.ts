import { Injectable } from '@nestjs/common';
import { TEST_AGENT_ID } from '#libs/catalog';
import { getFirstIdAt, type EnrichedVisit, type VisitPosition } from '#libs/contracts';
import { DataSource } from 'typeorm';
import type { PublicOf } from '../public-of.js';
import { rangesAfter } from '../streamed-visits.js';
import { MAX_VISITS_PER_TEST, type TestAgentVisitsRepository } from '../test-agent-visits.repository.js';
import { ClickHouse } from './clickhouse.js';
import { readLastPosition, toRangeConditions } from './last-position.repository.js';
import { toReceiptDay } from './receipt-day.js';
import { createParameters } from './statement-parameters.js';

const BY_TEST_AGENT = 'agent_id IS NOT NULL AND agent_id = {agent:UUID}';
const NEWEST_FIRST = 'UUIDToNum(id) DESC';

@Injectable()
export class ClickHouseTestAgentVisitsRepository implements PublicOf<TestAgentVisitsRepository> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clickhouse: ClickHouse,
  ) {}

  findByMarker(projectId: string, after: VisitPosition, marker: string): Promise<EnrichedVisit[]> {
    return this.findAfter(
      projectId,
      after,
      `(position(path, {text:String}) > 0 OR (${BY_TEST_AGENT} AND position(document, {text:String}) > 0))
       ORDER BY ${NEWEST_FIRST} LIMIT ${MAX_VISITS_PER_TEST}`,
      marker,
    );
  }

  async findByPage(projectId: string, after: VisitPosition, page: string): Promise<EnrichedVisit | null> {
    const condition = `substringIndex(path, '?', 1) = {text:String} AND ${BY_TEST_AGENT}`;
    const [visit] = await this.findAfter(projectId, after, `${condition} ORDER BY ${NEWEST_FIRST} LIMIT 1`, page);
    return visit ?? null;
  }

  async findInOtherProject(projectId: string, since: number, marker: string): Promise<EnrichedVisit | null> {
    const visits = `SELECT document FROM ${this.clickhouse.visits}
      WHERE day >= {day:Date} AND UUIDToNum(id) >= UUIDToNum({first:UUID}) AND project_id <> {project:UUID}`;
    const [visit] = await this.queryDocuments(
      // Two queries, so that the documents of other agents aren't read.
      `SELECT document FROM (
         ${visits} AND position(path, {text:String}) > 0 LIMIT 1
         UNION ALL ${visits} AND ${BY_TEST_AGENT} AND position(document, {text:String}) > 0 LIMIT 1
       ) LIMIT 1`,
      {
        day: toReceiptDay(since),
        first: getFirstIdAt(since),
        project: projectId,
        agent: TEST_AGENT_ID,
        text: marker,
      },
    );
    return visit ?? null;
  }

  private async findAfter(
    projectId: string,
    position: VisitPosition,
    condition: string,
    text: string,
  ): Promise<EnrichedVisit[]> {
    const ranges = rangesAfter(position, await readLastPosition(this.dataSource, projectId));
    if (ranges.length === 0) return [];
    const { parameters, bind } = createParameters();
    const conditions = [`project_id = ${bind(projectId, 'UUID')}`, ...toRangeConditions(ranges, bind), condition];
    return this.queryDocuments(`SELECT document FROM ${this.clickhouse.visits} WHERE ${conditions.join(' AND ')}`, {
      ...parameters,
      agent: TEST_AGENT_ID,
      text,
    });
  }

  private async queryDocuments(text: string, parameters: Record<string, unknown>): Promise<EnrichedVisit[]> {
    const rows = await this.clickhouse.query<{ document: string }>(text, parameters);
    return rows.map(({ document }) => JSON.parse(document) as EnrichedVisit);
  }
}
