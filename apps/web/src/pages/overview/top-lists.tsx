import { SimpleGrid } from '@mantine/core';
import { IDENTIFICATION_RESULTS, RESULTS } from '#libs/agents/vocabulary';
import type { Overview } from '../../api/statistics.js';
import { BarList, type Bar, type RowLink } from '../../charts/bar-list.js';
import { visitsByType } from '../../charts/type-series.js';
import type { FilterName } from '../../filters/filter-set.js';
import { changeText, isNearlyNone } from '../../format/change.js';
import { agentFilter } from '../../range/list-link.js';
import { readSentence } from './sample-note.js';

/** Length of the lists in the API response. */
const MAX_TYPES = 10;

interface TopListsProps {
  overview: Overview;
  /** Link targets of the rows, or null for rows without links. */
  links: {
    row: (key: FilterName, value: string) => Pick<Bar, 'link' | 'isFilter' | 'onExclude' | 'visitsLink'>;
    agent: (agentId: string) => RowLink;
  } | null;
  /** Name of the comparison range, such as "the 24 hours before", or null for no comparison. */
  before: string | null;
  /** True if unknown visitors are counted, too. */
  hasUnknown: boolean;
}

interface Counted {
  visits: number;
  previous_visits?: number;
}

/**
 * Ranked lists of agents, operators, types, verdicts, pages and status codes. A row filters the page; its number links
 * to the visits.
 */
export function TopLists({ overview, links, before, hasUnknown }: TopListsProps) {
  // With hardly any previous visits, every row would be labeled "new".
  const isCompared = before !== null && !isNearlyNone(overview.current.visits, overview.previous.visits);
  const counted = ({ visits: now, previous_visits: then }: Counted): Pick<Bar, 'visits' | 'change'> => ({
    visits: now,
    change: isCompared && then !== undefined ? changeText(now, then, false) : undefined,
  });
  const typesBefore = visitsByType(overview.previous_series);
  const bar = (key: FilterName, value: string) => ({ key: value, ...links?.row(key, value) });
  const { current, sample } = overview;
  const isEstimated = sample?.is_estimated ?? false;
  const estimatedAll = { isEstimated: isEstimated && sample?.of === 'all' };
  const estimatedLists = {
    isEstimated,
    ...(sample?.of === 'lists' && { lead: readSentence(sample) }),
  };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="lg">
      <BarList
        title="Agents"
        empty="No known agents visited."
        {...estimatedAll}
        bars={overview.top_agents.map((agent) => ({
          ...bar('agent', agentFilter(agent)),
          label: agent.agent_token ?? 'No longer in the catalog',
          detail: agent.agent_type_name,
          ...counted(agent),
          ...(links && { pageLink: links.agent(agent.agent_id) }),
        }))}
      />
      <BarList
        title="Operators"
        empty="No agents of known operators visited."
        {...estimatedAll}
        bars={overview.top_operators.map(({ operator_name: operator, ...counts }) => ({
          ...bar('operator', operator),
          label: operator,
          ...counted(counts),
        }))}
      />
      <BarList
        title="Agent types"
        empty="No known agents visited."
        {...estimatedAll}
        bars={typesOf(overview).map(([type, visits]) => ({
          ...bar('type', type),
          label: type,
          ...counted({ visits, previous_visits: typesBefore.get(type) ?? 0 }),
        }))}
      />
      <BarList
        title="Verdicts"
        empty="None."
        {...estimatedAll}
        bars={IDENTIFICATION_RESULTS.filter(
          (result) => current[result] > 0 && (hasUnknown || result !== 'unknown_agent'),
        ).map((result) => ({
          ...bar('result', result),
          label: RESULTS[result].label,
          ...counted({ visits: current[result], previous_visits: overview.previous[result] }),
        }))}
      />
      <BarList
        title="Pages"
        empty="None."
        {...estimatedLists}
        bars={overview.top_pages.map(({ path, ...counts }) =>
          path === ''
            ? { key: path, label: 'All others', ...counted(counts), isRest: true }
            : { ...bar('page', path), label: path, ...counted(counts) },
        )}
      />
      <BarList
        title="Status codes"
        empty="No visit was reported with a status code."
        {...estimatedLists}
        bars={overview.top_statuses.map(({ status, ...counts }) =>
          status === null
            ? { key: '', label: 'All others, or none reported', ...counted(counts), isRest: true }
            : { ...bar('status', String(status)), label: status, ...counted(counts) },
        )}
      />
    </SimpleGrid>
  );
}

const typesOf = ({ series }: Overview): [string, number][] =>
  [...visitsByType(series)].toSorted(([, one], [, other]) => other - one).slice(0, MAX_TYPES);
