import { Text } from '@mantine/core';
import { use } from 'react';
import type { ToolsReport } from '../../api/tools.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { Change } from '../../range/change.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { Columns } from '../../ui/columns.js';
import { Figure } from '../../ui/figure.js';
import { formatTotals } from './checkout-totals.js';
import { sumTools } from './totals.js';

interface ToolFiguresProps {
  report: ToolsReport;
  /** Report of the comparison range. */
  previous: ToolsReport | undefined;
  /** Name of the comparison range, or null for no comparison. */
  before: string | null;
}

/** Numbers of tool calls and checkouts, compared with the range before. */
export function ToolFigures({ report, previous, before }: ToolFiguresProps) {
  const total = sumTools(report);
  const hasEarlierData = use(EarlierDataContext);
  const earlier = hasEarlierData ? previous && sumTools(previous) : undefined;
  const change = (key: keyof typeof total, good?: 'up' | 'down') =>
    earlier && <Change current={total[key]} previous={earlier[key]} before={before} {...(good && { good })} />;
  const hasCalls = total.calls > 0;
  const hasCheckouts = total.checkouts > 0;
  return (
    <div>
      <Columns cols={{ base: 2, sm: 2 * (Number(hasCalls) + Number(hasCheckouts)) }} gap="sm">
        {hasCalls && (
          <>
            <Figure label="Tool calls" value={formatCount(total.calls)} trend={report.series.map(({ calls }) => calls)}>
              {change('calls')}
            </Figure>
            <Figure
              label="Failed tool calls"
              value={formatCount(total.errors)}
              what={`${formatPercent(total.errors / total.calls)} of the calls`}
              trend={total.errors > 0 ? report.series.map(({ errors }) => errors) : undefined}
              trendColor="var(--bar-failed)"
            >
              {change('errors', 'down')}
            </Figure>
          </>
        )}
        {hasCheckouts && (
          <>
            <Figure label="Checkouts started" value={formatCount(total.checkouts)}>
              {change('checkouts')}
            </Figure>
            <Figure
              label="Checkouts completed"
              value={formatCount(total.completed)}
              what={[
                `${formatPercent(total.completed / total.checkouts)} of them`,
                ...formatTotals(report.checkouts.filter(({ state }) => state === 'completed')),
              ].join(', ')}
            >
              {change('completed', 'up')}
            </Figure>
          </>
        )}
      </Columns>
      {before !== null && (
        <Text size="xs" c="dimmed" mt={4}>
          {hasEarlierData ? `Compared with ${before}.` : 'There’s no earlier data to compare with.'}
        </Text>
      )}
    </div>
  );
}
