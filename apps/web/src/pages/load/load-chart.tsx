import { Card, Skeleton } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { LoadSeries } from '../../api/load.js';
import { CHART_HEIGHT_PX } from '../../charts/chart.js';
import { MatchingVisits } from '../../charts/matching-visits.js';
import { TimeChart } from '../../charts/time-chart.js';
import type { FilterSet } from '../../filters/filter-set.js';
import type { ShownRange } from '../../range/use-range.js';
import { Segments } from '../../ui/segments.js';
import { MEASURES } from './measures.js';
import type { LoadSearch, Measure } from './search.js';

interface LoadChartProps {
  project: Project;
  search: LoadSearch;
  shown: ShownRange;
  /** Filters of the visits that the page counts. */
  counted: FilterSet;
  /** Undefined while it's loading. */
  load: LoadSeries | undefined;
  measures: readonly Measure[];
  measure: Measure;
  onChange: (change: Partial<LoadSearch>, replace?: boolean) => void;
}

/** Load over time. Requests are divided by agent type. */
export function LoadChart({ project, search, shown, counted, load, measures, measure, onChange }: LoadChartProps) {
  const { label, value, format, formatInChart = format, getUnit } = MEASURES[measure];
  const aside = (
    <Segments
      label="Measure"
      value={measure}
      onChange={(selected) => onChange({ measure: selected }, true)}
      options={measures.map((name) => ({ value: name, label: MEASURES[name].label }))}
    />
  );
  if (measure === 'requests') {
    const props = { projectId: project.id, search, shown, filters: counted, onChange, aside };
    return <MatchingVisits title="Requests by agent type" {...props} />;
  }
  if (load === undefined) {
    return (
      <Card withBorder>
        <Skeleton h={CHART_HEIGHT_PX + 70} animate={false} />
      </Card>
    );
  }
  const items = load.series.map((item) => ({ time: item.time, values: { amount: value(item, project) ?? 0 } }));
  return (
    <Card withBorder>
      <TimeChart
        title={label}
        aside={aside}
        series={[{ key: 'amount', label, color: 'var(--bar)' }]}
        items={items}
        times={{ bucket: load.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone }}
        range={load}
        unit={getUnit(Math.max(...items.map(({ values }) => values.amount)))}
        format={(amount) => formatInChart(amount, project)}
        onNarrow={(range) => onChange({ ...range, range: undefined })}
        isTable={search.table ?? false}
        onTable={(isTable) => onChange({ table: isTable || undefined }, true)}
      />
    </Card>
  );
}
