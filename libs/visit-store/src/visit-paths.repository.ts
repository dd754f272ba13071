import { Injectable } from '@nestjs/common';
import { firstIdAt } from '#libs/contracts';
import { select, selectWithGenericPlan, type Snapshot } from './snapshot.js';
import { timestamp } from './rollups.js';
import { middleOf, type Slice } from './stored-counts.repository.js';

/** Paths of visits of an agent, with their queries: one for each visit. */
interface AgentPaths {
  agent_id: string;
  paths: string[];
}

/** Of the paths that are read: visitors make them as long as they like, up to 8,192, and some take long to compare. */
const MAX_CHARACTERS = 1_000_000;

/** Reads what agents fetched. */
@Injectable()
export class VisitPathsRepository {
  /**
   * Paths of visits that did not fail verification; agents without one are left out. Of paths that are very long together
   * only some are read, whichever.
   *
   * @param slices what is read: where `max` is null, all visits of the agents; else up to `max` visits of any agent, which an
   *   index has by time.
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
    // There are two scans of each partition, which take milliseconds to plan.
    const read = isWhole ? select : selectWithGenericPlan;
    // A row for each agent: transferring one for each visit takes as long as finding it.
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
        // A visit never occurs after its receipt, so the id bounds the partitions that are read.
        slices.map(({ from }) => firstIdAt(from)),
        slices.map(({ max }) => max),
        agentIds,
      ],
    );
  }
}
