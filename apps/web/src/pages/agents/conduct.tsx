import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { conductQuery, MAX_CONDUCT_RANGE_MS, type ConductAgent, type ConductDay } from '../../api/conduct.js';
import type { Range } from '../../api/statistics.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { formatTime } from '../../format/time.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { TextLink } from '../../ui/text-link.js';
import { describeFact, FACT_LABELS, type Fact } from './conduct-facts.js';

/** Number of days shown initially. */
const PAGE_SIZE = 7;

interface ConductProps {
  projectId: string;
  agentId: string;
  range: Range;
  /** Number of visits in the range that failed verification. */
  failed: number;
}

export function Conduct({ projectId, agentId, range: { from, to }, failed }: ConductProps) {
  const start = Math.max(Date.parse(from), Date.parse(to) - MAX_CONDUCT_RANGE_MS);
  const isShortened = start > Date.parse(from);
  const range = { from: new Date(start).toISOString(), to };
  const { data: agent, error, refetch } = useQuery(conductQuery(projectId, agentId, range));
  return (
    <Stack gap="sm">
      {error !== null && <Failure error={error} retry={() => void refetch()} />}
      {agent === undefined && error === null && <Skeleton h={120} animate={false} />}
      {agent === null && <Text size="sm">No visits in this range.</Text>}
      {agent && <AgentConduct projectId={projectId} agent={agent} range={range} failed={failed} />}
      <Text size="xs" c="dimmed">
        Days start at midnight UTC{isShortened ? ', and only the last 31 of the range are shown' : ''}. Visits that
        failed verification don’t count{failed > 0 && ', so peaks can be lower than under Cost and return'}.
      </Text>
    </Stack>
  );
}

interface AgentConductProps extends Pick<ConductProps, 'projectId' | 'range' | 'failed'> {
  agent: ConductAgent;
}

function AgentConduct({ projectId, agent, range, failed }: AgentConductProps) {
  const link = ({ filters, range: { from, to }, isByOperator = false }: NonNullable<Fact['visits']>) => {
    const chips = { not_result: ['verification_failed'], ...filters.chips };
    const { operator_name: operator } = agent;
    const owner = isByOperator && operator !== null ? { operator } : { agent: agentFilter(agent) };
    return listLink(projectId, { from, to })({ ...owner, ...filters, chips });
  };
  const [explained, setExplained] = useState<Fact | null>(null);
  return (
    <>
      <Text size="sm">
        {summarize(agent)}
        {failed > 0 && (
          <>
            {' '}
            Somebody else may have sent{' '}
            <TextLink
              {...listLink(projectId, range)({ agent: agentFilter(agent), result: 'verification_failed' })}
              c="var(--failed)"
              inherit
            >
              {failed === 1 ? 'the visit' : `the ${formatVisitCount(failed)}`} that failed verification
            </TextLink>
            , so {failed === 1 ? 'it isn’t' : 'they aren’t'} included.
          </>
        )}
      </Text>
      <Text size="sm" c="dimmed" mih={42} aria-hidden visibleFrom="sm">
        {explained === null
          ? 'Hover over or focus a figure to see what it means.'
          : `${explained.label}: ${explained.sentence}`}
      </Text>
      <DataTable
        label="Conduct by day"
        page="conduct"
        columns={[
          {
            key: 'day',
            label: 'Day',
            isHead: true,
            isTime: true,
            value: (day) => day.date,
            cell: (day) => <Day day={day} />,
          },
          {
            key: 'visits',
            label: 'Visits',
            isNumber: true,
            value: (day) => day.visits,
            cell: (day) => (
              <TextLink {...link({ filters: {}, range: day })} size="sm">
                {day.is_partial && 'first '}
                {formatCount(day.visits)}
                <span className="unseen"> visits on {formatDay(day)}</span>
              </TextLink>
            ),
            narrow: { after: 'visits' },
          },
          ...FACT_LABELS.map(({ key, label }): TableColumn<ConductDay> => ({
            key,
            label,
            value: (day) => describeFact(day, key).value,
            cell: (day) => {
              const fact = describeFact(day, key);
              const isHighlighted = day.highlights.includes(key);
              return (
                <FactCell
                  fact={fact}
                  isHighlighted={isHighlighted}
                  link={fact.visits === null ? null : link(fact.visits)}
                  onExplain={setExplained}
                />
              );
            },
            narrow: { before: `${label}:` },
          })),
        ]}
        rows={agent.days}
        rowKey={(day) => day.date}
        initial="day"
        pageSize={PAGE_SIZE}
        owner={agentFilter(agent)}
        range={range}
        empty="The visits in this range are no longer stored."
        phone={['day visits', ...FACT_LABELS.map(({ key }) => `${key} ${key}`)]}
      />
    </>
  );
}

function Day({ day }: { day: ConductDay }) {
  return (
    <>
      {formatDay(day)}
      {day.is_so_far && (
        <Text size="xs" c="dimmed" fw={400}>
          so far
        </Text>
      )}
    </>
  );
}

const formatDay = ({ from }: ConductDay): string => formatTime(from, 'UTC', { day: 'numeric', month: 'short' });

interface FactCellProps {
  fact: Fact;
  isHighlighted: boolean;
  link: ReturnType<ReturnType<typeof listLink>> | null;
  /** Called with the fact when the pointer or the focus enters the cell, and with null when it leaves. */
  onExplain: (fact: Fact | null) => void;
}

/** Short text, with the entire sentence for screen readers. */
function FactCell({ fact, isHighlighted, link, onExplain }: FactCellProps) {
  const explain = (): void => onExplain(fact);
  const end = (): void => onExplain(null);
  const props = {
    size: 'sm',
    fw: isHighlighted ? 700 : 400,
    onMouseEnter: explain,
    onMouseLeave: end,
    onFocus: explain,
    onBlur: end,
    children: (
      <>
        {fact.text}
        <span className="unseen">. {fact.sentence}</span>
      </>
    ),
  } as const;
  return link === null ? (
    <Text span c="dimmed" tabIndex={0} className={fact.value === null ? 'zero' : ''} {...props} />
  ) : (
    <TextLink {...link} {...props} />
  );
}

function summarize({ days, is_user_triggered: isForUsers }: ConductAgent): string {
  if (isForUsers) return 'This agent fetches pages on behalf of people, so the rules for crawlers may not apply to it.';
  const marked = days.filter(({ highlights }) => highlights.length > 0);
  const labels = FACT_LABELS.filter(({ key }) => marked.some(({ highlights }) => highlights.includes(key)));
  const count = `${formatCount(marked.length)} of ${formatCount(days.length)} ${days.length === 1 ? 'day' : 'days'}`;
  return marked.length === 0
    ? `Nothing unusual on ${days.length === 1 ? 'this day' : `these ${formatCount(days.length)} days`}.`
    : `Figures stand out on ${count} (bold): ${labels.map(({ label }) => label).join(', ')}.`;
}
