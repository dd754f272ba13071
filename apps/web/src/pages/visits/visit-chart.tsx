import { Card, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TimeChart } from '../../charts/time-chart.js';
import { toggleFilter, type FilterSet } from '../../filters/filter-set.js';
import { toTimelineQuery } from '../../filters/visit-filters.js';
import type { Range } from '../../range/range.js';
import type { ShownRange } from '../../range/use-range.js';
import { buildChart } from '../../charts/chart-view.js';
import type { VisitsSearch } from './search.js';
import { visitsQuery } from './visits-query.js';
import classes from './visit-chart.module.css';

const HEIGHT_PX = 112;

interface VisitChartProps {
  projectId: string;
  search: VisitsSearch;
  shown: ShownRange;
  /** False if visits by unknown visitors are only counted, so they aren't in the list. */
  hasUnknown: boolean;
  onNarrow: (range: Range) => void;
  onTable: (isTable: boolean) => void;
  onFilters: (set: FilterSet) => void;
}

/** Visits in the list over time, by verdict. */
export function VisitChart({ projectId, search, shown, hasUnknown, onNarrow, onTable, onFilters }: VisitChartProps) {
  const set = toTimelineQuery(search);
  const { timeZone, projectZone } = shown;
  const { data: overview, isError } = useQuery(visitsQuery(projectId, search, shown));
  const chart = overview && buildChart('verdict', overview, { hasUnknown, isCompared: false });
  if (isError) return null;
  return (
    <Card withBorder className={classes['card']!} data-table={search.table}>
      {overview && chart ? (
        <TimeChart
          title="Visits by verdict"
          isCompact
          height={HEIGHT_PX}
          series={chart.series.map(({ filter, ...series }) => ({
            ...series,
            ...(filter !== undefined && {
              onFilter: (isExcluded: boolean) => {
                const [name, value] = filter;
                onFilters(toggleFilter(set as FilterSet, { key: isExcluded ? `not_${name}` : name, value }));
              },
            }),
          }))}
          items={chart.items}
          times={{ bucket: overview.bucket, projectZone, timeZone }}
          range={shown}
          onNarrow={onNarrow}
          isTable={search.table ?? false}
          onTable={onTable}
        />
      ) : (
        <Skeleton h="100%" animate={false} />
      )}
    </Card>
  );
}
