import { Injectable } from '@nestjs/common';
import { hashUserAgentGroup } from '#libs/agents';
import { getFirstIdAt, SAMPLED_VISITS_PER_GROUP } from '#libs/contracts';
import { selectWithGenericPlan, type Snapshot } from './snapshot.js';
import { timestamp } from './rollups.js';
import type { TimeRange } from './time-range.js';

export interface GroupVisit {
  /** Index of the group in `groups`. */
  index: number;
  path: string;
  client_address: string | null;
  occurred_at: Date;
}

const DAY_MS = 86_400_000;
/**
 * Number of days to search before a group's last visit. Each day is a separate partition, and there can be many groups.
 */
const SAMPLED_DAYS = 2;

/** Returns the time from which to search for a group's newest visits. */
export const searchStart = ({ from }: TimeRange, lastAt: number): number =>
  Math.max(from, lastAt - SAMPLED_DAYS * DAY_MS);

@Injectable()
export class UnlistedAgentsRepository {
  /**
   * Returns each group's newest stored visits.
   *
   * @param groups Groups to read. `lastAt` is the start of a bucket that contains the group's last visit, in
   * milliseconds since the epoch.
   */
  newest(
    snapshot: Snapshot,
    projectId: string,
    range: TimeRange,
    groups: readonly { group: string; lastAt: number }[],
  ): Promise<GroupVisit[]> {
    const since = groups.map(({ lastAt }) => searchStart(range, lastAt));
    return selectWithGenericPlan(
      snapshot,
      `SELECT (ordinality - 1)::int AS index, path, client_address, occurred_at
       FROM unnest($2::int[], $3::float8[], $4::uuid[]) WITH ORDINALITY AS g (number, since, first_id, ordinality), LATERAL (
         SELECT path, client_address, occurred_at FROM visits_full
         WHERE project_id = $1 AND user_agent_group = g.number AND user_agent_group IS NOT NULL
           AND occurred_at >= ${timestamp('g.since')} AND occurred_at < ${timestamp('$5')} AND id >= g.first_id
         ORDER BY occurred_at DESC, id DESC LIMIT ${SAMPLED_VISITS_PER_GROUP}
       ) newest`,
      [projectId, groups.map(({ group }) => hashUserAgentGroup(group)), since, since.map(getFirstIdAt), range.to],
    );
  }
}
