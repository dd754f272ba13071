import { Injectable } from '@nestjs/common';
import { MAX_SAMPLED_VISITS } from '#libs/contracts';
import type { EarlierFailure, ErrorSample, FailedVisits, NewsRepository } from '../news.repository.js';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import type { TimeRange } from '../time-range.js';
import { ClickHouse } from './clickhouse.js';
import { IN_RANGE, rangeParameters } from './visit-range.js';

/** Maximum number of networks to return, newest first. All of their visits are counted. */
const MAX_NETWORKS = MAX_SAMPLED_VISITS;
/** The /24 prefix of an IPv4 address, or the full IPv6 address. */
const IPV4_NETWORK = `if(position(client_address, ':') = 0, trim(TRAILING '0123456789' FROM client_address), client_address)`;
const IS_FAILED = `agent_id IS NOT NULL AND result = 'verification_failed'`;
const NEWEST = 'max((occurred_at, UUIDToNum(id)))';

@Injectable()
export class ClickHouseNewsRepository implements PublicOf<NewsRepository> {
  readonly maxErrors = Infinity;

  constructor(private readonly clickhouse: ClickHouse) {}

  async findFailedVisits(
    { timeoutMs }: Snapshot,
    projectId: string,
    range: TimeRange,
    since: number,
  ): Promise<{ failed: FailedVisits[]; earlier: EarlierFailure[] }> {
    const { visits } = this.clickhouse;
    const isEarlier = `project_id = {project:UUID} AND occurred_at >= {since:Int64} AND occurred_at < {from:Int64}
      AND ${IS_FAILED}`;
    const parameters = { ...rangeParameters(projectId, range), since };
    const [failed, earlier] = await Promise.all([
      this.clickhouse.query<FailedVisits>(
        `SELECT agent_id, visits, visit.1 AS id, visit.2 AS client_address
         FROM (
           SELECT agent_id, ${IPV4_NETWORK} AS network, count() AS visits, ${NEWEST} AS newest,
             argMax((id, client_address), (occurred_at, UUIDToNum(id))) AS visit
           FROM ${visits} WHERE ${IN_RANGE} AND ${IS_FAILED} GROUP BY agent_id, network
         ) networks LEFT ANTI JOIN (
           SELECT DISTINCT agent_id, ${IPV4_NETWORK} AS network FROM ${visits} WHERE ${isEarlier}
         ) earlier USING (agent_id, network)
         ORDER BY newest DESC LIMIT ${MAX_NETWORKS}`,
        parameters,
        { timeoutMs },
      ),
      this.clickhouse.query<EarlierFailure>(
        `SELECT agent_id, client_address FROM ${visits} WHERE ${isEarlier} AND position(client_address, ':') > 0
         GROUP BY agent_id, client_address ORDER BY ${NEWEST} DESC LIMIT ${MAX_NETWORKS}`,
        parameters,
        { timeoutMs },
      ),
    ]);
    return { failed, earlier };
  }

  async sampleErrors(
    { timeoutMs }: Snapshot,
    projectId: string,
    range: TimeRange,
    status: TimeRange,
  ): Promise<ErrorSample> {
    const errors = `${this.clickhouse.visits} WHERE ${IN_RANGE} AND agent_id IS NOT NULL
      AND status >= {fromStatus:Float64} AND status < {toStatus:Float64}`;
    const [row] = await this.clickhouse.query<{ visits: number; page: string; page_visits: number }>(
      `SELECT (SELECT count() FROM ${errors}) AS visits, substringIndex(path, '?', 1) AS page, count() AS page_visits
       FROM ${errors} GROUP BY page ORDER BY page_visits DESC, page LIMIT 1`,
      { ...rangeParameters(projectId, range), fromStatus: status.from, toStatus: status.to },
      { timeoutMs },
    );
    const { visits, page, page_visits: pageVisits } = row ?? { visits: 0, page: '', page_visits: 0 };
    return { visits, page, pageVisits, isSampled: false };
  }
}
