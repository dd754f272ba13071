import { Injectable } from '@nestjs/common';
import { parseDimension, MAX_REFERRAL_PAGES, type Referrals } from '#libs/contracts';
import {
  CountsRepository,
  type DimensionCount,
  DimensionsRepository,
  ReferralPagesRepository,
  type Snapshot,
} from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentNamesRepository, type AgentNames } from './agent-names.repository.js';
import { AssistantOperatorsRepository } from './assistant-operators.repository.js';
import { getPurpose } from './crawl-purpose.js';
import { describeComparison } from './overview.service.js';
import type { ComparedSeries, TimeRange } from './time-range.js';
import { VisitsByName } from './visit-counts.js';

const SEARCH_ENGINE = 'Search Engine Crawler';
const isAiType = (type: string | null): boolean => type?.includes('AI ') ?? false;

type Operator = Referrals['operators'][number];
type PageCount = Awaited<ReturnType<ReferralPagesRepository['topPages']>>[number];

/**
 * Splits a dimension value into its two parts. Both parts are empty for the value that combines all visits over the
 * limit on different values.
 */
const splitValue = (value: string): [string, string] =>
  value === '' ? ['', ''] : (parseDimension(value) as [string, string]);

/** Summarizes the visitors sent by AI assistants, and the pages fetched by the assistants' operators. */
@Injectable()
export class ReferralsService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly dimensions: DimensionsRepository,
    private readonly pages: ReferralPagesRepository,
    private readonly names: AgentNamesRepository,
    private readonly operators: AssistantOperatorsRepository,
  ) {}

  /** Counts visitors by the operator of the assistant that sent them. */
  async countByOperator(snapshot: Snapshot, projectId: string, range: TimeRange): Promise<VisitsByName> {
    const counts = await this.dimensions.sums(snapshot, projectId, range, 'referral');
    return countReferrals(counts, await this.operators.find()).byOperator;
  }

  referrals(projectId: string, compared: ComparedSeries): Promise<Referrals> {
    const { current, previous } = compared;
    return this.reading.read(async (snapshot) => {
      const sums = (range: TimeRange, dimension: string) => this.dimensions.sums(snapshot, projectId, range, dimension);
      const operatorsByAssistant = await this.operators.find();
      const seriesCounts = await this.dimensions.series(snapshot, projectId, current, 'referral');
      const sent = countReferrals(seriesCounts, operatorsByAssistant);
      const sentBefore = countReferrals(await sums(previous, 'referral'), operatorsByAssistant);
      const series = current.starts.map((start): Referrals['series'][number] => ({
        time: new Date(start).toISOString(),
        visits: 0,
        // No prototype, because an assistant can be named `constructor` or `__proto__`.
        by_assistant: Object.create(null) as Record<string, number>,
      }));
      for (const { item, value, visits } of seriesCounts) {
        const [assistant] = splitValue(value);
        const { by_assistant: byAssistant } = series[item]!;
        series[item]!.visits += visits;
        byAssistant[assistant] = (byAssistant[assistant] ?? 0) + visits;
      }
      const pages = await this.pages.topPages(snapshot, projectId, current, MAX_REFERRAL_PAGES);
      const fetched = await sums(current, 'crawl');
      const fetchedBefore = await sums(previous, 'crawl');
      const ids = [...new Set([...fetched, ...fetchedBefore].map(({ value }) => value))].filter((id) => id !== '');
      const nameOf = await this.names.find(snapshot, projectId, ids);
      return {
        ...describeComparison(compared),
        referrals: sent.total,
        previous_referrals: sentBefore.total,
        unknown_visits: await this.counts.countUnknownVisits(snapshot, projectId, current),
        previous_unknown_visits: await this.counts.countUnknownVisits(snapshot, projectId, previous),
        series,
        assistants: sent.byAssistant.top(Infinity).map(([assistant, visits]) => ({
          assistant,
          operator_name: sent.operators.get(assistant) ?? null,
          visits,
          previous_visits: sentBefore.byAssistant.get(assistant),
        })),
        pages: toPages(pages),
        operators: toOperators(
          { fetched, sent: sent.byOperator },
          { fetched: fetchedBefore, sent: sentBefore.byOperator },
          { nameOf, assisting: new Set(operatorsByAssistant.values()) },
        ),
      };
    });
  }
}

