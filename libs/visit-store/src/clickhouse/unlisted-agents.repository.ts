import { Injectable } from '@nestjs/common';
import { hashUserAgentGroup } from '#libs/agents';
import { SAMPLED_VISITS_PER_GROUP } from '#libs/contracts';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import type { TimeRange } from '../time-range.js';
import { searchStart, type GroupVisit, type UnlistedAgentsRepository } from '../unlisted-agents.repository.js';
import { ClickHouse } from './clickhouse.js';
import { IN_RANGE, NEWEST_FIRST, rangeParameters } from './visit-range.js';

interface Row {
  number: number;
  path: string;
  client_address: string | null;
  at: number;
}

@Injectable()
export class ClickHouseUnlistedAgentsRepository implements PublicOf<UnlistedAgentsRepository> {
  constructor(private readonly clickhouse: ClickHouse) {}

  async newest(
    { timeoutMs }: Snapshot,
    projectId: string,
    range: TimeRange,
    groups: readonly { group: string; lastAt: number }[],
  ): Promise<GroupVisit[]> {
    if (groups.length === 0) return [];
    const searched = groups.map(({ group, lastAt }) => ({
      number: hashUserAgentGroup(group),
      since: searchStart(range, lastAt),
    }));
    // Groups can have the same number, but different times.
    const numbers = [...new Set(searched.map(({ number }) => number))];
    const firstTime = (wanted: number): number =>
      Math.min(...searched.flatMap(({ number, since }) => (number === wanted ? since : [])));
    const starts = numbers.map(firstTime);
    const rows = await this.clickhouse.query<Row>(
      `SELECT user_agent_group AS number, path, client_address, occurred_at AS at
       FROM ${this.clickhouse.visits}
       WHERE ${IN_RANGE} AND agent_id IS NULL AND user_agent_group IN {numbers:Array(Int32)}
         AND occurred_at >= transform(assumeNotNull(user_agent_group), {numbers:Array(Int32)}, {starts:Array(Int64)}, 0)
       ORDER BY ${NEWEST_FIRST} LIMIT ${SAMPLED_VISITS_PER_GROUP} BY user_agent_group`,
      { ...rangeParameters(projectId, { from: Math.min(...starts), to: range.to }), numbers, starts },
      { timeoutMs },
    );
    const byNumber = Map.groupBy(rows, ({ number }) => number);
    return searched.flatMap(({ number, since }, index) =>
      (byNumber.get(number) ?? [])
        .filter(({ at }) => at >= since)
        .map(({ path, client_address, at }) => ({ index, path, client_address, occurred_at: new Date(at) })),
    );
  }
}
