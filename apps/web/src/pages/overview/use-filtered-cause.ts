import { useQueries } from '@tanstack/react-query';
import { overviewQuery, type NewsItem, type Overview } from '../../api/statistics.js';
import { isFiltered, type FilterSet } from '../../filters/filter-set.js';
import type { ShownRange } from '../../range/use-range.js';
import { findFilteredCause, listNetworks, type FilteredCause } from './filtered-cause.js';
import { isChangeExplained } from './overview-answer.js';

interface FilteredOverview {
  projectId: string;
  shown: ShownRange;
  filters: FilterSet;
  hasUnknown: boolean;
  overview: Overview | undefined;
  news: readonly NewsItem[];
}

/** Finds the network that explains a change in the filtered visits, by counting the visits of networks in the news. */
export function useFilteredCause({ projectId, shown, filters, hasUnknown, overview, news }: FilteredOverview): {
  cause: FilteredCause | null;
  isPending: boolean;
} {
  const isNeeded =
    isFiltered(filters) &&
    filters.address === undefined &&
    overview !== undefined &&
    isChangeExplained(overview, shown.compareFrom !== 'none', hasUnknown);
  const networks = isNeeded ? listNetworks(news) : [];
  const queries = useQueries({
    queries: networks.map((network) =>
      overviewQuery(projectId, shown, {
        ...(filters as object),
        address: [network],
        visitors: hasUnknown ? 'all' : 'agents',
      }),
    ),
  });
  const counted = networks.flatMap((network, index) => {
    const counts = queries[index]?.data;
    return counts === undefined ? [] : [{ network, counts }];
  });
  return {
    cause: overview === undefined ? null : findFilteredCause(overview, counted, hasUnknown),
    isPending: queries.some(({ isPending }) => isPending),
  };
}
