import { Group, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Project } from '../../api/client.js';
import type { Referrals } from '../../api/statistics.js';
import type { LinkedRange } from '../../range/range.js';
import { AgentMark, MarkedName } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { getOperatorColor } from '../../ui/operator-colors.js';
import { Sparkline } from '../../ui/sparkline.js';
import { formatCount } from '../../format/count.js';
import { toFilters } from '../../filters/visit-filters.js';
import { listLink } from '../../range/list-link.js';
import { TextLink } from '../../ui/text-link.js';
import { CountWithChange, FETCHED_PAGES, PeopleCount } from './counts.js';
import type { OperatorCosts } from './operator-costs.js';
import { mergePages, type FetchedPages, type PageRow } from './pages.js';
import classes from './referrals.module.css';

type AssistantRow = Referrals['assistants'][number] & { series: readonly number[] };
export type OperatorRow = Referrals['operators'][number];

/** Label for the row that aggregates all unlisted values. */
const OTHERS = 'All others';

/** Separates a right-aligned column from the left-aligned one after it. */
const WIDE_GAP = { paddingRight: 'var(--mantine-spacing-xl)' };

export interface ReferralTableProps {
  project: Project;
  referrals: Referrals;
  /** Undefined if unknown. */
  costs: OperatorCosts | undefined;
  /** Time range for the links. */
  linked: LinkedRange;
  /** Name of the comparison range, such as "the 24 hours before", or null to show no comparison. */
  before: string | null;
  /** Introduction, shown next to the table's tools. */
  lead?: ReactNode;
}

export function AssistantTable({ project, referrals, linked, before, lead }: ReferralTableProps) {
  const rows = referrals.assistants.map((row): AssistantRow => ({
    ...row,
    series: referrals.series.map(({ by_assistant: by }) => (Object.hasOwn(by, row.assistant) ? by[row.assistant]! : 0)),
  }));
  const columns: readonly TableColumn<AssistantRow>[] = [
    {
      key: 'assistant',
      label: 'Assistant',
      isHead: true,
      value: ({ assistant }) => assistant || OTHERS,
      cell: ({ assistant, operator_name: operator }) => (
        <MarkedName name={assistant || OTHERS} operator={operator}>
          {assistant || OTHERS}
        </MarkedName>
      ),
    },
    { key: 'operator', label: 'Operator', narrow: { isSoft: true }, value: ({ operator_name: operator }) => operator },
    {
      key: 'people',
      label: 'People sent',
      isNumber: true,
      narrow: { after: 'sent' },
      value: ({ visits }) => visits,
      cell: ({ assistant, visits, previous_visits: previous }) => (
        <CountWithChange current={visits} previous={previous} before={before}>
          <PeopleCount
            {...{ project, linked }}
            filters={assistant === '' ? null : { assistant: [assistant] }}
            of={assistant || OTHERS}
          >
            {visits}
          </PeopleCount>
        </CountWithChange>
      ),
      style: WIDE_GAP,
    },
    {
      key: 'previous',
      label: 'People sent in the comparison period',
      isOnlyExported: true,
      value: ({ previous_visits: visits }) => visits,
    },
    {
      key: 'trend',
      label: 'Trend',
      cell: ({ assistant, operator_name: operator, series }) => (
        <Sparkline
          values={series}
          color={getOperatorColor(operator)}
          label={`Trend of people sent by ${assistant || OTHERS}`}
        />
      ),
    },
  ];
  return (
    <DataTable
      label="Assistants"
      phone={['assistant people', 'operator trend']}
      columns={columns}
      rows={rows}
      rowKey={({ assistant }) => assistant}
      initial="people"
      owner={project.name}
      range={referrals}
      toolbar={lead}
      empty="No request named an assistant in this range."
    />
  );
}

interface SentByProps {
  assistants: PageRow['assistants'];
  /** Operators by assistant. */
  operators: ReadonlyMap<string, string | null>;
}

/** Assistants, each with the number of people it sent. */
const SentBy = ({ assistants, operators }: SentByProps) => (
  <Group gap="4px 10px">
    {assistants.map(({ assistant, visits }) => (
      <span key={assistant} className={`${classes['sender']} numbers`}>
        <AgentMark name={assistant} operator={operators.get(assistant)} size={16} />
        {assistant || OTHERS} {formatCount(visits)}
      </span>
    ))}
  </Group>
);

interface PageTableProps extends Omit<ReferralTableProps, 'before'> {
  /** Pages fetched by the operators' agents. Undefined until they've loaded. */
  fetched: FetchedPages | undefined;
}

/** Pages with the visits by the operators' agents and by the people that their assistants sent. */
export function PageTable({ project, referrals, linked, fetched, lead }: PageTableProps) {
  const operators = referrals.operators.map(({ operator_name: name }) => name);
  const operatorOf = new Map(referrals.assistants.map((row) => [row.assistant, row.operator_name]));
  const columns: readonly TableColumn<PageRow>[] = [
    {
      key: 'page',
      label: 'Page',
      isHead: true,
      value: ({ path }) => path || OTHERS,
      cell: ({ path }) =>
        path === '' ? (
          OTHERS
        ) : (
          <TextLink size="sm" c="inherit" underline="hover" {...listLink(project.id, linked)({ page: path })}>
            {path}
          </TextLink>
        ),
      style: { overflowWrap: 'anywhere' },
    },
    {
      key: 'fetched',
      label: 'Fetched',
      isNumber: true,
      narrow: { after: 'fetched', isSoft: true },
      value: ({ fetched: count }) => count,
      cell: ({ path, fetched: count }) =>
        count === null ? (
          fetched === undefined ? (
            <Skeleton h={12} w={28} ml="auto" animate={false} aria-label="Loading" role="status" />
          ) : (
            <span title="Among the least fetched pages">…</span>
          )
        ) : count === 0 ? (
          <span className="zero">–</span>
        ) : (
          <TextLink
            size="sm"
            {...listLink(project.id, linked)(toFilters({ page: [path], operator: operators, ...FETCHED_PAGES }))}
          >
            {formatCount(count)}
            <span className="unseen"> fetches of {path}</span>
          </TextLink>
        ),
    },
    {
      key: 'people',
      label: 'People sent',
      isNumber: true,
      narrow: { after: 'sent' },
      value: ({ people }) => people,
      cell: ({ path, people, assistants }) => (
        <PeopleCount
          {...{ project, linked }}
          filters={path === '' ? null : { page: [path], assistant: assistants.map(({ assistant }) => assistant) }}
          of={path || OTHERS}
        >
          {people}
        </PeopleCount>
      ),
      style: WIDE_GAP,
    },
    {
      key: 'assistants',
      label: 'Sent by',
      narrow: { isSoft: true },
      isFixed: true,
      value: ({ assistants }) => assistants.map(({ assistant, visits }) => `${assistant} ${visits}`).join(', '),
      cell: ({ assistants }) => assistants.length > 0 && <SentBy assistants={assistants} operators={operatorOf} />,
    },
  ];
  return (
    <DataTable
      label="Pages"
      phone={['page people', 'assistants fetched']}
      columns={columns}
      rows={mergePages(referrals.pages, fetched)}
      rowKey={({ path }) => path}
      initial="people"
      owner={project.name}
      range={referrals}
      pageSize={10}
      toolbar={lead}
      empty="No pages were fetched by these operators, or opened by people they sent."
    />
  );
}
