import { Injectable } from '@nestjs/common';
import { MAX_LOAD_ROWS, PEAK_SECONDS, type LoadGrouping } from '#libs/contracts';
import {
  UNKNOWN_KEY,
  type LoadItem,
  type LoadQuery,
  type LoadRepository,
  type StoredLoad,
} from '../load.repository.js';
import { CLICKHOUSE_PAGE_NAME } from '../page.js';
import type { PublicOf } from '../public-of.js';
import { RESPONSE_FLAGS } from '../response-flags.js';
import type { Snapshot } from '../snapshot.js';
import type { VisitSelection } from '../stored-counts.repository.js';
import { toClickHouseConditions, toClickHousePathCondition, type BindTyped } from '../timeline-filters.js';
import { ClickHouse } from './clickhouse.js';
import { createParameters } from './statement-parameters.js';
import { NO_ITEM, selectionConditions, selectItem } from './stored-counts.repository.js';

const byVisitor = (column: string): string =>
  `if(agent_id IS NULL, '${UNKNOWN_KEY}', concat('=', ifNull(toString(${column}), '')))`;
const PATH = `substringIndex(path, '?', 1)`;
const KEYS: Record<Exclude<LoadGrouping, 'pattern'>, string> = {
  agent: byVisitor('agent_id'),
  operator: byVisitor('operator'),
  type: byVisitor('agent_type'),
  folder: `if(${PATH} LIKE '/%/%', concat('=/', splitByChar('/', ${PATH})[2], '/*'), '=/')`,
  page: `concat('=', ${CLICKHOUSE_PAGE_NAME})`,
};
/** Returns the SQL expression for the key of a visit's group. */
function toKey(by: LoadGrouping, patterns: readonly string[], bind: BindTyped): string {
  if (by !== 'pattern') return KEYS[by];
  if (patterns.length === 0) return `'${UNKNOWN_KEY}'`;
  const cases = patterns.map(
    (pattern) => `${toClickHousePathCondition(pattern, bind)}, ${bind(`=${pattern}`, 'String')}`,
  );
  return `multiIf(${cases.join(', ')}, '${UNKNOWN_KEY}')`;
}

const hasFlag = (flags: number): string => `bitAnd(response_flags, ${flags}) <> 0`;
const DAY_MS = 86_400_000;
const startOf = (lengthMs: number): string => `occurred_at - positiveModulo(occurred_at, ${lengthMs})`;
const P95 = 'quantileExactInclusive(0.95)';

/** Rank of a group among all groups. The total, which has no key, is ranked separately. */
const rank = (column: string): string =>
  `row_number() OVER (PARTITION BY key IS NULL ORDER BY ${column} DESC NULLS LAST, requests DESC, key)`;

type Sums = Omit<StoredLoad, 'peak_requests' | 'peak_at'>;

interface Peak {
  /** One-based index of the group's key. Zero for the total. */
  n: number;
  requests: number;
  at: number;
}

/** Sums up all visits. ClickHouse does so fast enough. */
@Injectable()
export class ClickHouseLoadRepository implements PublicOf<LoadRepository> {
  readonly readsSamples = false;

  constructor(private readonly clickhouse: ClickHouse) {}

