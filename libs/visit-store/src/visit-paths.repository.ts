import { Injectable } from '@nestjs/common';
import { firstIdAt } from '#libs/contracts';
import { select, selectWithGenericPlan, type Snapshot } from './snapshot.js';
import { timestamp } from './rollups.js';
import { middleOf, type Slice } from './stored-counts.repository.js';

interface AgentPaths {
  agent_id: string;
  paths: string[];
}

/**
 * Maximum total length of the paths. Visitors can send paths of up to 8,192 characters, and some take long to compare.
 */
const MAX_CHARACTERS = 1_000_000;

@Injectable()
export class VisitPathsRepository {
  /**
   * Returns the paths of visits that didn't fail verification, by agent. Omits agents without such visits. If the paths
   * exceed {@link MAX_CHARACTERS}, returns an arbitrary sample.
   *
   * @param slices Time ranges to read. If every `max` is null, reads all visits of the agents. Otherwise, reads up to
   * `max` visits of any agent per slice, using the time index, and then filters by agent.
   */
  find(
    snapshot: Snapshot,
    projectId: string,
    slices: readonly Slice[],
    agentIds: readonly string[],
  ): Promise<AgentPaths[]> {
    const isOfThem = 'agent_id = ANY ($7::uuid[])';
    const isWhole = slices.every(({ max }) => max === null);
    const visits = (from: string, to: string): string =>
      `SELECT id, agent_id, result, path FROM visits
       WHERE project_id = $1 AND occurred_at >= ${timestamp(from)} AND occurred_at < ${timestamp(to)}
         AND id >= first_id AND ${isWhole ? isOfThem : 'true'}`;
    const isTooLong = `(SELECT characters FROM total) > ${MAX_CHARACTERS}`;
    // Each partition is scanned twice, so planning is slow.
    const read = isWhole ? select : selectWithGenericPlan;
    // Returns one row per agent, because transferring one per visit would take as long as the query.
    return read(
      snapshot,
      `WITH visits_read AS MATERIALIZED (
         SELECT id, agent_id, path
         FROM unnest($2::float8[], $3::float8[], $4::float8[], $5::uuid[], $6::int[]) s (since, middle, until, first_id, max),
           LATERAL (
             (${visits('since', 'middle')} ORDER BY occurred_at DESC LIMIT max)
             UNION ALL
             (${visits('middle', 'until')} ORDER BY occurred_at LIMIT max)
             LIMIT max
           ) v
         WHERE result <> 'verification_failed' AND ${isOfThem}
       ), total AS MATERIALIZED (SELECT coalesce(sum(length(path)), 0) AS characters FROM visits_read)
       SELECT agent_id, json_agg(path) AS paths FROM (
         SELECT agent_id, path FROM visits_read WHERE NOT ${isTooLong}
         UNION ALL
         SELECT agent_id, path FROM (
           SELECT agent_id, path, sum(length(path)) OVER (ORDER BY hashtext(id::text), id) AS characters
           FROM visits_read WHERE ${isTooLong}
         ) shuffled WHERE characters <= ${MAX_CHARACTERS}
       ) paths GROUP BY 1`,
      [
        projectId,
        slices.map(({ from }) => from),
        slices.map(({ from, to }, index) => Math.floor(from + (to - from) * middleOf(index + 1))),
        slices.map(({ to }) => to),
        // A visit never occurs after its receipt, so the ID limits the partitions to read.
        slices.map(({ from }) => firstIdAt(from)),
        slices.map(({ max }) => max),
        agentIds,
      ],
    );
  }
}
