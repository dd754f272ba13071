import { Box } from '@mantine/core';
import { use } from 'react';
import { IDENTIFICATION_RESULTS, RESULTS } from '#libs/agents/vocabulary';
import type { Overview } from '../../api/statistics.js';
import type { Bar, RowLink } from '../../charts/bar-list.js';
import { toListTab } from '../../charts/list-tab.js';
import { sumVisitsByType } from '../../charts/type-series.js';
import type { FilterName } from '../../filters/filter-set.js';
import { formatChange, isNegligible } from '../../format/change.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { agentFilter } from '../../range/list-link.js';
import { describeSample } from './sample-note.js';
import { AgentMark } from '../../ui/agent-mark.js';
import { Columns } from '../../ui/columns.js';
import { TabbedCard } from '../../ui/tabbed-card.js';

/** Matches the length of the lists in the API response. */
const MAX_ROWS = 10;

interface TopListsProps {
  overview: Overview;
  /** Link targets for the rows, or null to render them without links. */
  links: {
    row: (key: FilterName, value: string) => Pick<Bar, 'link' | 'isFilter' | 'onExclude' | 'visitsLink'>;
    agent: (agentId: string) => RowLink;
  } | null;
  /** Name of the comparison range, such as "the 24 hours before", or null to show no comparison. */
  before: string | null;
  /** True if counts include unknown visitors. */
  hasUnknown: boolean;
}

interface VisitCounts {
  visits: number;
  previous_visits?: number;
}

/**
 * Two cards with ranked lists of agents, operators, types, pages, status codes and verdicts. Selecting a row filters
 * the page, and its number links to the visits.
 */
export function TopLists({ overview, links, before, hasUnknown }: TopListsProps) {
  // Without this check, every row would have a misleading change if there were hardly any previous visits.
  const hasEarlierData = use(EarlierDataContext);
  const isCompared =
    before !== null && hasEarlierData && !isNegligible(overview.current.visits, overview.previous.visits);
  const toBarCounts = ({ visits: now, previous_visits: then }: VisitCounts): Pick<Bar, 'visits' | 'change'> => ({
    visits: now,
    change: isCompared && then !== undefined ? formatChange(now, then, false) : undefined,
  });
  const previousTypes = sumVisitsByType(overview.previous_series);
  const bar = (key: FilterName, value: string) => ({ key: value, ...links?.row(key, value) });
  const { current, previous, sample } = overview;
  const toRest = (rows: readonly VisitCounts[]): Bar[] => {
    const visits = current.agent_visits - sumVisits(rows, 'visits');
    const counts = { visits, previous_visits: previous.agent_visits - sumVisits(rows, 'previous_visits') };
    return visits > 0 ? [{ key: '', label: 'All others', ...toBarCounts(counts), isRest: true }] : [];
  };
  const isEstimated = sample?.is_estimated ?? false;
  const estimatedAll = { isEstimated: isEstimated && sample?.of === 'all' };
  const estimatedLists = {
    isEstimated,
    ...(sample?.of === 'lists' && { lead: describeSample(sample) }),
  };
  const who = [
    toListTab(
      {
        title: 'Agents',
        empty: 'No known agents visited.',
        ...estimatedAll,
        bars: [
          ...overview.top_agents.map((agent) => ({
            ...bar('agent', agentFilter(agent)),
            label: agent.agent_token ?? 'No longer in the catalog',
            mark: <AgentMark name={agent.agent_token ?? ''} operator={agent.operator_name} size={18} />,
            detail: agent.agent_type_name && (
              <Box component="span" visibleFrom="sm">
                {agent.agent_type_name}
              </Box>
            ),
            ...toBarCounts(agent),
            ...(links && { pageLink: links.agent(agent.agent_id) }),
          })),
          ...toRest(overview.top_agents),
        ],
      },
      'agents',
    ),
    toListTab(
      {
        title: 'Operators',
        empty: 'No agents from known operators visited.',
        ...estimatedAll,
        bars: [
          ...overview.top_operators.map(({ operator_name: operator, ...counts }) => ({
            ...bar('operator', operator),
            label: operator,
            mark: <AgentMark name={operator} operator={operator} size={18} />,
            ...toBarCounts(counts),
          })),
          ...toRest(overview.top_operators),
        ],
      },
      'operators',
    ),
    toListTab(
      {
        title: 'Types',
        empty: 'No known agents visited.',
        ...estimatedAll,
        bars: getTopTypes(overview).map(([type, visits]) => ({
          ...bar('type', type),
          label: type,
          ...toBarCounts({ visits, previous_visits: previousTypes.get(type) ?? 0 }),
        })),
      },
      'types',
    ),
  ];
  const pages = toListTab(
    {
      title: 'Pages',
      empty: 'None.',
      ...estimatedLists,
      bars: overview.top_pages.map(({ path, ...counts }) =>
        path === ''
          ? { key: path, label: 'All others', ...toBarCounts(counts), isRest: true }
          : { ...bar('page', path), label: path, ...toBarCounts(counts) },
      ),
    },
    'pages',
  );
  const results = [
    toListTab(
      {
        title: 'Status codes',
        empty: 'No visits were reported with a status code.',
        ...estimatedLists,
        bars: overview.top_statuses.map(({ status, ...counts }) =>
          status === null
            ? { key: '', label: 'Other or not reported', ...toBarCounts(counts), isRest: true }
            : { ...bar('status', String(status)), label: status, ...toBarCounts(counts) },
        ),
      },
      'statuses',
    ),
    toListTab(
      {
        title: 'Verdicts',
        empty: 'None.',
        ...estimatedAll,
        bars: IDENTIFICATION_RESULTS.filter(
          (result) => current[result] > 0 && (hasUnknown || result !== 'unknown_agent'),
        ).map((result) => ({
          ...bar('result', result),
          label: RESULTS[result].label,
          ...toBarCounts({ visits: current[result], previous_visits: overview.previous[result] }),
        })),
      },
      'verdicts',
    ),
  ];
  // A list of a single agent would only repeat the filter.
  const isOneAgent = links !== null && current.agents === 1 && previous.agents <= 1;
  return (
    <Columns cols={{ base: 1, md: 2 }}>
      {isOneAgent ? (
        <TabbedCard label="Where" tabs={[pages]} />
      ) : (
        <TabbedCard label="Who" {...(links && { param: 'who' })} tabs={who} />
      )}
      <TabbedCard
        label={isOneAgent ? 'How' : 'Where and how'}
        {...(links && { param: 'where' })}
        tabs={isOneAgent ? results : [pages, ...results]}
      />
    </Columns>
  );
}

const sumVisits = (rows: readonly VisitCounts[], key: 'visits' | 'previous_visits'): number =>
  rows.reduce((sum, row) => sum + (row[key] ?? 0), 0);

const getTopTypes = ({ series }: Overview): [string, number][] =>
  [...sumVisitsByType(series)].toSorted(([, one], [, other]) => other - one).slice(0, MAX_ROWS);
