import { Group, Stack } from '@mantine/core';
import { use, type ReactNode } from 'react';
import { getLoadCost, hasPrices } from '#libs/contracts/load-cost';
import { AgentActions } from '../../actions/agent-actions.js';
import type { Project } from '../../api/client.js';
import type { LoadReport, LoadRow, LoadSeries } from '../../api/load.js';
import type { ChartTimes } from '../../charts/chart-times.js';
import type { RowLink } from '../../charts/bar-list.js';
import { sum } from '../../charts/busy-span.js';
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
import { LinkButton } from '../../ui/link-button.js';
import { Listing } from '../../ui/listing.js';
import { TextLink } from '../../ui/text-link.js';
import type { BusyHours } from './busy-hours.js';
import { describeChange } from './describe-change.js';
import { describeTopRow } from './describe-top-row.js';
import { ImpostorLoad, type Impostors } from './impostor-load.js';
import { MEASURES, sumAmounts, type LoadAmounts } from './measures.js';
import { getRowName } from './rows.js';
import type { Measure } from './search.js';

/** Minimum share of the load, or of its rise, for which a busy time comes before the agent with the most load. */
const MIN_HEADLINE_SHARE = 0.5;
/** Minimum load, compared with the top agent's, of agents that are named together with it. */
const MIN_EQUAL_LOAD = 0.95;
/** Number of agents named. */
const MAX_NAMED = 3;
/** Minimum share of the load that impostors caused. */
const MIN_IMPOSTOR_SHARE = 0.1;

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
  /** Short time with much of the load. */
  busy: BusyHours | null;
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

/** Names the cause of the load, its reason and its returns, with buttons to act on it. */
function Summary(props: HeadlineProps) {
  const { project, report, people, measure, previous, before, times, linked, impostors, toVisitsLink, mark, busy } =
    props;
  const hasEarlierData = use(EarlierDataContext);
  const getValue = (amounts: LoadAmounts): number => MEASURES[measure].value(amounts, project) ?? 0;
  const total = getValue(report.total);
  const agents = report.rows
    .filter((row) => row.value !== null)
    .toSorted((one, other) => getValue(other) - getValue(one));
  const top = agents[0];
  if (top === undefined || getValue(top) === 0) return null;
  const equals = agents.filter((row) => getValue(row) >= MIN_EQUAL_LOAD * getValue(top));
  const earlier = before === null || previous === undefined || !hasEarlierData ? null : sumAmounts(previous.series);
  const change =
    earlier === null ? null : describeChange(report.total, earlier, measure, { project, before: before!, mark });
  const rise = earlier === null ? 0 : total - getValue(earlier);
  const isBusyFirst =
    busy !== null &&
    (busy.share >= MIN_HEADLINE_SHARE || (change !== null && rise > 0 && busy.amount >= MIN_HEADLINE_SHARE * rise));
  const visits = isBusyFirst ? toVisitsLink(undefined, busy.range) : toVisitsLink(top);
  const requests = isBusyFirst ? busy.requests : top.requests;
  const isSingle = !isBusyFirst && equals.length === 1;
  const operator = top.operator_name;
  const share = impostors === null ? 0 : getValue(impostors.load) / total;
  return (
    <Answer
      notes={
        <>
          {busy !== null && !isBusyFirst && (
            <p>
              <BusyTimeText {...{ project, measure, toVisitsLink, mark, busy }} total={report.total} />
            </p>
          )}
          {isSingle && operator !== null && people?.has(operator) && (
            <p>
              <PeopleSentence operator={operator} count={people.get(operator)!.people}>
                <PeopleSentCount project={project} operator={operator} sent={people} linked={linked} />
              </PeopleSentence>
            </p>
          )}
          {(isBusyFirst || isSingle) && (
            <Group gap="sm" mt={6}>
              <LinkButton {...visits}>
                Show {isBusyFirst ? 'these' : 'its'} {mark(formatCount(requests))}{' '}
                {requests === 1 ? 'request' : 'requests'}
              </LinkButton>
              {isSingle && (
                <AgentActions
                  project={project}
                  loadFinding={async () =>
                    (await import('./load-finding.js')).toLoadFinding(top, {
                      range: report,
                      timeZone: times.timeZone,
                      visits,
                    })
                  }
                  of={getRowName('agent', top)}
                />
              )}
            </Group>
          )}
          {impostors !== null && share >= MIN_IMPOSTOR_SHARE && (
            <ImpostorLoad {...{ project, report, measure, times, mark, impostors }} />
          )}
        </>
      }
    >
      {isBusyFirst ? (
        <>
          {change !== null && `${change}: `}
          <BusyTimeText
            {...{ project, measure, toVisitsLink, mark, busy }}
            total={change === null ? report.total : null}
          />
        </>
      ) : (
        <>
          {change !== null && `${change}. `}
          {isSingle ? (
            <>
              <TextLink {...agentLink(project.id, top.value!, linked)} inherit>
                {getRowName('agent', top)}
              </TextLink>{' '}
              {describeTopRow(top, report.total, measure, { project, mark })}
            </>
          ) : (
            <>
              <Listing
                limit={MAX_NAMED}
                items={equals.map((row) => ({
                  key: row.value!,
                  content: (
                    <TextLink {...agentLink(project.id, row.value!, linked)} inherit>
                      {getRowName('agent', row)}
                    </TextLink>
                  ),
                }))}
              />{' '}
              each account for about {formatPercent(sum(equals.map(getValue)) / equals.length / total)} of the{' '}
              {MEASURES[measure].label.toLowerCase()}.
            </>
          )}
        </>
      )}
    </Answer>
  );
}

interface BusyTimeTextProps extends Pick<HeadlineProps, 'project' | 'measure' | 'toVisitsLink' | 'mark'> {
  busy: BusyHours;
  /** Load that the amount is part of, to name it. Null if it was named before. */
  total: LoadAmounts | null;
}

/** Sentence such as "$1.36 (88%) came from slow responses between 04:00 and 07:00 on Dec 1." */
function BusyTimeText({ project, measure, toVisitsLink, mark, busy, total }: BusyTimeTextProps) {
  const { value, format, passive, unit, isTiny } = MEASURES[measure];
  const { amount, share, range, when, reason } = busy;
  const text = mark(format(amount, project));
  const part = isTiny?.(amount, project)
    ? `${formatPercent(share)} of the ${MEASURES[measure].label.toLowerCase()}`
    : total === null
      ? `${text} (${formatPercent(share)})`
      : `${text} of ${mark(format(value(total, project) ?? 0, project))}${unit}`;
  return (
    <>
      {part} {reason === null ? passive : `came from ${reason}`}{' '}
      <TextLink {...toVisitsLink(undefined, range)} inherit>
        {when}
      </TextLink>
      .
    </>
  );
}

function PeopleSentence({ operator, count, children }: { operator: string; count: number; children: ReactNode }) {
  if (count === 0) return <>{operator}’s assistants sent you no visitors.</>;
  return (
    <>
      {operator}’s assistants sent you at least {children} {count === 1 ? 'person' : 'people'}.
    </>
  );
}