  async sum(
    { timeoutMs }: Snapshot,
    projectId: string,
    { by, patterns = [], filters, from, to }: LoadQuery,
  ): Promise<StoredLoad[]> {
    const { parameters, bind } = createParameters();
    const conditions = [
      `project_id = ${bind(projectId, 'UUID')}`,
      ...toClickHouseConditions({ ...filters, from, to }, bind),
    ];
    const key = toKey(by, patterns, bind);
    const visits = `FROM ${this.clickhouse.visits} WHERE ${conditions.join(' AND ')}`;
    const options = { timeoutMs };
    const query = <Row>(text: string): Promise<Row[]> => this.clickhouse.query<Row>(text, parameters, options);
    const groups = await query<Sums>(
      `SELECT * EXCEPT place FROM (
         SELECT *, least(${rank('bytes')}, ${rank('time_us')}) AS place FROM (
       SELECT if(grouping(group_key) = 1, NULL, group_key) AS key, sum(g.requests) AS requests, sum(g.bytes) AS bytes,
         sum(g.bytes_requests) AS bytes_requests, sum(g.sent_requests) AS sent_requests, sum(g.time_us) AS time_us,
         any(g.p95_us) AS p95_us, sum(g.timed_requests) AS timed_requests, sum(g.not_modified) AS not_modified,
         sum(g.status_requests) AS status_requests, sum(g.agent_requests) AS agent_requests,
         sum(g.distinct_agent_requests) AS distinct_agent_requests, sum(g.cache_hits) AS cache_hits,
         sum(g.cache_requests) AS cache_requests
       FROM (
         SELECT ${key} AS group_key, count() AS requests, sum(response_bytes) AS bytes, count(response_bytes) AS bytes_requests,
           countIf(${hasFlag(RESPONSE_FLAGS.sent)}) AS sent_requests, sum(response_us) AS time_us,
           ${P95}(response_us) AS p95_us, count(response_us) AS timed_requests, countIf(status = 304) AS not_modified,
           count(status) AS status_requests, count(agent_id) AS agent_requests,
           uniqExactIf((assumeNotNull(agent_id), path, ${startOf(DAY_MS)}), agent_id IS NOT NULL) AS distinct_agent_requests,
           countIf(${hasFlag(RESPONSE_FLAGS.hit)}) AS cache_hits,
           countIf(${hasFlag(RESPONSE_FLAGS.hit | RESPONSE_FLAGS.miss)}) AS cache_requests
         ${visits} GROUP BY group_key
       ) AS g
       GROUP BY GROUPING SETS ((group_key), ())
         ) ORDER BY key IS NOT NULL, place, key LIMIT ${MAX_LOAD_ROWS + 1}
       ) ORDER BY key IS NOT NULL, bytes DESC NULLS LAST, requests DESC, key`,
    );
    const keys = bind(
      groups.slice(1).map(({ key }) => key),
      'Array(String)',
    );
    const peaks = await query<Peak>(
      `SELECT if(is_total, 0, number) AS n, max((slot_requests, -slot)) AS highest, highest.1 AS requests, -highest.2 AS at
       FROM (
         SELECT grouping(number) = 1 AS is_total, number, slot, count() AS slot_requests
         FROM (SELECT indexOf(${keys}, ${key}) AS number, ${startOf(PEAK_SECONDS * 1000)} AS slot ${visits})
         GROUP BY GROUPING SETS ((number, slot), (slot))
       ) WHERE is_total OR number > 0 GROUP BY n`,
    );
    const [total] = await query<{ p95_us: number | null }>(`SELECT ${P95}(response_us) AS p95_us ${visits}`);
    const peakByNumber = new Map(peaks.map((peak) => [peak.n, peak]));
    return groups.map((group, n) => ({
      ...group,
      ...(n === 0 && { p95_us: total!.p95_us }),
      peak_requests: peakByNumber.get(n)?.requests ?? null,
      peak_at: peakByNumber.get(n)?.at ?? null,
    }));
  }

  async series({ timeoutMs }: Snapshot, projectId: string, selection: VisitSelection): Promise<LoadItem[]> {
    if (selection.agents === null && selection.unknown === null) return [];
    const { parameters, bind } = createParameters();
    const conditions = [
      ...selectionConditions(projectId, selection, bind),
      ...toClickHouseConditions(selection.stored, bind),
    ];
    return this.clickhouse.query(
      `SELECT ${selectItem(selection, bind)} AS item, ifNull(toString(operator), '') AS operator_name, count() AS requests,
         sum(response_bytes) AS bytes, sum(response_us) AS time_us
       FROM ${this.clickhouse.visits} WHERE ${conditions.join(' AND ')}
       GROUP BY item, operator_name HAVING item <> ${NO_ITEM}`,
      parameters,
      { timeoutMs },
    );
  }

  findFirstStored(): never {
    throw new Error('ClickHouse sums up all visits');
  }

  estimate(): never {
    throw new Error('ClickHouse sums up all visits');
  }
}
