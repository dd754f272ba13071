import { Injectable } from '@nestjs/common';
import { firstIdAt, MAX_SAMPLED_VISITS, type TimelineFilters } from '#libs/contracts';
import { conditionsOf } from './timeline-filters.js';
import { readAsLists } from './column-lists.js';
import { timestamp } from './rollups.js';
import { select, type Snapshot } from './snapshot.js';
import type { TimeRange } from './time-range.js';

/** Maximum number of visits to read for the counts by minute. */
const MAX_OF_HOUR = 250_000;

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

/** Why a visit has its identification result. */
export interface Reason {
  reason: string | null;
  /** Reverse DNS names of the client address, if verification looked them up. */
  hostNames: string[];
}

/** The newest visits. `isSampled` is true if there are more. */
interface Sample<T extends SampledVisit> {
  visits: T[];
  isSampled: boolean;
}

interface MinuteCount {
  minute: Date;
  visits: number;
  agents: number;
  verified: number;
  verification_failed: number;
}

/** Reads visits instead of counts. Only reads the newest, because there can be any number. */
@Injectable()
export class SamplesRepository {
  ofAgent(snapshot: Snapshot, projectId: string, agentId: string, range: TimeRange): Promise<Sample<AgentVisit>> {
    return this.newest(snapshot, projectId, range, {
      condition: `agent_id = $6`,
      parameters: [agentId],
      columns: { method: `document #>> '{visit,request_method}'` },
    });
  }

  failed(snapshot: Snapshot, projectId: string, range: TimeRange): Promise<Sample<SampledVisit>> {
    // A literal, because a parameter wouldn't match the partial index.
    return this.newest(snapshot, projectId, range, { condition: `result = 'verification_failed'` });
  }

  async reasons(snapshot: Snapshot, ids: readonly string[]): Promise<ReadonlyMap<string, Reason>> {
    const rows = await select<{ id: string; reason: string | null; steps: { host_names?: string[] }[] | null }>(
      snapshot,
      `SELECT id, document #>> '{identification,reason}' AS reason, document #> '{identification,evidence,steps}' AS steps
       FROM visits_full WHERE agent_id IS NOT NULL AND id = ANY ($1::uuid[])`,
      [ids],
    );
    const namesIn = (steps: (typeof rows)[number]['steps']) => steps?.flatMap((step) => step.host_names ?? []) ?? [];
    return new Map(rows.map(({ id, reason, steps }) => [id, { reason, hostNames: namesIn(steps) }]));
  }

  /**
   * Visits per minute since `from` that match the filters, newest first. Filters apply to the newest
   * {@link MAX_OF_HOUR} visits. `isCutShort` is true if that limit was reached.
   */
  async minutes(
    snapshot: Snapshot,
    projectId: string,
    from: number,
    filters: TimelineFilters,
  ): Promise<{ counts: MinuteCount[]; isCutShort: boolean }> {
    const parameters: unknown[] = [projectId, from, firstIdAt(from)];
    const conditions = conditionsOf(filters, (parameter) => `$${parameters.push(parameter)}`);
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
           ORDER BY occurred_at DESC, id DESC LIMIT ${MAX_OF_HOUR}
         ) newest
       ) judged GROUP BY 1 ORDER BY 1 DESC`,
      parameters,
    );
    return {
      counts: rows.map(({ read: _read, ...count }) => count),
      isCutShort: rows.reduce((sum, { read }) => sum + read, 0) >= MAX_OF_HOUR,
    };
  }

  /**
   * @param of condition and additional columns, as SQL. Reading parts of the document is slow, so columns are optional.
   */
  private async newest<T extends SampledVisit>(
    snapshot: Snapshot,
    projectId: string,
    { from, to }: TimeRange,
    of: { condition: string; parameters?: unknown[]; columns?: Record<string, string> },
  ): Promise<Sample<T>> {
    const { condition, parameters = [], columns = {} } = of;
    // The ID condition skips older partitions: IDs contain the time of receipt, which is never before `occurred_at`.
    const names = ['id', 'agent_id', 'path', 'status', 'result', 'client_address'];
    const others = { occurred_at: 'floor(extract(epoch FROM occurred_at) * 1000)', ...columns };
    const read = await readAsLists<Omit<T, 'occurred_at'> & { occurred_at: number }>(
      snapshot,
      [...names, ...Object.keys(others)],
      `SELECT ${[...names, ...Object.entries(others).map(([name, sql]) => `${sql} AS ${name}`)].join(', ')}
       FROM (
         SELECT * FROM visits_full
         WHERE project_id = $1 AND occurred_at >= ${timestamp('$2')} AND occurred_at < ${timestamp('$3')}
           AND id >= $4::uuid AND ${condition}
         ORDER BY occurred_at DESC, id DESC LIMIT $5
       ) newest`,
      [projectId, from, to, firstIdAt(from), MAX_SAMPLED_VISITS + 1, ...parameters],
    );
    const visits = read
      .slice(0, MAX_SAMPLED_VISITS)
      .map((visit) => ({ ...visit, occurred_at: new Date(visit.occurred_at) }) as unknown as T);
    return { visits, isSampled: read.length > MAX_SAMPLED_VISITS };
  }
}
