import { Injectable } from '@nestjs/common';
import { CLICKHOUSE_PAGE_NAME } from '../page.js';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import {
  BREAKDOWN_COLUMNS,
  addOtherTotal,
  type Population,
  type Slice,
  type StoredCounts,
  type StoredCountsRepository,
  type StoredQuery,
  type VisitSelection,
} from '../stored-counts.repository.js';
import { toClickHouseConditions, type BindTyped } from '../timeline-filters.js';
import { NO_AGENT } from '../visit-counts.js';
import { ClickHouse } from './clickhouse.js';
import { createParameters } from './statement-parameters.js';

/** Groups of visits. Each group is an array of its columns. */
interface Groups {
  counts: [agentId: string | null, agentType: string | null, result: string, visits: number, lastAt: number][];
  types: [item: number, agentType: string | null, result: string, visits: number][];
  /** The most frequent pages, with the negated number of visits. */
  pages: [negatedVisits: number, page: string][];
  statuses: [status: number, visits: number][];
  breakdown?: [item: number, value: string | null, visits: number][];
}

/** Item of visits that are between two slices. They are newer than the counts. */
export const NO_ITEM = -1;

/** Counts all stored visits, whatever the `max` of the slices. */
@Injectable()
export class ClickHouseStoredCountsRepository implements PublicOf<StoredCountsRepository> {
  readonly readsSamples = false;

  constructor(private readonly clickhouse: ClickHouse) {}

  async count({ timeoutMs }: Snapshot, projectId: string, query: StoredQuery): Promise<StoredCounts> {
    const slices = listSlices(query);
    if (slices.length === 0)
      return {
        counts: [],
        types: [],
        pages: [],
        statuses: [],
        breakdown: [],
        read: 0,
        counted: 0,
        notStored: 0,
        isEstimated: false,
      };
    const { parameters, bind } = createParameters();
    const passes = selectionConditions(projectId, query, bind);
    const stored = toClickHouseConditions(query.stored, bind);
    const text = groupingStatement(this.clickhouse.visits, [...passes, ...stored], query, bind);
    const [[groups], [all]] = await Promise.all([
      this.clickhouse.query<Groups>(text, parameters, { timeoutMs }),
      stored.length === 0
        ? [null]
        : this.clickhouse.query<{ visits: number }>(
            `SELECT count() AS visits FROM ${this.clickhouse.visits} WHERE ${passes.join(' AND ')}`,
            parameters,
            { timeoutMs },
          ),
    ]);
    const { counts, types, pages, statuses, breakdown = [] } = groups!;
    const sum = (all: readonly number[]): number => all.reduce((total, visits) => total + visits, 0);
    const listed = query.lists === 'all' ? counts : counts.filter(([agentId]) => agentId !== null);
    const read = all?.visits ?? sum(counts.map(([, , , visits]) => visits));
    const counted = sum(slices.map((slice) => slice.counted));
    return {
      counts: counts.map(([id, type, result, visits, lastAt]) => ({
        agent_id: id ?? NO_AGENT,
        agent_type: type ?? '',
        result,
        visits,
        last_at: new Date(lastAt),
      })),
      types: types.map(([item, type, result, visits]) => ({ item, agent_type: type ?? '', result, visits })),
      pages: addOtherTotal(
        pages.map(([negatedVisits, value]) => ({ value, visits: -negatedVisits })),
        sum(listed.map(([, , , visits]) => visits)),
        query.maxRows,
      ),
      statuses: addOtherTotal(
        statuses
          .map(([status, visits]) => ({ value: String(status), visits }))
          .toSorted((one, other) => other.visits - one.visits || (one.value < other.value ? -1 : 1))
          .slice(0, query.maxRows),
        sum(statuses.map(([, visits]) => visits)),
        query.maxRows,
      ),
      breakdown: breakdown.map(([item, value, visits]) => ({ item, value, visits })),
      read,
      counted,
      notStored: Math.max(0, counted - read),
      isEstimated: false,
    };
  }
}

const listSlices = ({ agents, unknown }: VisitSelection): Slice[] => [
  ...(agents?.slices ?? []),
  ...(unknown?.slices ?? []),
];

