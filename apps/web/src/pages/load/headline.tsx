import { Group, Stack } from '@mantine/core';
import { use, type ReactNode } from 'react';
import { getLoadCost, hasPrices } from '#libs/contracts/load-cost';
import { AgentActions } from '../../actions/agent-actions.js';
import type { Project } from '../../api/client.js';
import type { LoadReport, LoadRow, LoadSeries } from '../../api/load.js';
import { formatBusySpan } from '../../charts/busy-span.js';
import { mergeQuarterHours } from '../../charts/merge-quarter-hours.js';
import { toSelectedRange } from '../../charts/selected-range.js';
import { isDailyOrLonger, type ChartTimes } from '../../charts/chart-times.js';
import type { RowLink } from '../../charts/bar-list.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { formatDuration } from '../../format/duration.js';
import { formatCoverage, formatMonthlyCost } from '../../load/load-text.js';
import { PeopleSentCount, type PeopleSent } from '../../load/people-sent.js';
import { PriceNotes } from '../../load/price-notes.js';
import { Change } from '../../range/change.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { agentLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Columns } from '../../ui/columns.js';
import { Figure } from '../../ui/figure.js';
import { TextLink } from '../../ui/text-link.js';
import { findBusyTime } from './busy-times.js';
import { describeChange } from './describe-change.js';
import { describeTopRow } from './describe-top-row.js';
import { ImpostorLoad, type Impostors } from './impostor-load.js';
import { MEASURES, sumAmounts, type LoadAmounts } from './measures.js';
import { getRowName } from './rows.js';
import type { Measure } from './search.js';

/** Minimum share of the load, or of its rise, for which a busy time comes before the agent with the most load. */
const MIN_HEADLINE_SHARE = 0.5;

interface HeadlineProps {
  project: Project;
  /** Load by agent. */
  report: LoadReport;
  people: PeopleSent | null;
  measure: Measure;
  measures: readonly Measure[];
  onMeasure: (measure: Measure) => void;
  /** Load over time. Undefined if it couldn't be loaded. */
  load: LoadSeries | undefined;
  /** Load over time in the comparison range. */
  previous: LoadSeries | undefined;
  /** Name of the comparison range, or null for no comparison. */
  before: string | null;
  times: Omit<ChartTimes, 'bucket'>;
  /** Factor that converts the cost to a month, or null to show no such cost. */
  monthlyFactor: number | null;
  linked: LinkedRange;
  toVisitsLink: (agent?: LoadRow, range?: LinkedRange) => RowLink;
  impostors: Impostors | null;
  /** Marks estimates. */
  mark: (text: string) => string;
}

/** Names the main cause of the load, and shows the key figures. Each selects what the chart shows. */
export function Headline(props: HeadlineProps) {
  const { project, report, measure, measures, onMeasure, load, previous, before } = props;
  const { monthlyFactor, toVisitsLink, mark } = props;
  const { total } = report;
  const cost = getLoadCost(total, project);
  const hasEarlierData = use(EarlierDataContext);
  const earlier = hasEarlierData ? previous && sumAmounts(previous.series) : undefined;
  const figure = (name: Measure) => {
    const getValue = (amounts: LoadAmounts): number | null => MEASURES[name].value(amounts, project);
    const value = getValue(total);
    return {
      label: MEASURES[name].label,
      value:
        value === null ? (name === 'cost' ? 'Unknown' : 'Not reported') : mark(MEASURES[name].format(value, project)),
      trend: measures.includes(name) ? load?.series.map((item) => getValue(item) ?? 0) : undefined,
      ...(measures.includes(name) && { onSelect: () => onMeasure(name), isSelected: name === measure }),
      children:
        value === null || earlier === undefined ? undefined : (
          <Change
            current={value * MEASURES[name].changeScale}
            previous={(getValue(earlier) ?? 0) * MEASURES[name].changeScale}
            before={before}
          />
        ),
    };
  };
  return (
    <Stack gap="sm">
      <Summary {...props} />
      <div>
        <Columns cols={{ base: 2, sm: hasPrices(project) ? 4 : 3 }} gap="sm">
          {hasPrices(project) && (
            <Figure
              {...figure('cost')}
              what={
                cost === null
                  ? 'Nothing that has a price was reported'
                  : monthlyFactor === null
                    ? undefined
                    : `At this rate, ${formatMonthlyCost(cost, monthlyFactor, project.currency)}`
              }
            />
          )}
          <Figure {...figure('bytes')} what={toReported(total.bytes_requests, total.requests)} />
          <Figure
            {...figure('time')}
            what={
              toReported(total.timed_requests, total.requests) ??
              (total.p95_ms === null ? undefined : `95% of responses took ${formatDuration(total.p95_ms)} or less`)
            }
          />
          <Figure {...figure('requests')} link={toVisitsLink()} />
        </Columns>
        <PriceNotes
          project={project}
          load={total}
          lead={
            before === null
              ? null
              : hasEarlierData
                ? `Compared with ${before}.`
                : 'There’s no earlier data to compare with.'
          }
        />
      </div>
    </Stack>
  );
}

/** Notes how many requests reported a value, or undefined if all did. */
function toReported(reported: number, requests: number): string | undefined {
  if (reported === 0) return 'By any source in this range';
  const coverage = formatCoverage(reported, requests);
  return coverage === null ? undefined : `Reported ${coverage}`;
}

