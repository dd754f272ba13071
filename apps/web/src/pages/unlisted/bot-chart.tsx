import { Card, Skeleton } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { overviewQuery, type Overview } from '../../api/statistics.js';
import type { Suspicion, UnlistedGroup } from '../../api/unlisted-user-agents.js';
import { toComparedSeries, type ChartItem, type ChartSeries } from '../../charts/chart.js';
import { TimeChart } from '../../charts/time-chart.js';
import { describeComparison } from '../../range/comparison.js';
import type { RangeSearch } from '../../range/range.js';
import type { ShownRange } from '../../range/use-range.js';
import { getBotColors, getBotName, MAX_COLORED_BOTS } from './bots.js';

interface BotChartProps {
  title: string;
  projectId: string;
  search: RangeSearch;
  shown: ShownRange;
  suspicion: Suspicion;
  /** Bots, most visits first. */
  ranked: readonly UnlistedGroup[];
  onChange: (change: Partial<RangeSearch>, replace?: boolean) => void;
}

/** Height of the chart without its title, legend and notes, in pixels. */
export const BOT_CHART_HEIGHT_PX = 180;
/** Height of the title, legend and notes, in pixels. */
const FRAME_PX = 119;
const REST = 'rest';

/** Chart of the visits by unknown bots, with a series for each of the first ones. */
export function BotChart({ title, projectId, search, shown, suspicion, ranked, onChange }: BotChartProps) {
  const named = ranked.slice(0, MAX_COLORED_BOTS);
  const filters = { automation: [suspicion] };
  const [total, ...byBot] = useQueries({
    queries: [
      overviewQuery(projectId, shown, filters),
      ...named.map(({ user_agent_group: group }) =>
        overviewQuery(projectId, shown, { ...filters, user_agent_group: [group] }),
      ),
    ],
  }).map(({ data }) => data);
  if (total === undefined || byBot.some((overview) => overview === undefined))
    return (
      <Card withBorder>
        <Skeleton h={BOT_CHART_HEIGHT_PX + FRAME_PX} animate={false} />
      </Card>
    );
  const colors = getBotColors(ranked);
  const toItems = (of: 'series' | 'previous_series'): ChartItem[] => {
    const counts = new Map(named.map((bot, index) => [bot.user_agent_group, byBot[index]![of]]));
    return total[of].map((item, index) => toItem(item, index, counts));
  };
  const items = toItems('series');
  const previous = toItems('previous_series');
  const hasRest = [...items, ...previous].some(({ values }) => values[REST]! > 0);
  const series: ChartSeries[] = [
    ...named.map((bot) => ({
      key: bot.user_agent_group,
      label: getBotName(bot),
      color: colors.get(bot.user_agent_group)!,
    })),
    ...(hasRest ? [{ key: REST, label: 'Others', color: 'var(--kind-unknown)' }] : []),
  ];
  const before = describeComparison(search, shown.timeZone);
  return (
    <Card withBorder>
      <TimeChart
        title={title}
        height={BOT_CHART_HEIGHT_PX}
        series={series}
        items={items}
        comparison={toComparedSeries(before, previous)}
        times={{ bucket: total.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone }}
        range={total}
        onNarrow={(range) => onChange({ ...range, range: undefined })}
        isTable={search.table ?? false}
        onTable={(isTable) => onChange({ table: isTable || undefined }, true)}
      />
    </Card>
  );
}

/** Splits the visits of an item by bot. Counts can be estimates, so the rest is at least 0. */
function toItem(
  { time, visits }: Overview['series'][number],
  index: number,
  counts: ReadonlyMap<string, Overview['series']>,
): ChartItem {
  const values = Object.fromEntries([...counts].map(([group, series]) => [group, series[index]?.visits ?? 0]));
  const sum = Object.values(values).reduce((one, other) => one + other, 0);
  return { time, values: { ...values, [REST]: Math.max(0, visits - sum) } };
}
