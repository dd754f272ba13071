import { Injectable } from '@nestjs/common';
import { MAX_ROBOTS_FETCHES } from '#libs/contracts';
import {
  DISALLOWED_VERDICT,
  readFetches,
  type ComparedVisits,
  type ComplianceRepository,
} from '../compliance.repository.js';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import type { TimeRange } from '../time-range.js';
import { ClickHouse } from './clickhouse.js';
import { IN_RANGE, rangeParameters } from './visit-range.js';

const DAY_MS = 86_400_000;

interface Row {
  agent_id: string;
  visits: number;
  first_at: number;
  last_at: number;
  judged: number;
  read_before: number;
}

@Injectable()
export class ClickHouseComplianceRepository implements PublicOf<ComplianceRepository> {
  constructor(private readonly clickhouse: ClickHouse) {}

  /** Compares all disallowed visits in the range with the newest robots.txt fetches. */
  async disallowedTimes(snapshot: Snapshot, projectId: string, range: TimeRange): Promise<ComparedVisits> {
    const fetches = await readFetches(snapshot, projectId, range);
    // Earlier visits may have followed a fetch that wasn't read.
    const since = fetches.length < MAX_ROBOTS_FETCHES ? range.from : fetches.at(-1)!.bucket.getTime() + DAY_MS;
    const fetchTimes = new Map(
      Map.groupBy(fetches, ({ agent_id: agentId }) => agentId)
        .entries()
        .map(([agentId, group]) => [agentId, group.map(({ bucket }) => bucket.getTime())]),
    );
    const rows = await this.clickhouse.query<Row>(
      `SELECT agent_id, count() AS visits, min(occurred_at) AS first_at, max(occurred_at) AS last_at,
         countIf(occurred_at >= {since:Int64}) AS judged,
         countIf(occurred_at >= {since:Int64} AND fetched_at >= occurred_at - ${DAY_MS}) AS read_before
       FROM (
         SELECT assumeNotNull(agent_id) AS agent_id, occurred_at FROM ${this.clickhouse.visits}
         WHERE ${IN_RANGE} AND agent_id IS NOT NULL AND robots = ${DISALLOWED_VERDICT} AND result <> 'verification_failed'
       ) disallowed ASOF LEFT JOIN (
         SELECT fetched.1 AS agent_id, fetched.2 AS fetched_at
         FROM (SELECT arrayJoin(arrayZip({agents:Array(UUID)}, {times:Array(Int64)})) AS fetched)
       ) fetches ON disallowed.agent_id = fetches.agent_id AND disallowed.occurred_at >= fetches.fetched_at
       GROUP BY agent_id`,
      {
        ...rangeParameters(projectId, range),
        since,
        agents: fetches.map(({ agent_id: agentId }) => agentId),
        times: fetches.map(({ bucket }) => bucket.getTime()),
      },
      { timeoutMs: snapshot.timeoutMs },
    );
    const visited = new Map(rows.map((row) => [row.agent_id, row]));
    const agents = [...new Set([...visited.keys(), ...fetchTimes.keys()])].map((agentId) => {
      const [lastFetch] = fetchTimes.get(agentId) ?? [];
      const {
        visits = 0,
        first_at: first = null,
        last_at: last = null,
        judged = 0,
        read_before = 0,
      } = visited.get(agentId) ?? {};
      return {
        agent_id: agentId,
        visits,
        first_at: first === null ? null : new Date(first),
        last_at: last === null ? null : new Date(last),
        last_fetch_at: lastFetch === undefined ? null : new Date(lastFetch),
        judged,
        read_before,
      };
    });
    return { agents, isSampled: false };
  }
}