/** Returns conditions for visits in the time range of the slices that match the `counted` filters. */
export function selectionConditions(projectId: string, selection: VisitSelection, bind: BindTyped): string[] {
  const slices = listSlices(selection);
  return [
    `project_id = ${bind(projectId, 'UUID')}`,
    `occurred_at >= ${bind(Math.min(...slices.map(({ from }) => from)), 'Int64')}`,
    `occurred_at < ${bind(Math.max(...slices.map(({ to }) => to)), 'Int64')}`,
    ...populationConditions(selection, bind),
  ];
}

/** Returns an expression for the item of a visit, or {@link NO_ITEM}. */
export function selectItem(selection: VisitSelection, bind: BindTyped): string {
  const itemsByStart = new Map<number, number>();
  for (const { from, to, item } of listSlices(selection)) {
    itemsByStart.set(from, item);
    if (!itemsByStart.has(to)) itemsByStart.set(to, NO_ITEM);
  }
  const entries = [...itemsByStart].toSorted(([one], [other]) => one - other);
  const starts = bind(
    entries.map(([start]) => start),
    'Array(Int64)',
  );
  const items = bind(
    entries.map(([, item]) => item),
    'Array(Int32)',
  );
  return `transform(roundDown(occurred_at, ${starts}), ${starts}, ${items})`;
}

/** Returns conditions for visits of the populations that match the `counted` filters. */
function populationConditions({ agents, unknown, counted }: VisitSelection, bind: BindTyped): string[] {
  if (agents === null) return ['agent_id IS NULL'];
  const conditions = [...readConditions(agents, bind), ...toClickHouseConditions(counted, bind)];
  if (unknown === null) return ['agent_id IS NOT NULL', ...conditions];
  return conditions.length === 0 ? [] : [`(agent_id IS NULL OR ${conditions.join(' AND ')})`];
}

function readConditions({ read }: Population, bind: BindTyped): string[] {
  if (read === 'all') return [];
  return toClickHouseConditions(
    read === 'failed' ? { result: ['verification_failed'] } : { agent: [...read.agentIds] },
    bind,
  );
}

/** Returns a statement that reads the visits once and returns one row with all groups. */
function groupingStatement(visits: string, conditions: readonly string[], query: StoredQuery, bind: BindTyped): string {
  const { lists, maxRows, breakdown } = query;
  const column = breakdown && BREAKDOWN_COLUMNS[breakdown];
  const isBreakdown = `grouped_by = 'breakdown' AND item <> ${NO_ITEM} AND listed > 0`;
  return `SELECT groupArrayIf((agent_id, agent_type, result, visits, last_at), grouped_by = 'agent') AS counts,
      groupArrayIf((item, agent_type, result, visits), grouped_by = 'item' AND item <> ${NO_ITEM}) AS types,
      groupArraySortedIf(${maxRows})((-listed, page), grouped_by = 'page' AND listed > 0) AS pages,
      groupArrayIf((status, listed), grouped_by = 'status' AND status IS NOT NULL AND listed > 0) AS statuses${
        column ? `, groupArrayIf((item, toString(${column}), listed), ${isBreakdown}) AS breakdown` : ''
      }
    FROM (
      SELECT multiIf(${column ? `grouping(item) + grouping(${column}) = 0, 'breakdown', ` : ''}grouping(agent_id) = 0, 'agent', grouping(item) = 0, 'item', grouping(page) = 0, 'page', 'status')
          AS grouped_by,
        agent_id, agent_type, result, ${selectItem(query, bind)} AS item,
        ${CLICKHOUSE_PAGE_NAME} AS page, status,
        count() AS visits, toInt64(${lists === 'all' ? 'count()' : 'count(agent_id)'}) AS listed, max(occurred_at) AS last_at
      FROM ${visits} WHERE ${conditions.join(' AND ')}
      GROUP BY GROUPING SETS ((agent_id, agent_type, result), (item, agent_type, result), (page), (status)${column ? `, (item, ${column})` : ''})
    )`;
}
