import { Card, UnstyledButton } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { LoadItem, LoadSeries } from '../../api/load.js';
import { toComparedSeries } from '../../charts/chart.js';
import { buildOperatorSeries, type OperatorItem } from '../../charts/operator-series.js';
import { TimeChart } from '../../charts/time-chart.js';
import type { ShownRange } from '../../range/use-range.js';
import type { BusyHours } from './busy-hours.js';
import { MEASURES } from './measures.js';
import type { LoadSearch, Measure } from './search.js';

interface LoadChartProps {
  project: Project;
  search: LoadSearch;
  shown: ShownRange;
  load: LoadSeries;
  /** Load in the comparison range. */
  previous: LoadSeries | undefined;
  /** Name of the comparison range, or null for no comparison. */
  before: string | null;
  measure: Measure;
  busy: BusyHours | null;
  onChange: (change: Partial<LoadSearch>, replace?: boolean) => void;
}

/** Load over time by operator. */
export function LoadChart({ project, search, shown, load, previous, before, measure, busy, onChange }: LoadChartProps) {
  const { label, value, format, formatInChart = format, formatInTable = formatInChart, getUnit } = MEASURES[measure];
  const highest = Math.max(...load.series.map((item) => value(item, project) ?? 0));
  const isTable = search.table ?? false;
  const toItem = (item: LoadItem): OperatorItem => ({
    time: item.time,
    total: value(item, project) ?? 0,
    byOperator: Object.fromEntries(
      item.operators.map((part) => [part.operator_name, value(part, project) ?? 0] as const),
    ),
  });
  const chart = buildOperatorSeries(load.series.map(toItem), previous?.series.map(toItem) ?? [], 'All others');
  const isCut = search.cut === true && busy?.hidesOthers === true;
  return (
    <Card withBorder>
      <TimeChart
        title={`${label} by operator`}
        series={chart.series}
        items={chart.items}
        comparison={previous && toComparedSeries(before, chart.previous)}
        times={{ bucket: load.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone }}
        range={load}
        unit={getUnit(highest)}
        format={(amount) => (isTable ? formatInTable(amount, project, highest) : formatInChart(amount, project))}
        onNarrow={(range) => onChange({ ...range, range: undefined })}
        cut={isCut ? busy.range : undefined}
        aside={
          busy?.hidesOthers &&
          !isTable && (
            <UnstyledButton
              fz="xs"
              c="var(--mantine-color-anchor)"
              onClick={() => onChange({ cut: isCut ? undefined : true }, true)}
            >
              {isCut ? 'Show the full peak' : 'Cut off the peak'}
            </UnstyledButton>
          )
        }
        isTable={isTable}
        onTable={(isTable) => onChange({ table: isTable || undefined }, true)}
      />
    </Card>
  );
}
