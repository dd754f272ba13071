import { Injectable } from '@nestjs/common';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import type { Slice } from '../stored-counts.repository.js';
import { MAX_CHARACTERS, type AgentPaths, type VisitPathsRepository } from '../visit-paths.repository.js';
import { ClickHouse } from './clickhouse.js';
import { IN_RANGE, rangeParameters } from './visit-range.js';

@Injectable()
export class ClickHouseVisitPathsRepository implements PublicOf<VisitPathsRepository> {
  readonly readsSamples = false;

  constructor(private readonly clickhouse: ClickHouse) {}

  /**
   * Counts all visits by the agents, whatever the `max` of the slices. Only if their distinct paths exceed
   * {@link MAX_CHARACTERS}, counts a random sample of the visits.
   */
  async findByAgent(
    { timeoutMs }: Snapshot,
    projectId: string,
    slices: readonly Slice[],
    agentIds: readonly string[],
  ): Promise<AgentPaths[]> {
    if (slices.length === 0) return [];
    const range = {
      from: Math.min(...slices.map(({ from }) => from)),
      to: Math.max(...slices.map(({ to }) => to)),
    };
    const parameters = { ...rangeParameters(projectId, range), agents: agentIds };
    const paths = `SELECT agent_id, path, count() AS path_visits FROM ${this.clickhouse.visits}
      WHERE ${IN_RANGE} AND agent_id IS NOT NULL AND agent_id IN {agents:Array(UUID)} AND result <> 'verification_failed'`;
    const [size] = await this.clickhouse.query<{ distinct: number; total: number }>(
      `SELECT sum(lengthUTF8(path)) AS distinct, sum(lengthUTF8(path) * path_visits) AS total
       FROM (${paths} GROUP BY agent_id, path)`,
      parameters,
      { timeoutMs },
    );
    const { distinct, total } = size!;
    const share = distinct <= MAX_CHARACTERS ? 1 : MAX_CHARACTERS / total;
    return this.clickhouse.query(
      `SELECT agent_id, groupArray(path) AS paths, groupArray(path_visits) AS visits
       FROM (${paths} AND sipHash64(id) <= {share:Float64} * 18446744073709551615 GROUP BY agent_id, path) GROUP BY agent_id`,
      { ...parameters, share },
      { timeoutMs },
    );
  }
}
