import { Injectable } from '@nestjs/common';
import { MAX_SAMPLED_VISITS, type TimelineFilters, type UnverifiedResult } from '#libs/contracts';
import type { PublicOf } from '../public-of.js';
import {
  toReasons,
  type AgentVisit,
  type MinuteCount,
  type Sample,
  type SampledVisit,
  type SamplesRepository,
  type UnverifiedVisit,
} from '../samples.repository.js';
import type { Snapshot } from '../snapshot.js';
import type { TimeRange } from '../time-range.js';
import { toClickHouseConditions } from '../timeline-filters.js';
import { ClickHouse } from './clickhouse.js';
import { createParameters } from './statement-parameters.js';
import { daysOf } from './visit-ids.js';
import { IN_RANGE, NEWEST_FIRST, rangeParameters } from './visit-range.js';

const MINUTE_MS = 60_000;

@Injectable()
export class ClickHouseSamplesRepository implements PublicOf<SamplesRepository> {
  constructor(private readonly clickhouse: ClickHouse) {}

  sampleAgentVisits(snapshot: Snapshot, projectId: string, agentId: string, range: TimeRange) {
    return this.newest<AgentVisit>(snapshot, projectId, range, {
      condition: 'agent_id IS NOT NULL AND agent_id = {agent:UUID}',
      parameters: { agent: agentId },
      columns: `, JSONExtract(document, 'visit', 'request_method', 'Nullable(String)') AS method`,
    });
  }

  sampleUnverifiedVisits(snapshot: Snapshot, projectId: string, range: TimeRange, result: UnverifiedResult) {
    return this.newest<UnverifiedVisit>(snapshot, projectId, range, {
      condition: `agent_id IS NOT NULL AND result = '${result}'`,
      columns: `, JSONExtract(document, 'identification', 'reason', 'Nullable(String)') AS reason`,
    });
  }

  async findReasons({ timeoutMs }: Snapshot, ids: readonly string[]) {
    const rows = await this.clickhouse.query<{ id: string; reason: string | null; steps: string }>(
      `SELECT id, JSONExtract(document, 'identification', 'reason', 'Nullable(String)') AS reason,
         JSONExtractRaw(document, 'identification', 'evidence', 'steps') AS steps
       FROM ${this.clickhouse.visits}
       WHERE agent_id IS NOT NULL AND day IN {days:Array(Date)} AND id IN {ids:Array(UUID)}`,
      { ids, days: daysOf(ids) },
      { timeoutMs },
    );
    return toReasons(rows.map(({ steps, ...row }) => ({ ...row, steps: steps === '' ? null : JSON.parse(steps) })));
  }

  /** Counts all matching visits. Minutes without matching visits are omitted. */
  async countByMinute({ timeoutMs }: Snapshot, projectId: string, from: number, filters: Partial<TimelineFilters>) {
    const { parameters, bind } = createParameters();
    const conditions = [
      `project_id = ${bind(projectId, 'UUID')}`,
      ...toClickHouseConditions({ from }, bind),
      ...toClickHouseConditions(filters, bind),
    ];
    const rows = await this.clickhouse.query<Omit<MinuteCount, 'minute'> & { minute: number }>(
      `SELECT intDiv(occurred_at, ${MINUTE_MS}) AS minute, count() AS visits, count(agent_id) AS agents,
         countIf(result = 'verified') AS verified, countIf(result = 'verification_failed') AS verification_failed
       FROM ${this.clickhouse.visits} WHERE ${conditions.join(' AND ')} GROUP BY minute ORDER BY minute DESC`,
      parameters,
      { timeoutMs },
    );
    return {
      counts: rows.map(({ minute, ...counts }) => ({ minute: new Date(minute * MINUTE_MS), ...counts })),
      isCutShort: false,
    };
  }

  /** @param columns SQL list of additional columns, which starts with a comma. */
  private async newest<T extends SampledVisit>(
    { timeoutMs }: Snapshot,
    projectId: string,
    range: TimeRange,
    visitQuery: { condition: string; parameters?: Record<string, unknown>; columns?: string },
  ): Promise<Sample<T>> {
    const { condition, parameters = {}, columns = '' } = visitQuery;
    const rows = await this.clickhouse.query<Omit<T, 'occurred_at'> & { occurred_at: number }>(
      `SELECT id, agent_id, path, status, result, client_address, occurred_at${columns}
       FROM ${this.clickhouse.visits} WHERE ${IN_RANGE} AND ${condition}
       ORDER BY ${NEWEST_FIRST} LIMIT ${MAX_SAMPLED_VISITS + 1}`,
      { ...rangeParameters(projectId, range), ...parameters },
      { timeoutMs },
    );
    const visits = rows
      .slice(0, MAX_SAMPLED_VISITS)
      .map((visit) => ({ ...visit, occurred_at: new Date(visit.occurred_at) }) as unknown as T);
    return { visits, isSampled: rows.length > MAX_SAMPLED_VISITS };
  }
}
