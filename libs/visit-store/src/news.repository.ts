import { Injectable } from '@nestjs/common';
import { getFirstIdAt, MAX_SAMPLED_VISITS, type TimelineFilters } from '#libs/contracts';
import { select, type Snapshot } from './snapshot.js';
import { FIRST_FOLDER, PAGE_NAME } from './page.js';
import { timestamp } from './rollups.js';
import type { TimeRange } from './time-range.js';
import { toSqlConditions } from './timeline-filters.js';

/** A sample of the newest agent visits that got an error status. */
export interface ErrorSample {
  visits: number;
  /** Page with the most visits in the sample. Empty if there are no visits. */
  page: string;
  pageVisits: number;
  /** True if there are more visits than the sample contains. */
  isSampled: boolean;
}

/** Number of visits in a quarter hour. */
export interface QuarterCount {
  /** Milliseconds since the epoch. */
  start: number;
  visits: number;
}

/** Visits that claimed to be one agent but failed verification, from one IPv4 /24 network or one IPv6 address. */
export interface FailedVisits {
  agent_id: string | null;
  visits: number;
  /** ID of the most recent visit. `client_address` also comes from this visit. */
  id: string;
  client_address: string | null;
}

/** Number of an agent's visits in two ranges that share a property. */
export interface ChangePart {
  dimension: 'network' | 'result' | 'page' | 'status';
  /**
   * First address of an IPv4 /24 or an IPv6 address, identification result, first folder or page, or status. Empty if
   * unknown.
   */
  value: string;
  visits: number;
  previous_visits: number;
}

/** Two ranges to compare an agent's visits in. */
export interface ChangeRanges {
  range: TimeRange;
  previous: TimeRange;
  /** True to include visits that failed verification. */
  hasSpoofed: boolean;
}

/** Number of visits that claimed to be an agent, by whether the claim was disproved or only couldn't be verified. */
export interface ClaimCount {
  agent_id: string;
  result: 'verification_failed' | 'not_verifiable';
  visits: number;
}

/** Agents whose names a network used, and the range to count its visits in. */
export interface NetworkClaims {
  agentIds: string[];
  /** Network in CIDR notation. */
  network: string;
  range: TimeRange;
}

/** Returns the filters that list the counted visits. */
export const toClaimFilters = ({ agentIds, network, range }: NetworkClaims): Partial<TimelineFilters> => ({
  ...range,
  agent: agentIds,
  address: [network],
  result: ['verification_failed', 'not_verifiable'],
});

/** Agent and IPv6 address of earlier visits that failed verification. */
export type EarlierFailure = Pick<FailedVisits, 'agent_id' | 'client_address'>;

/**
 * SQL expression for the /24 prefix of an IPv4 address, or for the full IPv6 address. Bytes are faster to process than
 * text.
 */
const IPV4_NETWORK = `rtrim(convert_to(client_address, 'UTF8'),
  CASE WHEN strpos(client_address, ':') = 0 THEN '0123456789' ELSE '' END::bytea)`;

/**
 * SQL expression for the client address, as in `visits_full`. If the visit has a form, the address is the document's
 * first value. Text functions extract it without parsing the entire document.
 */
const CLIENT_ADDRESS = `CASE WHEN form IS NULL THEN document ->> 'client_address'
  WHEN starts_with(document::text, '["') THEN split_part(document::text, '"', 2) ELSE document ->> 0 END`;

/**
 * Reads agent visits that failed verification or got an error. Queries `visits` instead of `visits_full`, which takes
 * longer to plan.
 */
@Injectable()
export class NewsRepository {
  /** Maximum number of visits that {@link sampleErrors} and {@link findChangeParts} count. */
  readonly maxErrors: number = MAX_SAMPLED_VISITS;

  /**
   * Returns the newest visits that failed verification, grouped by agent and network, newest first. Excludes IPv4
   * networks from which the same agent's verification already failed earlier. For IPv6, `earlier` contains the
   * addresses that failed earlier.
   *
   * @param since Start of the period to search for earlier failures, in milliseconds since the epoch. It ends where the
   * range starts.
   */
  async findFailedVisits(
    snapshot: Snapshot,
    projectId: string,
    range: TimeRange,
    since: number,
  ): Promise<{ failed: FailedVisits[]; earlier: EarlierFailure[] }> {
    // Compares `result` with a literal, because PostgreSQL can't match a parameter to the partial index. The ID
    // condition lets PostgreSQL skip older partitions, because a visit's ID contains its time of receipt, which is
    // never before `occurred_at`.
    const newest = (columns: string, [from, to, firstId]: [string, string, string]): string =>
      `SELECT agent_id, ${CLIENT_ADDRESS} AS client_address${columns} FROM visits
       WHERE project_id = $1 AND occurred_at >= ${timestamp(from)} AND occurred_at < ${timestamp(to)}
         AND id >= ${firstId}::uuid AND result = 'verification_failed'
       ORDER BY occurred_at DESC, id DESC LIMIT ${MAX_SAMPLED_VISITS}`;
    const rank = ', id, row_number() OVER (ORDER BY occurred_at DESC, id DESC) AS rank';
    const rows = await select<FailedVisits | (EarlierFailure & { visits: null })>(
      snapshot,
      `WITH failed AS MATERIALIZED (${newest(rank, ['$2', '$3', '$4'])}),
       networks AS (
         SELECT agent_id, ${IPV4_NETWORK} AS network, min(rank) AS rank, count(*)::float8 AS visits
         FROM failed GROUP BY 1, 2
       ),
       earlier AS MATERIALIZED (
         SELECT DISTINCT agent_id, ${IPV4_NETWORK} AS network FROM (${newest('', ['$5', '$2', '$6'])}) visits
       )
       SELECT n.agent_id, visits, id, client_address, rank
       FROM networks n JOIN failed USING (rank)
       WHERE NOT EXISTS (SELECT FROM earlier e WHERE e.agent_id = n.agent_id AND e.network = n.network)
       UNION ALL SELECT agent_id, NULL, NULL, convert_from(network, 'UTF8'), NULL FROM earlier WHERE position(':' IN network) > 0
       ORDER BY rank`,
      [projectId, range.from, range.to, getFirstIdAt(range.from), since, getFirstIdAt(since)],
    );
    return {
      failed: rows.filter((row) => row.visits !== null),
      earlier: rows.filter((row) => row.visits === null),
    };
  }

