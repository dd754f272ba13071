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
  const worth = formatTotals(report.checkouts.filter(({ state }) => state === 'completed'));
  return (
    <div>
      <Columns cols={{ base: 2, sm: 4 }} gap="sm">
        <Figure label="Tool calls" value={formatCount(total.calls)}>
          {change('calls')}
        </Figure>
        <Figure
          label="Failed tool calls"
          value={formatCount(total.errors)}
          what={total.errors > 0 ? `${formatPercent(total.errors / total.calls)} of the calls` : undefined}
        >
          {change('errors', 'down')}
        </Figure>
        <Figure label="Checkouts started" value={formatCount(total.checkouts)}>
          {change('checkouts')}
        </Figure>
        <Figure
          label="Checkouts completed"
          value={formatCount(total.completed)}
          what={
            total.completed === 0
              ? undefined
              : `${formatPercent(total.completed / total.checkouts)} of checkouts${worth.length === 0 ? '' : `, worth ${worth.join(' and ')}`}`
          }
        >
          {change('completed', 'up')}
        </Figure>
      </Columns>
      {before !== null && (
        <Text size="xs" c="dimmed" mt={4}>
          {hasEarlierData ? `Compared with ${before}.` : 'There’s no earlier data to compare with.'}
        </Text>
      )}
    </div>
  );
}
