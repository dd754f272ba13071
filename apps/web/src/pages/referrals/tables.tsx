import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CRAWL_PURPOSES, type CrawlPurpose } from '#libs/agents/vocabulary';
import type { Project } from '../../api/client.js';
import type { Referrals } from '../../api/statistics.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { formatCount } from '../../format/count.js';
import { Change, type ChangeProps } from '../../range/change.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Sparkline } from '../../ui/sparkline.js';
import { TextLink } from '../../ui/text-link.js';
import { toFilters } from '../../filters/visit-filters.js';
import classes from './referrals.module.css';
import { ratioText } from './ratio.js';

type AssistantRow = Referrals['assistants'][number] & { series: readonly number[] };
type PageRow = Referrals['pages'][number];
type OperatorRow = Referrals['operators'][number];

/** Label for the row that aggregates all unlisted values. */
const OTHERS = 'All others';

/** Separates a right-aligned column from the left-aligned one after it. */
const WIDE_GAP = { paddingRight: 'var(--mantine-spacing-xl)' };

interface ReferralTableProps {
  project: Project;
  referrals: Referrals;
  /** Time range for the links. */
  linked: LinkedRange;
  /** Name of the comparison range, such as "the 24 hours before", or null to show no comparison. */
  before: string | null;
}

export function AssistantTable({ project, referrals, linked, before }: ReferralTableProps) {
  const rows = referrals.assistants.map((row): AssistantRow => ({
    ...row,
    series: referrals.series.map(({ by_assistant: by }) => (Object.hasOwn(by, row.assistant) ? by[row.assistant]! : 0)),
  }));
  const columns: readonly TableColumn<AssistantRow>[] = [
    { key: 'assistant', label: 'Assistant', isHead: true, value: ({ assistant }) => assistant || OTHERS },
    { key: 'operator', label: 'Operator', value: ({ operator_name: operator }) => operator },
    {
      key: 'people',
      label: 'People sent',
      isNumber: true,
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
      cell: ({ assistant, series }) => (
        <Sparkline values={series} label={`Trend of people sent by ${assistant || OTHERS}`} />
      ),
    },
  ];
  return (
    <DataTable
      label="Assistants"
      columns={columns}
      rows={rows}
      rowKey={({ assistant }) => assistant}
      initial="people"
      owner={project.name}
      range={referrals}
    />
  );
}

export function LandingPageTable({ project, referrals, linked }: ReferralTableProps) {
  const columns: readonly TableColumn<PageRow>[] = [
    {
      key: 'page',
      label: 'Page',
      isHead: true,
      value: ({ path }) => path || OTHERS,
      style: { overflowWrap: 'anywhere' },
    },
    {
      key: 'people',
      label: 'People sent',
      isNumber: true,
      value: ({ visits }) => visits,
      cell: ({ path, visits, assistants }) => (
        <PeopleCount
          {...{ project, linked }}
          filters={path === '' ? null : { page: [path], assistant: assistants.map(({ assistant }) => assistant) }}
          of={path || OTHERS}
        >
          {visits}
        </PeopleCount>
      ),
      style: WIDE_GAP,
    },
    {
      key: 'assistants',
      label: 'Sent by',
      isFixed: true,
      value: ({ assistants }) => assistants.map(({ assistant, visits }) => `${assistant} ${visits}`).join(', '),
    },
  ];
  return (
    <DataTable
      label="Landing pages"
      columns={columns}
      rows={referrals.pages}
      rowKey={({ path }) => path}
      initial="people"
      owner={project.name}
      range={referrals}
    />
  );
}

const PURPOSES = Object.keys(CRAWL_PURPOSES) as CrawlPurpose[];
const NAMED_TYPES: string[] = PURPOSES.flatMap((purpose) => CRAWL_PURPOSES[purpose].types);
/**
 * Filters for visits that may count as fetched pages. The lists also contain other files, because there's no filter for
 * HTML.
 */
const FETCHED_PAGES: FilterSet = {
  kind: ['page'],
  not_result: ['verification_failed', 'unknown_agent'],
  not_status: ['4xx', '5xx'],
};

