import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { getLoadCost, hasPrices } from '#libs/contracts/load-cost';
import type { Project } from '../../api/client.js';
import type { Load, LoadReport, LoadSeries } from '../../api/load.js';
import { formatBusySpan } from '../../charts/busy-span.js';
import { isDailyOrLonger, type ChartTimes } from '../../charts/chart-times.js';
import type { RowLink } from '../../charts/bar-list.js';
import { formatBytes } from '../../format/bytes.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { formatSeconds } from '../../format/duration.js';
import { formatAmount } from '../../format/money.js';
import { formatTimeSpan } from '../../format/time-span.js';
import { formatAmounts, formatCoverage, formatMonthlyCost } from '../../load/load-text.js';
import { PeopleSentCount, type PeopleSent } from '../../load/people-sent.js';
import { PriceNotes } from '../../load/price-notes.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Columns } from '../../ui/columns.js';
import { Figure } from '../../ui/figure.js';
import { findBusyTime } from './busy-times.js';
import { MEASURES, type LoadAmounts } from './measures.js';
import { getRowName } from './rows.js';
import type { Measure } from './search.js';

interface HeadlineProps {
  project: Project;
  /** Load by agent. */
  report: LoadReport;
  people: PeopleSent | null;
  measure: Measure;
  /** Load over time. Undefined while it's loading. */
  load: LoadSeries | undefined;
  times: Omit<ChartTimes, 'bucket'>;
  /** Factor that converts the cost to a month, or null to show no such cost. */
  monthlyFactor: number | null;
  linked: LinkedRange;
  visitsLink: RowLink;
  /** Marks estimates. */
  mark: (text: string) => string;
}

/** Summarizes the load and its cost. */
export function Headline(props: HeadlineProps) {
  const { project, report, monthlyFactor, visitsLink, mark } = props;
  const { total } = report;
  const cost = getLoadCost(total, project);
  return (
    <Stack gap="sm">
      <Summary {...props} />
      <Columns cols={{ base: 2, sm: hasPrices(project) ? 4 : 3 }} gap="sm">
        <Figure label="Requests" value={mark(formatCount(total.requests))} link={visitsLink} />
        <Figure
          label="Sent"
          what={toReported(total.bytes_requests, total.requests) ?? undefined}
          value={total.bytes === null ? 'Not reported' : mark(formatBytes(total.bytes))}
          link={visitsLink}
        />
        <Figure
          label="Server time"
          what={
            toReported(total.timed_requests, total.requests) ??
            (total.p95_ms === null ? undefined : `95% of responses took ${formatSeconds(total.p95_ms)} or less`)
          }
          value={total.server_time_ms === null ? 'Not reported' : mark(formatTimeSpan(total.server_time_ms))}
          link={visitsLink}
        />
        {hasPrices(project) && (
          <Figure
            label="Cost"
            what={
              cost === null
                ? 'Nothing that has a price was reported'
                : monthlyFactor === null
                  ? undefined
                  : `At this rate, ${formatMonthlyCost(cost, monthlyFactor, project.currency)}`
            }
            value={cost === null ? 'Unknown' : mark(formatAmount(cost, project.currency))}
            link={visitsLink}
          />
        )}
      </Columns>
    </Stack>
  );
}

/** Notes how many requests reported a value, or null if all did. */
function toReported(reported: number, requests: number): string | null {
  if (reported === 0) return 'By any source in this range';
  const coverage = formatCoverage(reported, requests);
  return coverage === null ? null : `Reported ${coverage}`;
}

/** Names a busy time, if there is one, and the agent that caused the most load. */
function Summary({ project, report, people, measure, load, times, linked, mark }: HeadlineProps) {
  const { value, format } = MEASURES[measure];
  const getValue = (load: Load): number => value(load, project) ?? 0;
  const agents = report.rows.filter((row) => row.value !== null);
  const top = agents.toSorted((one, other) => getValue(other) - getValue(one))[0];
  if (top === undefined || getValue(top) === 0) return <PriceNotes project={project} load={report.total} />;
  const operator = top.operator_name;
  return (
    <Answer
      notes={
        <>
          {operator !== null && people?.has(operator) && (
            <PeopleSentence operator={operator} count={people.get(operator)!.people}>
              <PeopleSentCount project={project} operator={operator} sent={people} linked={linked} />
            </PeopleSentence>
          )}
          <PriceNotes project={project} load={report.total} />
        </>
      }
    >
      {load !== undefined && <BusyTimeSentence {...{ project, measure, load, times, mark }} />}
      <strong>{getRowName('agent', top)}</strong> {LEADS[measure]}:{' '}
      <strong>{mark(format(getValue(top), project))}</strong> ({formatPercent(getValue(top) / getValue(report.total))})
      {measure === 'cost' && ` for ${mark(formatAmounts(top))}`}.
    </Answer>
  );
}

const LEADS: Record<Measure, string> = {
  cost: 'cost the most',
  bytes: 'was sent the most data',
  time: 'used the most server time',
  requests: 'made the most requests',
};

interface BusyTimeProps extends Pick<HeadlineProps, 'project' | 'measure' | 'times' | 'mark'> {
  load: LoadSeries;
}

/** Sentence about a short time that caused much of the load. */
function BusyTimeSentence({ project, measure, load: { series, bucket }, times, mark }: BusyTimeProps) {
  const { value, format, total } = MEASURES[measure];
  const getValue = (item: LoadAmounts): number => value(item, project) ?? 0;
  const busyTime = findBusyTime(series, getValue, isDailyOrLonger(bucket));
  if (busyTime === null) return null;
  const { span, amount, share, reason } = busyTime;
  const starts = series.map(({ time }) => time);
  return (
    <>
      <strong>{formatPercent(share)}</strong> of {total} (
      {mark(`${format(amount, project)} of ${format(amount / share, project)}`)}) came{' '}
      {formatBusySpan(span, starts, { ...times, bucket })}
      {reason !== null && `, ${reason}`}.{' '}
    </>
  );
}

function PeopleSentence({ operator, count, children }: { operator: string; count: number; children: ReactNode }) {
  return count === 0 ? (
    <p>No known visitors came from {operator}’s assistants.</p>
  ) : (
    <p>
      {operator}’s assistants sent at least {children} {count === 1 ? 'person' : 'people'}.
    </p>
  );
}
