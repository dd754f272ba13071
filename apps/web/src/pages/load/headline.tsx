import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { getLoadCost, hasPrices } from '#libs/contracts/load-cost';
import type { Project } from '../../api/client.js';
import type { Load, LoadReport, LoadRow } from '../../api/load.js';
import type { RowLink } from '../../charts/bar-list.js';
import { formatBytes } from '../../format/bytes.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { formatDuration, formatLongDuration } from '../../format/duration.js';
import { formatAmount } from '../../format/money.js';
import { formatAmounts, formatCoverage, formatMonthlyCost } from '../../load/load-text.js';
import { PeopleSentCount, type PeopleSent } from '../../load/people-sent.js';
import { PriceNotes } from '../../load/price-notes.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Columns } from '../../ui/columns.js';
import { Figure } from '../../ui/figure.js';
import { listMeasures, MEASURES } from './measures.js';
import { getRowName } from './rows.js';
import type { Measure } from './search.js';

interface HeadlineProps {
  project: Project;
  /** Load by agent. */
  report: LoadReport;
  people: PeopleSent | null;
  /** Factor that converts the cost to 30 days, or null to show no such cost. */
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
        <Figure label="Requests" what="Stored visits" value={mark(formatCount(total.requests))} link={visitsLink} />
        <Figure
          label="Sent"
          what={toReported(total.bytes_requests, total.requests) ?? 'Sum of the response sizes'}
          value={total.bytes === null ? 'Not reported' : mark(formatBytes(total.bytes))}
          link={visitsLink}
        />
        <Figure
          label="Server time"
          what={
            toReported(total.timed_requests, total.requests) ??
            (total.p95_ms === null
              ? 'Sum of the response times'
              : `95% of responses took ${formatDuration(total.p95_ms)} or less`)
          }
          value={total.server_time_ms === null ? 'Not reported' : mark(formatLongDuration(total.server_time_ms))}
          link={visitsLink}
        />
        {hasPrices(project) && (
          <Figure
            label="Cost"
            what={
              cost === null
                ? 'Nothing that has a price was reported'
                : monthlyFactor === null
                  ? 'In this range'
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

/** Names the agent that caused the most load. */
function Summary({ project, report, people, monthlyFactor, linked, mark }: HeadlineProps) {
  const [measure = 'requests'] = listMeasures(report.total, project);
  const { value, format } = MEASURES[measure];
  const getValue = (load: Load): number => value(load, project) ?? 0;
  const agents = report.rows.filter((row) => row.value !== null);
  const top = agents.toSorted((one, other) => getValue(other) - getValue(one))[0];
  if (top === undefined || getValue(top) === 0) return <PriceNotes project={project} load={report.total} />;
  const operator = top.operator_name;
  return (
    <Answer notes={<PriceNotes project={project} load={report.total} />}>
      <strong>{getRowName('agent', top)}</strong> {LEADS[measure]}:{' '}
      <strong>{mark(format(getValue(top), project))}</strong>
      {measure === 'cost' &&
        monthlyFactor !== null &&
        `, ${formatMonthlyCost(getValue(top), monthlyFactor, project.currency)}`}
      . That’s {formatPercent(getValue(top) / getValue(report.total))} of {TOTALS[measure]}.
      {measure !== 'requests' && measure !== 'time' && ` ${describeAmounts(top, mark)}`}
      {operator !== null && people?.has(operator) && (
        <PeopleSentence operator={operator} count={people.get(operator)!.people}>
          <PeopleSentCount project={project} operator={operator} sent={people} linked={linked} />
        </PeopleSentence>
      )}
    </Answer>
  );
}

const LEADS: Record<Measure, string> = {
  cost: 'costs the most',
  bytes: 'was sent the most data',
  time: 'used the most server time',
  requests: 'made the most requests',
};

const TOTALS: Record<Measure, string> = {
  cost: 'the total cost',
  bytes: 'all bytes sent',
  time: 'the total server time',
  requests: 'all requests',
};

/** Describes an agent's load in a sentence. */
function describeAmounts({ requests, ...load }: LoadRow, mark: (text: string) => string): string {
  const amounts = formatAmounts(load);
  return `It made ${mark(formatCount(requests))} ${requests === 1 ? 'request' : 'requests'}${amounts === null ? '' : ` for ${mark(amounts)}`}.`;
}

function PeopleSentence({ operator, count, children }: { operator: string; count: number; children: ReactNode }) {
  if (count === 0) return <> {operator}’s assistants sent no one that we know of.</>;
  return (
    <>
      {' '}
      {operator}’s assistants sent at least {children} {count === 1 ? 'person' : 'people'}.
    </>
  );
}