/** Compares the pages that operators fetched with the people that their assistants sent. */
export function OperatorTable({ project, referrals, linked, before }: ReferralTableProps) {
  const visits = listLink(project.id, linked);
  const pages = (count: number, what: string, { operator_name: name }: OperatorRow, filters: FilterSet) =>
    count === 0 ? (
      <span className={classes['none']}>0</span>
    ) : (
      <TextLink size="sm" {...visits(toFilters({ operator: [name], ...FETCHED_PAGES, ...filters }))}>
        {formatCount(count)}
        <span className="unseen">
          {' '}
          {what} {name}
        </span>
      </TextLink>
    );
  const getAssistants = ({ operator_name: name }: OperatorRow): string[] =>
    referrals.assistants.flatMap(({ assistant, operator_name: operator }) => (operator === name ? [assistant] : []));
  const columns: readonly TableColumn<OperatorRow>[] = [
    {
      key: 'operator',
      label: 'Operator',
      isHead: true,
      value: (row) => row.operator_name,
      cell: (row) => (
        <>
          {row.operator_name}
          {row.is_search_engine && (
            <Text size="xs" c="dimmed" fw={400}>
              Runs a search engine
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'pages',
      label: 'Pages fetched',
      isNumber: true,
      value: (row) => row.pages_fetched,
      cell: (row) => (
        <CountWithChange current={row.pages_fetched} previous={row.previous_pages_fetched} before={before}>
          {pages(row.pages_fetched, 'pages fetched by', row, {})}
        </CountWithChange>
      ),
    },
    {
      key: 'previous',
      label: 'Pages fetched in the comparison period',
      isOnlyExported: true,
      value: (row) => row.previous_pages_fetched,
    },
    ...PURPOSES.map((purpose): TableColumn<OperatorRow> => {
      const { label, types } = CRAWL_PURPOSES[purpose];
      return {
        key: purpose,
        label,
        isNumber: true,
        value: ({ by_purpose: by }) => by[purpose],
        cell: (row) =>
          pages(row.by_purpose[purpose], `pages fetched (${label.toLowerCase()}) by`, row, { type: [...types] }),
      };
    }),
    {
      key: 'other',
      label: 'Other',
      isNumber: true,
      value: ({ by_purpose: by }) => by.other,
      cell: (row) => pages(row.by_purpose.other, 'other pages fetched by', row, { not_type: NAMED_TYPES }),
    },
    {
      key: 'people',
      label: 'People sent',
      isNumber: true,
      value: (row) => row.referrals,
      cell: (row) => {
        const assistants = getAssistants(row);
        return (
          <CountWithChange current={row.referrals} previous={row.previous_referrals} before={before}>
            <PeopleCount
              {...{ project, linked }}
              filters={assistants.length === 0 ? null : { assistant: assistants }}
              of={row.operator_name}
            >
              {row.referrals}
            </PeopleCount>
          </CountWithChange>
        );
      },
    },
    {
      key: 'previous_people',
      label: 'People sent in the comparison period',
      isOnlyExported: true,
      value: (row) => row.previous_referrals,
    },
    {
      key: 'ratio',
      label: 'Crawl to referral',
      isNumber: true,
      // Null if no people were sent. The export also contains both counts.
      value: ({ pages_fetched: fetched, referrals: people }) =>
        people === 0 ? null : Math.round((100 * fetched) / people) / 100,
      cell: (row) => <strong>{ratioText(row.pages_fetched, row.referrals)}</strong>,
    },
  ];
  return (
    <DataTable
      label="Crawl to referral"
      columns={columns}
      rows={referrals.operators}
      rowKey={(row) => row.operator_name}
      initial="pages"
      owner={project.name}
      range={referrals}
    />
  );
}

/**
 * Shows how much a count changed, followed by the count itself. Omits the change if both the old and new counts are 0.
 */
function CountWithChange({ children, ...change }: ChangeProps & { children: ReactNode }) {
  return (
    <>
      {change.current !== 0 || change.previous !== 0 ? <Change {...change} /> : null} {children}
    </>
  );
}

interface PeopleCountProps {
  project: Project;
  linked: LinkedRange;
  /** Filters that select these visits, or null if no filters can. */
  filters: FilterSet | null;
  of: string;
  children: number;
}

/** Shows the number of people sent. Links it to their visits if these are stored. */
function PeopleCount({ project, linked, filters, of, children: count }: PeopleCountProps) {
  if (count === 0) return <span className={classes['none']}>0</span>;
  if (filters === null || project.unknown_visitors === 'counted') return formatCount(count);
  return (
    <TextLink size="sm" {...listLink(project.id, linked)(toFilters(filters))}>
      {formatCount(count)}
      <span className="unseen"> people sent: {of}</span>
    </TextLink>
  );
}
