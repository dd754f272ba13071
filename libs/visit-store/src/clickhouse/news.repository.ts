import { Injectable } from '@nestjs/common';
import { MAX_SAMPLED_VISITS } from '#libs/contracts';
import {
  toClaimFilters,
  type ChangePart,
  type ChangeRanges,
  type ClaimCount,
  type EarlierFailure,
  type ErrorSample,
  type FailedVisits,
  type NetworkClaims,
  type NewsRepository,
  type QuarterCount,
} from '../news.repository.js';
import { CLICKHOUSE_FIRST_FOLDER, CLICKHOUSE_PAGE_NAME } from '../page.js';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import type { TimeRange } from '../time-range.js';
import { toClickHouseConditions } from '../timeline-filters.js';
import { ClickHouse } from './clickhouse.js';
import { createParameters } from './statement-parameters.js';
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

  findChangeParts(
    { timeoutMs }: Snapshot,
    projectId: string,
    agentId: string,
    { range, previous, hasSpoofed }: ChangeRanges,
  ): Promise<ChangePart[]> {
    const isCurrent = 'occurred_at >= {from:Int64} AND occurred_at < {to:Int64}';
    const isPrevious = 'occurred_at >= {previousFrom:Int64} AND occurred_at < {previousTo:Int64}';
    return this.clickhouse.query<ChangePart>(
      `SELECT part.1 AS dimension, part.2 AS value, countIf(is_current) AS visits,
         countIf(is_previous) AS previous_visits
       FROM (
         SELECT ${isCurrent} AS is_current, ${isPrevious} AS is_previous, arrayJoin([
             ('network', if(position(client_address, ':') = 0 AND client_address <> '',
               concat(trim(TRAILING '0123456789' FROM client_address), '0'), client_address)),
             ('result', toString(result)), ('page', ${CLICKHOUSE_FIRST_FOLDER}),
             ('status', ifNull(toString(status), ''))]) AS part
         FROM (
           SELECT occurred_at, ifNull(client_address, '') AS client_address, result, status,
             ${CLICKHOUSE_PAGE_NAME} AS page
           FROM ${this.clickhouse.visits}
           WHERE project_id = {project:UUID} AND agent_id IS NOT NULL AND agent_id = {agent:UUID}
             AND ((${isCurrent}) OR (${isPrevious})) AND ({hasSpoofed:Bool} OR result <> 'verification_failed')
         ) agent_visits
       ) parts
       GROUP BY part ORDER BY abs(toInt64(visits) - toInt64(previous_visits)) DESC, value
       LIMIT ${MAX_SAMPLED_VISITS} BY dimension`,
      {
        ...rangeParameters(projectId, range),
        agent: agentId,
        previousFrom: previous.from,
        previousTo: previous.to,
        hasSpoofed,
      },
      { timeoutMs },
    );
  }

  countClaims({ timeoutMs }: Snapshot, projectId: string, claims: NetworkClaims): Promise<ClaimCount[]> {
    const { parameters, bind } = createParameters();
    const conditions = toClickHouseConditions(toClaimFilters(claims), bind);
    return this.clickhouse.query<ClaimCount>(
      `SELECT agent_id, toString(result) AS result, count() AS visits FROM ${this.clickhouse.visits}
       WHERE project_id = ${bind(projectId, 'UUID')} AND ${conditions.join(' AND ')} GROUP BY agent_id, result`,
      parameters,
      { timeoutMs },
    );
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
      `SELECT (SELECT count() FROM ${errors}) AS visits, ${CLICKHOUSE_PAGE_NAME} AS page, count() AS page_visits
       FROM ${errors} GROUP BY page ORDER BY page_visits DESC, page LIMIT 1`,
      { ...rangeParameters(projectId, range), fromStatus: status.from, toStatus: status.to },
      { timeoutMs },
    );
    const { visits, page, page_visits: pageVisits } = row ?? { visits: 0, page: '', page_visits: 0 };
    return { visits, page, pageVisits, isSampled: false };
  }

  countErrors(
    { timeoutMs }: Snapshot,
    projectId: string,
    range: TimeRange,
    status: TimeRange,
  ): Promise<QuarterCount[]> {
    return this.clickhouse.query<QuarterCount>(
      `SELECT intDiv(occurred_at, 900000) * 900000 AS start, count() AS visits FROM ${this.clickhouse.visits}
       WHERE ${IN_RANGE} AND agent_id IS NOT NULL AND status >= {fromStatus:Float64} AND status < {toStatus:Float64}
       GROUP BY start ORDER BY start`,
      { ...rangeParameters(projectId, range), fromStatus: status.from, toStatus: status.to },
      { timeoutMs },
    );
  }
}
