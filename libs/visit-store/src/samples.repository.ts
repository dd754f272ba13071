import { Injectable } from '@nestjs/common';
import { getFirstIdAt, MAX_SAMPLED_VISITS, type TimelineFilters, type UnverifiedResult } from '#libs/contracts';
import { toSqlConditions } from './timeline-filters.js';
import { readAsColumns } from './read-as-columns.js';
import { timestamp } from './rollups.js';
import { select, type Snapshot } from './snapshot.js';
import type { TimeRange } from './time-range.js';

/** Maximum number of visits to read for counts per minute. */
const MAX_MINUTE_COUNT_VISITS = 250_000;

export interface SampledVisit {
  id: string;
  agent_id: string | null;
  path: string;
  status: number | null;
  result: string;
  client_address: string | null;
  occurred_at: Date;
}

export interface AgentVisit extends SampledVisit {
  method: string;
}

export interface UnverifiedVisit extends SampledVisit {
  reason: string | null;
}

/** Explains a visit's identification result. */
export interface Reason {
  reason: string | null;
  /** Reverse DNS names for the client address, if verification looked them up. */
  hostNames: string[];
}

/** Newest visits in a range. `isSampled` is true if the range contains more. */
export interface Sample<T extends SampledVisit> {
  visits: T[];
  isSampled: boolean;
}

interface ReasonRow {
  id: string;
  reason: string | null;
  /** Steps of the verification, or null if there was none. */
  steps: { host_names?: string[] }[] | null;
}

export interface MinuteCount {
  minute: Date;
  visits: number;
  agents: number;
  verified: number;
  verification_failed: number;
}

/**
 * Reads details of visits that counts don't contain. Only reads the newest visits, because their number is unbounded.
 */
@Injectable()
export class SamplesRepository {
  sampleAgentVisits(
    snapshot: Snapshot,
    projectId: string,
    agentId: string,
    range: TimeRange,
  ): Promise<Sample<AgentVisit>> {
    return this.newest(snapshot, projectId, range, {
      condition: `agent_id = $6`,
      parameters: [agentId],
      columns: { method: `document #>> '{visit,request_method}'` },
    });
  }

  sampleUnverifiedVisits(
    snapshot: Snapshot,
    projectId: string,
    range: TimeRange,
    result: UnverifiedResult,
  ): Promise<Sample<UnverifiedVisit>> {
    return this.newest(snapshot, projectId, range, {
      // Use a literal, because PostgreSQL can't match a parameter to the partial index.
      condition: `result = '${result}'`,
      columns: { reason: `document #>> '{identification,reason}'` },
    });
  }

  async findReasons(snapshot: Snapshot, ids: readonly string[]): Promise<ReadonlyMap<string, Reason>> {
    const rows = await select<ReasonRow>(
      snapshot,
      `SELECT id, document #>> '{identification,reason}' AS reason, document #> '{identification,evidence,steps}' AS steps
       FROM visits_full WHERE agent_id IS NOT NULL AND id = ANY ($1::uuid[])`,
      [ids],
    );
    return toReasons(rows);
  }

  /**
   * Returns the number of matching visits per minute since `from`, newest first. Filters apply to the newest
   * {@link MAX_MINUTE_COUNT_VISITS} visits. `isCutShort` is true if that limit was reached.
   */
  async countByMinute(
    snapshot: Snapshot,
    projectId: string,
    from: number,
    filters: Partial<TimelineFilters>,
  ): Promise<{ counts: MinuteCount[]; isCutShort: boolean }> {
    const parameters: unknown[] = [projectId, from, getFirstIdAt(from)];
    const conditions = toSqlConditions(filters, (parameter) => `$${parameters.push(parameter)}`);
    const rows = await select<MinuteCount & { read: number }>(
      snapshot,
      `SELECT minute, count(*)::float8 AS read, (count(*) FILTER (WHERE fits))::float8 AS visits,
         (count(agent_id) FILTER (WHERE fits))::float8 AS agents,
         (count(*) FILTER (WHERE fits AND result = 'verified'))::float8 AS verified,
         (count(*) FILTER (WHERE fits AND result = 'verification_failed'))::float8 AS verification_failed
       FROM (
         SELECT date_bin('1 minute', occurred_at, 'epoch') AS minute, agent_id, result,
           ${['true', ...conditions].join(' AND ')} AS fits
         FROM (
           SELECT * FROM visits_full
           WHERE project_id = $1 AND occurred_at >= ${timestamp('$2')} AND id >= $3::uuid
           ORDER BY occurred_at DESC, id DESC LIMIT ${MAX_MINUTE_COUNT_VISITS}
         ) newest
       ) judged GROUP BY 1 ORDER BY 1 DESC`,
      parameters,
    );
    return {
      counts: rows.map(({ read: _read, ...count }) => count),
      isCutShort: rows.reduce((sum, { read }) => sum + read, 0) >= MAX_MINUTE_COUNT_VISITS,
    };
  }

  /**
   * @param visitQuery SQL condition and additional SQL columns. Columns that read the document are slow, so only request them
   * if needed.
   */
  private async newest<T extends SampledVisit>(
    snapshot: Snapshot,
    projectId: string,
    { from, to }: TimeRange,
    visitQuery: { condition: string; parameters?: unknown[]; columns?: Record<string, string> },
  ): Promise<Sample<T>> {
    const { condition, parameters = [], columns = {} } = visitQuery;
    // The ID condition lets PostgreSQL skip older partitions, because a visit's ID contains its time of receipt, which
    // is never before `occurred_at`.
    const names = ['id', 'agent_id', 'path', 'status', 'result', 'client_address'];
    const others = { occurred_at: 'floor(extract(epoch FROM occurred_at) * 1000)', ...columns };
    const read = await readAsColumns<Omit<T, 'occurred_at'> & { occurred_at: number }>(
      snapshot,
      [...names, ...Object.keys(others)],
      `SELECT ${[...names, ...Object.entries(others).map(([name, sql]) => `${sql} AS ${name}`)].join(', ')}
       FROM (
         SELECT * FROM visits_full
         WHERE project_id = $1 AND occurred_at >= ${timestamp('$2')} AND occurred_at < ${timestamp('$3')}
           AND id >= $4::uuid AND ${condition}
         ORDER BY occurred_at DESC, id DESC LIMIT $5
       ) newest`,
      [projectId, from, to, getFirstIdAt(from), MAX_SAMPLED_VISITS + 1, ...parameters],
    );
    const visits = read
      .slice(0, MAX_SAMPLED_VISITS)
      .map((visit) => ({ ...visit, occurred_at: new Date(visit.occurred_at) }) as unknown as T);
    return { visits, isSampled: read.length > MAX_SAMPLED_VISITS };
  }
}

/** Returns the reasons by visit ID. */
export const toReasons = (rows: readonly ReasonRow[]): ReadonlyMap<string, Reason> =>
  new Map(
    rows.map(({ id, reason, steps }) => [
      id,
      { reason, hostNames: steps?.flatMap((step) => step.host_names ?? []) ?? [] },
    ]),
  );