/** Names the agent that caused the most load, why, what it gave in return, and when most of the load came. */
function Summary(props: HeadlineProps) {
  const { project, report, people, measure, load, previous, before, times, linked, impostors, toVisitsLink, mark } =
    props;
  const hasEarlierData = use(EarlierDataContext);
  const getValue = (amounts: LoadAmounts): number => MEASURES[measure].value(amounts, project) ?? 0;
  const agents = report.rows.filter((row) => row.value !== null);
  const top = agents.toSorted((one, other) => getValue(other) - getValue(one))[0];
  if (top === undefined || getValue(top) === 0) return null;
  const operator = top.operator_name;
  const name = getRowName('agent', top);
  const visits = toVisitsLink(top);
  const busy = load === undefined ? null : findBusyHours({ project, measure, load, times });
  const earlier = before === null || previous === undefined || !hasEarlierData ? null : sumAmounts(previous.series);
  const change =
    earlier === null ? null : describeChange(report.total, earlier, measure, { project, before: before!, mark });
  const rise = earlier === null ? 0 : getValue(report.total) - getValue(earlier);
  const isBusyFirst =
    busy !== null &&
    (busy.share >= MIN_HEADLINE_SHARE || (change !== null && rise > 0 && busy.amount >= MIN_HEADLINE_SHARE * rise));
  const busyText = busy !== null && (
    <BusyTimeText
      {...{ project, measure, toVisitsLink, mark, busy }}
      of={!isBusyFirst || change === null ? 'total' : measure === 'requests' ? 'them' : 'it'}
    />
  );
  const topText = (
    <>
      <TextLink {...agentLink(project.id, top.value!, linked)} inherit>
        {name}
      </TextLink>{' '}
      {describeTopRow(top, report.total, measure, { project, mark })}
    </>
  );
  return (
    <Answer
      notes={
        <>
          {busyText && !isBusyFirst && <p>{busyText}</p>}
          <p>
            {isBusyFirst && <>{topText} </>}
            {operator !== null && people?.has(operator) && (
              <PeopleSentence operator={operator} count={people.get(operator)!.people}>
                <PeopleSentCount project={project} operator={operator} sent={people} linked={linked} />
              </PeopleSentence>
            )}
          </p>
          <Group gap="sm" mt={6}>
            <TextLink {...visits} size="sm">
              Show {name}’s {mark(formatCount(top.requests))} {top.requests === 1 ? 'request' : 'requests'}
            </TextLink>
            <AgentActions
              project={project}
              loadFinding={async () =>
                (await import('./load-finding.js')).toLoadFinding(top, {
                  range: report,
                  timeZone: times.timeZone,
                  visits,
                })
              }
              of={name}
            />
          </Group>
          {impostors !== null && <ImpostorLoad {...{ project, report, measure, times, mark, impostors }} />}
        </>
      }
    >
      {change !== null && `${change}. `}
      {isBusyFirst ? busyText : topText}
    </Answer>
  );
}

interface BusyHoursInput extends Pick<HeadlineProps, 'project' | 'measure' | 'times'> {
  load: LoadSeries;
}

/** Finds a short time that caused much of the load, with its range in words and for links. */
function findBusyHours({ project, measure, load, times }: BusyHoursInput) {
  const chart = mergeQuarterHours({
    items: load.series.map(({ time, requests, bytes, server_time_ms }) => ({
      time,
      values: { requests, bytes: bytes ?? 0, server_time_ms: server_time_ms ?? 0 },
    })),
    times: { ...times, bucket: load.bucket },
  });
  const series = chart.items.map(({ values }) => values as unknown as LoadAmounts);
  const getValue = (item: LoadAmounts): number => MEASURES[measure].value(item, project) ?? 0;
  const busyTime = findBusyTime(series, getValue, isDailyOrLonger(load.bucket));
  if (busyTime === null) return null;
  const { span } = busyTime;
  const starts = chart.items.map(({ time }) => time);
  const range = toSelectedRange(starts, span.first, span.last, load);
  return { ...busyTime, range, when: formatBusySpan(span, starts, chart.times) };
}

interface BusyTimeTextProps extends Pick<HeadlineProps, 'project' | 'measure' | 'toVisitsLink' | 'mark'> {
  busy: NonNullable<ReturnType<typeof findBusyHours>>;
  /** What the amount is a part of: the total, or the subject of the sentence before. */
  of: 'total' | 'it' | 'them';
}

function BusyTimeText({ project, measure, toVisitsLink, mark, busy, of }: BusyTimeTextProps) {
  const { format, passive, isTiny } = MEASURES[measure];
  const { amount, share, range, when, reason } = busy;
  const text = mark(format(amount, project));
  const percent = formatPercent(share);
  const part = isTiny?.(amount, project)
    ? `${percent} of ${of === 'total' ? 'the total' : of}`
    : of === 'total'
      ? `${text} (${percent} of the total)`
      : `${text} of ${of} (${percent})`;
  return (
    <>
      {part} {passive}{' '}
      <TextLink {...toVisitsLink(undefined, range)} inherit>
        {when}
      </TextLink>
      {reason !== null && `, ${reason}`}.
    </>
  );
}

function PeopleSentence({ operator, count, children }: { operator: string; count: number; children: ReactNode }) {
  if (count === 0) return <>We’ve seen no visitors from {operator}’s assistants.</>;
  return (
    <>
      {operator}’s assistants sent at least {children} {count === 1 ? 'person' : 'people'}.
    </>
  );
}