  /**
   * Returns an agent's visits in two ranges by network, result, page and status.
   *
   * Only reads the newest {@link maxErrors} visits of each range, so call it for agents with fewer visits.
   */
  findChangeParts(
    snapshot: Snapshot,
    projectId: string,
    agentId: string,
    { range, previous, hasSpoofed }: ChangeRanges,
  ): Promise<ChangePart[]> {
    const newest = (isCurrent: boolean, [from, to, firstId]: [string, string, string]): string =>
      `(SELECT ${isCurrent} AS is_current, ${CLIENT_ADDRESS} AS client_address, result, ${PAGE_NAME} AS page, status
       FROM visits WHERE project_id = $1 AND agent_id = $2
         AND occurred_at >= ${timestamp(from)} AND occurred_at < ${timestamp(to)} AND id >= ${firstId}::uuid
         AND ($9::boolean OR result <> 'verification_failed')
       ORDER BY occurred_at DESC, id DESC LIMIT ${MAX_SAMPLED_VISITS})`;
    return select<ChangePart>(
      snapshot,
      `SELECT dimension, coalesce(value, '') AS value, (count(*) FILTER (WHERE is_current))::float8 AS visits,
         (count(*) FILTER (WHERE NOT is_current))::float8 AS previous_visits
       FROM (${newest(true, ['$3', '$4', '$5'])} UNION ALL ${newest(false, ['$6', '$7', '$8'])}) both_ranges,
         LATERAL (VALUES ('network', CASE WHEN strpos(client_address, ':') = 0
             THEN rtrim(client_address, '0123456789') || '0' ELSE client_address END),
           ('result', result), ('page', ${FIRST_FOLDER}), ('status', status::text)) parts (dimension, value)
       GROUP BY 1, 2`,
      [
        projectId,
        agentId,
        range.from,
        range.to,
        getFirstIdAt(range.from),
        previous.from,
        previous.to,
        getFirstIdAt(previous.from),
        hasSpoofed,
      ],
    );
  }

  /** Counts a network's visits that claimed to be one of the agents without being verified. */
  countClaims(snapshot: Snapshot, projectId: string, claims: NetworkClaims): Promise<ClaimCount[]> {
    const parameters: unknown[] = [projectId];
    const conditions = toSqlConditions(toClaimFilters(claims), (parameter) => `$${parameters.push(parameter)}`);
    return select<ClaimCount>(
      snapshot,
      `SELECT agent_id, result, count(*)::float8 AS visits FROM visits_full
       WHERE project_id = $1 AND ${conditions.join(' AND ')} GROUP BY 1, 2`,
      parameters,
    );
  }

  /** @param status Range of status codes, such as 500 to 600. The end is exclusive. */
  async sampleErrors(snapshot: Snapshot, projectId: string, range: TimeRange, status: TimeRange): Promise<ErrorSample> {
    const [row] = await select<{ visits: number; page: string; page_visits: number }>(
      snapshot,
      // The ID condition lets PostgreSQL skip older partitions, because a visit's ID contains its time of receipt,
      // which is never before `occurred_at`.
      `SELECT sum(count(*)) OVER ()::float8 AS visits, page, count(*)::float8 AS page_visits
       FROM (
         SELECT ${PAGE_NAME} AS page FROM visits
         WHERE project_id = $1 AND occurred_at >= ${timestamp('$2')} AND occurred_at < ${timestamp('$3')}
           AND id >= $4::uuid AND agent_id IS NOT NULL AND status >= $5 AND status < $6
         ORDER BY occurred_at DESC, id DESC LIMIT $7
       ) newest GROUP BY page ORDER BY page_visits DESC, page LIMIT 1`,
      [projectId, range.from, range.to, getFirstIdAt(range.from), status.from, status.to, MAX_SAMPLED_VISITS + 1],
    );
    const { visits, page, page_visits: pageVisits } = row ?? { visits: 0, page: '', page_visits: 0 };
    return {
      visits: Math.min(visits, MAX_SAMPLED_VISITS),
      page,
      pageVisits,
      isSampled: visits > MAX_SAMPLED_VISITS,
    };
  }

  /** Counts the errors of {@link sampleErrors} by quarter hour, without those that have none, in chronological order. */
  countErrors(snapshot: Snapshot, projectId: string, range: TimeRange, status: TimeRange): Promise<QuarterCount[]> {
    return select<QuarterCount>(
      snapshot,
      `SELECT floor(extract(epoch FROM occurred_at) / 900)::float8 * 900000 AS start, count(*)::float8 AS visits
       FROM visits
       WHERE project_id = $1 AND occurred_at >= ${timestamp('$2')} AND occurred_at < ${timestamp('$3')}
         AND id >= $4::uuid AND agent_id IS NOT NULL AND status >= $5 AND status < $6
       GROUP BY 1 ORDER BY 1`,
      [projectId, range.from, range.to, getFirstIdAt(range.from), status.from, status.to],
    );
  }
}
