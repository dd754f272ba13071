import type { OverviewBreakdown } from '#libs/contracts';
import type { Overview } from '../api/statistics.js';
import { getAgentSeries } from './agent-series.js';
import type { ChartItem, ChartSeries } from './chart.js';
import { buildTypeSeries, OTHER_SERIES, UNKNOWN_SERIES } from './type-series.js';
import { VERDICT_SERIES } from './verdict-series.js';
import type { FilterName } from '../filters/filter-set.js';
import { agentFilter } from '../range/list-link.js';
import { AGENT_TYPES, AI_TYPES } from '../ui/agent-types.js';

/** Contents of the chart: all visits by a property, or the visits that a tile counts. */
export const CHART_VIEWS = ['type', 'verdict', 'status', 'ai', 'agents', 'spoofed', 'others'] as const;
export type ChartView = (typeof CHART_VIEWS)[number];

type SeriesItem = Overview['series'][number];

interface ViewDefinition {
  title: string;
  /** Breakdown that contains the data. All of them contain the counts by type and result. */
  breakdown: OverviewBreakdown;
}

export const VIEWS: Record<ChartView, ViewDefinition> = {
  type: { title: 'Visits by agent type', breakdown: 'result' },
  verdict: { title: 'Visits by verdict', breakdown: 'result' },
  status: { title: 'Visits by status', breakdown: 'status' },
  ai: { title: 'AI visits by agent type', breakdown: 'result' },
  agents: { title: 'Visits by agent', breakdown: 'agent' },
  spoofed: { title: 'Visits that failed verification', breakdown: 'result' },
  others: { title: 'Visits by unknown visitors', breakdown: 'result' },
};

/** A series, and the filter that selects its visits, if there is one. */
interface FilterableSeries extends ChartSeries {
  filter?: readonly [FilterName, string];
}

interface ChartData {
  series: FilterableSeries[];
  items: ChartItem[];
  previous: ChartItem[];
}

const STATUS_SERIES: readonly ChartSeries[] = [
  { key: '5xx', label: '5xx server errors', color: 'var(--bar-failed)' },
  { key: '4xx', label: '4xx client errors', color: 'var(--bar-open)' },
  { key: '3xx', label: '3xx redirects', color: 'var(--kind-2)' },
  { key: '2xx', label: '2xx success', color: 'var(--bar-verified)' },
  { key: '1xx', label: '1xx informational', color: 'var(--kind-3)' },
  { key: '', label: 'Not reported', color: 'var(--kind-other)' },
  { key: 'not_stored', label: 'No longer stored', color: 'var(--kind-unknown)' },
];

const UNKNOWN_VISITORS: FilterableSeries = {
  key: 'unknown_agent',
  label: 'Unknown visitors',
  color: 'var(--kind-unknown)',
  filter: ['result', 'unknown_agent'],
};

/** Returns the chart's data, or null if the overview was loaded with another breakdown. */
export function buildChart(
  view: ChartView,
  overview: Overview,
  { hasUnknown, isCompared }: { hasUnknown: boolean; isCompared: boolean },
): ChartData | null {
  const previous = isCompared ? overview.previous_series : [];
  if (view === 'type') return toFilterable(buildTypeSeries(overview.series, AGENT_TYPES, hasUnknown, previous));
  if (view === 'ai') {
    return toFilterable(buildTypeSeries(overview.series.map(pickAi), AGENT_TYPES, false, previous.map(pickAi)));
  }
  const [getCounts, series] = getCountedSeries(view, overview, hasUnknown);
  const toItem = (item: SeriesItem): ChartItem[] => {
    const values = getCounts(item);
    return values === undefined ? [] : [{ time: item.time, values }];
  };
  const items = overview.series.flatMap(toItem);
  if (items.length < overview.series.length) return null;
  const previousItems = previous.flatMap(toItem);
  const isUsed = ({ key }: ChartSeries): boolean =>
    [...items, ...previousItems].some(({ values }) => (values[key] ?? 0) > 0);
  return { series: series.length > 1 ? series.filter(isUsed) : [...series], items, previous: previousItems };
}

type CountedSeries = [
  getCounts: (item: SeriesItem) => Record<string, number> | undefined,
  series: readonly FilterableSeries[],
];

function getCountedSeries(
  view: Exclude<ChartView, 'type' | 'ai'>,
  overview: Overview,
  hasUnknown: boolean,
): CountedSeries {
  const verdicts = VERDICT_SERIES.map((series): FilterableSeries => ({ ...series, filter: ['result', series.key] }));
  switch (view) {
    case 'verdict':
      return [({ by_result: counts }) => counts, hasUnknown ? [...verdicts, UNKNOWN_VISITORS] : verdicts];
    case 'spoofed':
      return [({ by_result: counts }) => counts, verdicts.filter(({ key }) => key === 'verification_failed')];
    case 'others':
      return [({ by_result: counts }) => counts, [{ ...UNKNOWN_VISITORS, color: 'var(--kind-unknown)' }]];
    case 'status':
      return [({ by_status: counts }) => counts, STATUS_SERIES.map(toStatusFilter)];
    case 'agents':
      return [({ by_agent: counts }) => counts, toAgentSeries(overview)];
  }
}

const toStatusFilter = (series: ChartSeries): FilterableSeries =>
  series.key === '' || series.key === 'not_stored' ? series : { ...series, filter: ['status', series.key] };

const toAgentSeries = (overview: Overview): FilterableSeries[] =>
  getAgentSeries(overview).map((series, index) => {
    const agent = overview.top_agents[index];
    return agent === undefined ? series : { ...series, filter: ['agent', agentFilter(agent)] };
  });

const pickAi = (item: SeriesItem): SeriesItem => ({
  ...item,
  by_type: Object.fromEntries(Object.entries(item.by_type).filter(([type]) => AI_TYPES.includes(type))),
});

/** Adds filters to series by agent type. "Other types" has none because it combines several types. */
const toFilterable = ({ series, ...data }: ReturnType<typeof buildTypeSeries>): ChartData => ({
  ...data,
  series: series.map((entry) => {
    if (entry.key === UNKNOWN_SERIES) return { ...entry, filter: ['result', 'unknown_agent'] as const };
    return entry.key === OTHER_SERIES ? entry : { ...entry, filter: ['type', entry.label] as const };
  }),
});
