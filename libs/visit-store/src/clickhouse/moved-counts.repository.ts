import { Injectable } from '@nestjs/common';
import type { CountKey, Difference } from '../moved-counts.repository.js';
import { MovedCountsRepository } from '../moved-counts.repository.js';
import { NO_AGENT } from '../visit-counts.js';
import type { CountedValues } from '../visit-row.js';
import { ClickHouse } from './clickhouse.js';
import { toReceiptDay } from './receipt-day.js';

const QUARTER_MS = 900_000;

@Injectable()
export class ClickHouseMovedCountsRepository extends MovedCountsRepository {
  constructor(private readonly clickhouse: ClickHouse) {
    super();
  }

  protected override async findLastVisits(
    projectId: string,
    changed: readonly Difference<CountKey>[],
    rows: readonly { before: CountedValues & { id: string } }[],
  ) {
    const lastVisits = await this.findUnchanged(projectId, changed, rows);
    const values = changed.map((count) => {
      const time = Math.max(lastVisits.get(toText(count)) ?? -Infinity, count.lastCameAt);
      return time === -Infinity ? null : new Date(time).toISOString();
    });
    return { expression: 'd.found_last_at', name: 'found_last_at', type: 'timestamptz', values };
  }

  /** Returns the time of each count's last visit, other than the changed visits, which ClickHouse still has unchanged. */
  private async findUnchanged(
    projectId: string,
    changed: readonly Difference<CountKey>[],
    rows: readonly { before: { id: string } }[],
  ): Promise<Map<string, number>> {
    const buckets = [...new Set(changed.map(({ bucket }) => Date.parse(bucket)))];
    const [first, last] = [Math.min(...buckets), Math.max(...buckets)];
    const found = await this.clickhouse.query<Omit<CountKey, 'bucket'> & { quarter: number; last_at: number }>(
      `SELECT toInt64(floor(occurred_at / ${QUARTER_MS})) * ${QUARTER_MS} AS quarter, result,
         toString(ifNull(agent_id, toUUID('${NO_AGENT}'))) AS agent_id, ifNull(agent_type, '') AS agent_type,
         max(occurred_at) AS last_at
       FROM ${this.clickhouse.visits}
       WHERE project_id = {project:UUID} AND day >= {day:Date} AND occurred_at BETWEEN {first:Int64} AND {last:Int64}
         AND quarter IN {buckets:Array(Int64)} AND id NOT IN {ids:Array(UUID)}
       GROUP BY ALL`,
      {
        project: projectId,
        day: toReceiptDay(first),
        first,
        last: last + QUARTER_MS - 1,
        buckets,
        ids: rows.map(({ before }) => before.id),
      },
    );
    return new Map(
      found.map(({ quarter, last_at: time, ...key }) => [
        toText({ ...key, bucket: new Date(quarter).toISOString() }),
        time,
      ]),
    );
  }
}

const toText = ({ bucket, agent_id: agentId, agent_type: type, result }: CountKey): string =>
  JSON.stringify([bucket, agentId, type, result]);
