import { Injectable } from '@nestjs/common';
import { getFirstIdAt } from '#libs/contracts';
import { select, selectWithGenericPlan, type Snapshot } from './snapshot.js';
import { timestamp } from './rollups.js';
import { sliceStartFraction, type Slice } from './stored-counts.repository.js';

export interface AgentPaths {
  agent_id: string;
  paths: string[];
  /** Number of visits for each path. */
  visits: number[];
}

/**
 * Maximum total length of the returned paths. Visitors can send paths of up to 8,192 characters, and some are slow to
 * compare.
 */
export const MAX_CHARACTERS = 1_000_000;

@Injectable()
export class VisitPathsRepository {
  /** Whether {@link findByAgent} limits the number of visits it reads to the `max` of the slices. */
  readonly readsSamples: boolean = true;

  /**
   * Returns distinct paths by agent, excluding visits that failed verification. Omits agents without other visits. If
   * the paths of all visits exceed {@link MAX_CHARACTERS}, reads an arbitrary sample of the visits.
   *
   * @param slices Time ranges to read. If `max` is null in all of them, reads all visits by the agents. Otherwise,
   * reads up to `max` visits by any agent per slice, using the time index, and then filters by agent.
   */
  findByAgent(
    snapshot: Snapshot,
    projectId: string,
    slices: readonly Slice[],
    agentIds: readonly string[],
  ): Promise<AgentPaths[]> {
    const isWantedAgent = 'agent_id = ANY ($7::uuid[])';
    const readsAll = slices.every(({ max }) => max === null);
    const visits = (from: string, to: string): string =>
      `SELECT id, agent_id, result, path FROM visits
       WHERE project_id = $1 AND occurred_at >= ${timestamp(from)} AND occurred_at < ${timestamp(to)}
         AND id >= first_id AND ${readsAll ? isWantedAgent : 'true'}`;
    const isTooLong = `(SELECT characters FROM total) > ${MAX_CHARACTERS}`;
    // When sampling, reuse the query plan, because planning is slow for a query that scans each partition twice.
    const read = readsAll ? select : selectWithGenericPlan;
    // Return one row per agent, because transferring one row per visit would take as long as the query itself.
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
         WHERE result <> 'verification_failed' AND ${isWantedAgent}
       ), total AS MATERIALIZED (SELECT coalesce(sum(length(path)), 0) AS characters FROM visits_read)
       SELECT agent_id, json_agg(path) AS paths, json_agg(visits) AS visits FROM (
         SELECT agent_id, path, count(*) AS visits FROM (
           SELECT agent_id, path FROM visits_read WHERE NOT ${isTooLong}
           UNION ALL
           SELECT agent_id, path FROM (
             SELECT agent_id, path, sum(length(path)) OVER (ORDER BY hashtext(id::text), id) AS characters
             FROM visits_read WHERE ${isTooLong}
           ) shuffled WHERE characters <= ${MAX_CHARACTERS}
         ) sample GROUP BY 1, 2
       ) paths GROUP BY 1`,
      [
        projectId,
        slices.map(({ from }) => from),
        slices.map(({ from, to }, index) => Math.floor(from + (to - from) * sliceStartFraction(index + 1))),
        slices.map(({ to }) => to),
        // The ID condition lets PostgreSQL skip older partitions, because a visit's ID contains its time of receipt,
        // which is never before `occurred_at`.
        slices.map(({ from }) => getFirstIdAt(from)),
        slices.map(({ max }) => max),
        agentIds,
      ],
    );
  }
}