/**
 * Counts referrals by assistant and by operator. Uses the assistant's operator in the catalog. For assistants that
 * aren't in the catalog, uses the operator at the time of the visit.
 */
function countReferrals(counts: readonly DimensionCount[], operatorsByAssistant: ReadonlyMap<string, string>) {
  const [byAssistant, byOperator] = [new VisitsByName(), new VisitsByName()];
  const operators = new Map<string, string>();
  let total = 0;
  for (const { value, visits } of counts) {
    const [assistant, operatorAtVisit] = splitValue(value);
    const operator = operatorsByAssistant.get(assistant) ?? operatorAtVisit;
    total += visits;
    byAssistant.add(assistant, visits);
    if (operator === '') continue;
    operators.set(assistant, operator);
    byOperator.add(operator, visits);
  }
  return { byAssistant, byOperator, operators, total };
}

/** Returns the top pages, plus an entry with an empty path for all others. */
function toPages(top: readonly PageCount[]): Referrals['pages'] {
  const rows = [...Map.groupBy(top, ({ page_in_json: page }) => page)]
    .map(([, counts]): Referrals['pages'][number] => {
      const assistants = new VisitsByName();
      for (const { value, visits } of counts) assistants.add(splitValue(value)[0], visits);
      return {
        path: splitValue(counts[0]!.value)[1],
        visits: counts.reduce((sum, { visits }) => sum + visits, 0),
        assistants: assistants.top(Infinity).map(([assistant, visits]) => ({ assistant, visits })),
      };
    })
    .toSorted((one, other) => other.visits - one.visits || (one.path < other.path ? -1 : 1));
  const others = (top[0]?.total ?? 0) - rows.reduce((sum, { visits }) => sum + visits, 0);
  return others === 0 ? rows : [...rows, { path: '', visits: others, assistants: [] }];
}

interface FetchesAndReferrals {
  /** Number of pages fetched, by agent ID. */
  fetched: readonly DimensionCount[];
  sent: VisitsByName;
}

interface OperatorLookups {
  nameOf: (id: string) => AgentNames;
  /** Operators that have an AI assistant. */
  assisting: ReadonlySet<string>;
}

function toOperators(
  current: FetchesAndReferrals,
  previous: FetchesAndReferrals,
  { nameOf, assisting }: OperatorLookups,
): Operator[] {
  const operators = new Map<string, Operator>();
  const listedOperators = new Set(assisting);
  const operator = (name: string): Operator => {
    const entry = operators.get(name) ?? {
      operator_name: name,
      pages_fetched: 0,
      previous_pages_fetched: 0,
      by_purpose: { training: 0, search: 0, user: 0, other: 0 },
      referrals: 0,
      previous_referrals: 0,
      is_search_engine: false,
    };
    operators.set(name, entry);
    return entry;
  };
  for (const { value, visits } of current.fetched) {
    const { operator_name: name, agent_type_name: type } = nameOf(value);
    if (name === null) continue;
    const of = operator(name);
    of.pages_fetched += visits;
    of.by_purpose[getPurpose(type)] += visits;
    of.is_search_engine ||= type === SEARCH_ENGINE;
    if (isAiType(type)) listedOperators.add(name);
  }
  for (const { value, visits } of previous.fetched) {
    const { operator_name: name } = nameOf(value);
    if (name !== null) operator(name).previous_pages_fetched += visits;
  }
  for (const [name, visits] of current.sent.top(Infinity)) operator(name).referrals = visits;
  for (const [name, visits] of previous.sent.top(Infinity)) operator(name).previous_referrals = visits;
  return [...operators.values()]
    .filter((one) => listedOperators.has(one.operator_name) || one.referrals > 0 || one.previous_referrals > 0)
    .filter((one) => one.pages_fetched + one.referrals > 0)
    .toSorted(
      (one, other) =>
        other.pages_fetched - one.pages_fetched ||
        other.referrals - one.referrals ||
        (one.operator_name < other.operator_name ? -1 : 1),
    );
}
