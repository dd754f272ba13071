import { Injectable } from '@nestjs/common';
import { userAgentGroupNumber } from '#libs/agents';
import { firstIdAt, SAMPLED_OF_GROUP } from '#libs/contracts';
import { selectWithGenericPlan, type Snapshot } from './snapshot.js';
import { timestamp } from './rollups.js';
import type { TimeRange } from './time-range.js';

export interface GroupVisit {
  /** Index of the group in the argument. */
  index: number;
  path: string;
  client_address: string | null;
  occurred_at: Date;
}

const DAY_MS = 86_400_000;
/** Days to search before a group's last visit. Each day is a partition, and there can be many groups. */
const SAMPLED_DAYS = 2;

@Injectable()
export class UnlistedRepository {
  /**
   * Returns the newest stored visits of each group.
   *
   * @param groups groups with the start of a bucket that contains their last visit, in milliseconds since the epoch.
   */
  newest(
    snapshot: Snapshot,
    projectId: string,
    { from, to }: TimeRange,
    groups: readonly { group: string; lastAt: number }[],
  ): Promise<GroupVisit[]> {
    const since = groups.map(({ lastAt }) => Math.max(from, lastAt - SAMPLED_DAYS * DAY_MS));
    return selectWithGenericPlan(
      snapshot,
      `SELECT (ordinality - 1)::int AS index, path, client_address, occurred_at
       FROM unnest($2::int[], $3::float8[], $4::uuid[]) WITH ORDINALITY AS g (number, since, first_id, ordinality), LATERAL (
         SELECT path, client_address, occurred_at FROM visits_full
         WHERE project_id = $1 AND user_agent_group = g.number AND user_agent_group IS NOT NULL
           AND occurred_at >= ${timestamp('g.since')} AND occurred_at < ${timestamp('$5')} AND id >= g.first_id
         ORDER BY occurred_at DESC, id DESC LIMIT ${SAMPLED_OF_GROUP}
       ) newest`,
      [projectId, groups.map(({ group }) => userAgentGroupNumber(group)), since, since.map(firstIdAt), to],
    );
  }
}
