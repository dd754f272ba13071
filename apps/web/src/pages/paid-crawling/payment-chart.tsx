import { Card } from '@mantine/core';
import type { PaymentsReport } from '../../api/payments.js';
import { MatchingVisits } from '../../charts/matching-visits.js';
import { TimeChart } from '../../charts/time-chart.js';
import type { ShownRange } from '../../range/use-range.js';
import { Segments } from '../../ui/segments.js';
import { PAYMENT_SERIES, toSeriesItems } from '../../payments/payment-series.js';
import type { PaidCrawlingSearch, PaymentSplit } from './search.js';

const SPLITS: readonly { value: PaymentSplit; label: string }[] = [
  { value: 'reaction', label: 'By reaction' },
  { value: 'type', label: 'By agent type' },
];

interface PaymentChartProps {
  projectId: string;
  report: PaymentsReport;
  search: PaidCrawlingSearch;
  shown: ShownRange;
  onChange: (change: Partial<PaidCrawlingSearch>, replace?: boolean) => void;
}

/** Requests to pay over time, by the agents' reaction or by agent type. */
export function PaymentChart({ projectId, report, search, shown, onChange }: PaymentChartProps) {
  const split = search.split ?? 'reaction';
  const aside = (
    <Segments
      label="Split by"
      options={SPLITS}
      value={split}
      onChange={(value) => onChange({ split: value === 'reaction' ? undefined : value }, true)}
    />
  );
  if (split === 'type') {
    return (
      <MatchingVisits
        title="Requests to pay (status 402)"
        aside={aside}
        projectId={projectId}
        search={{ ...search, compare: 'none' }}
        shown={{ ...shown, compareFrom: 'none' }}
        filters={{ status: ['402'] }}
        onChange={onChange}
      />
    );
  }
  const items = toSeriesItems(report);
  return (
    <Card withBorder>
      <TimeChart
        title="Requests to pay"
        aside={aside}
        series={PAYMENT_SERIES.filter(({ key }) => items.some(({ values }) => values[key]! > 0))}
        items={items}
        times={{ bucket: report.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone }}
        range={report}
        onNarrow={(range) => onChange({ ...range, range: undefined })}
        isTable={search.table ?? false}
        onTable={(isTable) => onChange({ table: isTable || undefined }, true)}
      />
    </Card>
  );
}
