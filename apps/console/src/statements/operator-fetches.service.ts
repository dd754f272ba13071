import { Injectable } from '@nestjs/common';
import {
  completeQuery,
  exportVisits,
  MAX_STATEMENT_FETCHES,
  timelineCursor,
  type TimelineVisit,
} from '#libs/contracts';
import { invalidQueryError } from '#libs/platform';
import { CountsRepository, TimelineRepository, type Series, type TimeRange } from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentNamesRepository } from '../statistics/agent-names.repository.js';
import { FetchCounter } from './fetch-counter.js';
import { toDay, type CountedDays } from './statement-builder.js';
import { listPurposes } from './statement-text.js';

const DAY_MS = 86_400_000;
/** Maximum number of fetches per page. Pages with large fetches contain fewer. */
const MAX_PAGE_FETCHES = 1_000;

/** An operator and its agents. */
export interface Operator {
  /** Name as in the catalog, or in the stored visits. */
  name: string;
  /** Returns the names of an agent's purposes. */
  getPurposes: (agentId: string) => string[];
  counted: CountedDays;
}

/** Reads the fetches by an operator's agents. */
@Injectable()
export class OperatorFetchesService {
  constructor(
    private readonly timeline: TimelineRepository,
    private readonly counts: CountsRepository,
    private readonly reads: SnapshotReader,
    private readonly names: AgentNamesRepository,
  ) {}

  /**
   * Finds an operator by name, regardless of case, and counts its visits by day.
   *
   * @param range UTC days.
   * @throws {ProblemError} 422 if the operator is unknown or has too many fetches in the range.
   */
  async findOperator(projectId: string, name: string, range: TimeRange): Promise<Operator> {
    const catalog = await this.names.list();
    const agents = catalog.filter(({ operator_name: operator }) => operator?.toLowerCase() === name.toLowerCase());
    const operator = agents.find(({ operator_name: exact }) => exact === name) ?? agents[0];
    const operatorName = operator?.operator_name ?? name;
    if (operator === undefined && !(await this.hasFetches(projectId, name, range))) {
      throw invalidQueryError([
        {
          pointer: '/operator',
          detail: `is neither the operator of an agent in the catalog nor of a visit in the range (got ${JSON.stringify(name.slice(0, 100))})`,
        },
      ]);
    }
    const ids = agents.filter((agent) => agent.operator_name === operatorName).map(({ agent_id: id }) => id);
    const purposes = new Map(catalog.map(({ agent_id: id, behaviors }) => [id, listPurposes(behaviors ?? [])]));
    const counted = await this.countByDay(projectId, range, ids);
    if (counted.operator.values().reduce((sum, visits) => sum + visits, 0) > MAX_STATEMENT_FETCHES)
      throw tooManyError();
    return { name: operatorName, getPurposes: (id) => purposes.get(id) ?? [], counted };
  }

  /**
   * Reads and counts all of the operator's fetches, from the oldest to the newest.
   *
   * @throws {ProblemError} 422 if there are too many.
   */
  async count(
    projectId: string,
    { name, getPurposes }: Operator,
    range: TimeRange,
    { includesAddresses, signal }: { includesAddresses: boolean; signal: AbortSignal },
  ): Promise<FetchCounter> {
    const counter = new FetchCounter(getPurposes, includesAddresses);
    const filters = createFilters(name, range);
    for (let cursor: string | null | undefined; cursor !== null;) {
      signal.throwIfAborted();
      const { documents, nextCursor } = await this.timeline.page(projectId, {
        ...filters,
        order: 'oldest',
        limit: MAX_PAGE_FETCHES,
        cursor: cursor === undefined ? null : timelineCursor.read(cursor),
      });
      for (const document of documents) counter.add(JSON.parse(document) as TimelineVisit);
      if (counter.fetches > MAX_STATEMENT_FETCHES) throw tooManyError();
      cursor = nextCursor;
    }
    return counter;
  }

  private async hasFetches(projectId: string, operator: string, range: TimeRange): Promise<boolean> {
    const query = { ...createFilters(operator, range), limit: 1, cursor: null };
    return (await this.timeline.page(projectId, query)).documents.length > 0;
  }

  private countByDay(projectId: string, { from, to }: TimeRange, agentIds: readonly string[]): Promise<CountedDays> {
    const starts = Array.from({ length: (to - from) / DAY_MS }, (_, index) => from + index * DAY_MS);
    const series: Series = { from, to, bucket: '1d', timeZone: 'UTC', starts };
    return this.reads.read(async (snapshot) => ({
      all: sumByDay(await this.counts.byTypeAndResult(snapshot, projectId, series), starts),
      operator: sumByDay(await this.counts.byTypeAndResult(snapshot, projectId, series, agentIds), starts),
    }));
  }
}

const createFilters = (operator: string, { from, to }: TimeRange) =>
  completeQuery(exportVisits, { operator: [operator], from, to });

function sumByDay(counts: readonly { item: number; visits: number }[], starts: readonly number[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { item, visits } of counts) {
    const day = toDay(starts[item]!);
    sums.set(day, (sums.get(day) ?? 0) + visits);
  }
  return sums;
}

const tooManyError = (): Error =>
  invalidQueryError([
    {
      pointer: '/from',
      detail: `starts a range with more than ${MAX_STATEMENT_FETCHES.toLocaleString('en-US')} fetches by the operator. Choose a shorter range`,
    },
  ]);
