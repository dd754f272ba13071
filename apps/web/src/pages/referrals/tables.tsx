import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CRAWL_PURPOSES, type CrawlPurpose } from '#libs/agents/vocabulary';
import type { Project } from '../../api/client.js';
import type { Referrals } from '../../api/statistics.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { countText } from '../../format/count.js';
import { Change, type ChangeProps } from '../../range/change.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Sparkline } from '../../ui/sparkline.js';
import { TextLink } from '../../ui/text-link.js';
import { filtersOf } from '../../filters/visit-filters.js';
import classes from './referrals.module.css';
import { ratioText } from './ratio.js';

type AssistantRow = Referrals['assistants'][number] & { series: readonly number[] };
type PageRow = Referrals['pages'][number];
type OperatorRow = Referrals['operators'][number];

/** Label of the row that sums up all unlisted values. */
const OTHERS = 'All others';

/** Space between a right-aligned column and a left-aligned one. */
const FAR = { paddingRight: 'var(--mantine-spacing-xl)' };

interface ReferralTableProps {
  project: Project;
  referrals: Referrals;
  /** Range for links to lists. */
  linked: LinkedRange;
  /** Name of the comparison range, such as "the 24 hours before", or null for no comparison. */
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
        <Compared current={visits} previous={previous} before={before}>
          <People
            {...{ project, linked }}
            filters={assistant === '' ? null : { assistant: [assistant] }}
            of={assistant || OTHERS}
          >
            {visits}
          </People>
        </Compared>
      ),
      style: FAR,
    },
    {
      key: 'previous',
      label: 'In the period compared with',
      isOnlyExported: true,
      value: ({ previous_visits: visits }) => visits,
    },
    {
      key: 'trend',
      label: 'Trend',
      cell: ({ assistant, series }) => (
        <Sparkline values={series} label={`People sent by ${assistant || OTHERS} over the range`} />
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
        <People
          {...{ project, linked }}
          filters={path === '' ? null : { page: [path], assistant: assistants.map(({ assistant }) => assistant) }}
          of={path || OTHERS}
        >
          {visits}
        </People>
      ),
      style: FAR,
    },
    {
      key: 'assistants',
      label: 'By',
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
 * Filters for visits that can count as fetched pages. There is no filter for HTML, so lists also contain other files.
 */
const FETCHED: FilterSet = {
  kind: ['page'],
  not_result: ['verification_failed', 'unknown_agent'],
  not_status: ['4xx', '5xx'],
};

/** Pages fetched by operators, compared with the people sent by their assistants. */
export function OperatorTable({ project, referrals, linked, before }: ReferralTableProps) {
  const visits = listLink(project.id, linked);
  const pages = (count: number, what: string, { operator_name: name }: OperatorRow, filters: FilterSet) =>
    count === 0 ? (
      <span className={classes['none']}>0</span>
    ) : (
      <TextLink size="sm" {...visits(filtersOf({ operator: [name], ...FETCHED, ...filters }))}>
        {countText(count)}
        <span className="unseen">
          {' '}
          {what} {name}
        </span>
      </TextLink>
    );
  const assistantsOf = ({ operator_name: name }: OperatorRow): string[] =>
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
              Has a search engine
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
        <Compared current={row.pages_fetched} previous={row.previous_pages_fetched} before={before}>
          {pages(row.pages_fetched, 'pages fetched by', row, {})}
        </Compared>
      ),
    },
    {
      key: 'previous',
      label: 'Pages fetched in the period compared with',
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
        const assistants = assistantsOf(row);
        return (
          <Compared current={row.referrals} previous={row.previous_referrals} before={before}>
            <People
              {...{ project, linked }}
              filters={assistants.length === 0 ? null : { assistant: assistants }}
              of={row.operator_name}
            >
              {row.referrals}
            </People>
          </Compared>
        );
      },
    },
    {
      key: 'previous_people',
      label: 'People sent in the period compared with',
      isOnlyExported: true,
      value: (row) => row.previous_referrals,
    },
    {
      key: 'ratio',
      label: 'Crawl to referral',
      isNumber: true,
      // Null if nobody was sent. The export contains both counts.
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

/** Number, preceded by its change unless current and previous are both 0. */
function Compared({ children, ...change }: ChangeProps & { children: ReactNode }) {
  return (
    <>
      {change.current !== 0 || change.previous !== 0 ? <Change {...change} /> : null} {children}
    </>
  );
}

interface PeopleProps {
  project: Project;
  linked: LinkedRange;
  /** Filters for these visits, or null if no filters select them. */
  filters: FilterSet | null;
  of: string;
  children: number;
}

/** Number of people sent, linked to their visits if these are stored. */
function People({ project, linked, filters, of, children: count }: PeopleProps) {
  if (count === 0) return <span className={classes['none']}>0</span>;
  if (filters === null || project.unknown_visitors === 'counted') return countText(count);
  return (
    <TextLink size="sm" {...listLink(project.id, linked)(filtersOf(filters))}>
      {countText(count)}
      <span className="unseen"> people sent: {of}</span>
    </TextLink>
  );
}
