import type { Overview } from '../../api/statistics.js';
import { isFiltered, type FilterSet } from '../../filters/filter-set.js';
import { AI_TYPES } from '../../ui/agent-types.js';

/** Returns which figures the filters don't determine: all of the visits count towards the others, or none do. */
export function getShownFigures(overview: Overview, filters: FilterSet) {
  const { current, previous } = overview;
  const [ai, previousAi] = [aiVisits(overview.series), aiVisits(overview.previous_series)];
  const isAllOrNone = ai + previousAi === 0 || (ai === current.agent_visits && previousAi === previous.agent_visits);
  const shown = {
    hasAi: filters.type === undefined && filters.not_type === undefined && !(isFiltered(filters) && isAllOrNone),
    hasAgents: !isFiltered(filters) || Math.max(current.agents, previous.agents) > 1,
    hasVerdicts:
      filters.result === undefined && !(isFiltered(filters) && current.agent_visits + previous.agent_visits === 0),
    hasOthers:
      !isFiltered(filters) || (filters.result === undefined && current.unknown_agent + previous.unknown_agent > 0),
  };
  const { hasAi, hasAgents, hasVerdicts, hasOthers } = shown;
  return { ...shown, count: 1 + Number(hasAi) + Number(hasAgents) + 2 * Number(hasVerdicts) + Number(hasOthers) };
}

type SeriesItem = Pick<Overview['series'][number], 'by_type'>;

export const countAi = ({ by_type: byType }: SeriesItem): number =>
  AI_TYPES.reduce((sum, type) => sum + (byType[type] ?? 0), 0);
export const aiVisits = (series: readonly SeriesItem[]): number => series.reduce((sum, item) => sum + countAi(item), 0);
