import { Injectable } from '@nestjs/common';
import type { VisitPosition } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { NewFetchesRepository, type PageFetches, type ReadShard, statusColumns } from '../new-fetches.repository.js';
import { CLICKHOUSE_PAGE_NAME } from '../page.js';
import type { ShardRange } from '../streamed-visits.js';
import { ClickHouse } from './clickhouse.js';
import { readLastPosition, toRangeConditions } from './last-position.repository.js';
import { createParameters } from './statement-parameters.js';

@Injectable()
export class ClickHouseNewFetchesRepository extends NewFetchesRepository {
  constructor(
    dataSource: DataSource,
    private readonly clickhouse: ClickHouse,
  ) {
    super(dataSource);
  }

  protected override lastPosition(projectId: string): Promise<VisitPosition> {
    return readLastPosition(this.dataSource, projectId);
  }

  protected override async readRanges(
    projectId: string,
    ranges: readonly ShardRange[],
    limitPerShard: number,
  ): Promise<{ shards: ReadShard[]; fetches: PageFetches[] }> {
    const { parameters, bind } = createParameters();
    const agentVisits = (read: readonly ShardRange[]): string => {
      const project = `project_id = ${bind(projectId, 'UUID')}`;
      return `${this.clickhouse.visits} WHERE ${[project, 'agent_id IS NOT NULL', ...toRangeConditions(read, bind)].join(' AND ')}`;
    };
    const shards = await this.clickhouse.query<ReadShard>(
      `SELECT shard, max(number) AS last, count() AS visits FROM (
         SELECT shard, number FROM ${agentVisits(ranges)} ORDER BY shard, number LIMIT ${limitPerShard} BY shard
       ) GROUP BY shard`,
      parameters,
    );
    if (shards.length === 0) return { shards, fetches: [] };
    const read = shards.map(({ shard, last }) => ({ ...ranges.find((range) => range.shard === shard)!, last }));
    const fetches = await this.clickhouse.query<PageFetches>(
      `SELECT agent_id, substringUTF8(${CLICKHOUSE_PAGE_NAME}, 1, 500) AS page, min(occurred_at) AS first_at,
         max(occurred_at) AS last_at, count() AS fetches, ${statusColumns((condition) => `countIf(${condition})`)},
         countIf(position(path, '?') > 0) AS with_query
       FROM ${agentVisits(read)} AND result <> 'verification_failed' 
       GROUP BY agent_id, page, intDiv(occurred_at, 86400000)`,
      parameters,
    );
    return { shards, fetches };
  }
}
