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
import { SortHeads } from '../../ui/sort-heads.js';
import type { Column, Sort } from '../../ui/sorting.js';
import { Sparkline } from '../../ui/sparkline.js';
import { TableTools } from '../../ui/table-tools.js';
import { TextLink } from '../../ui/text-link.js';
import { useSorted } from '../../ui/use-sorted.js';
import plain from '../../ui/plain-table.module.css';
import stacked from '../../ui/stacked-table.module.css';
import { filtersOf } from '../../filters/visit-filters.js';
import {
  ASSISTANT_COLUMNS,
  assistantsText,
  BY_PAGES,
  BY_PEOPLE,
  OPERATOR_COLUMNS,
  OTHERS,
  PAGE_COLUMNS,
  type AssistantRow,
  type OperatorRow,
  type PageRow,
} from './columns.js';
import classes from './referrals.module.css';
import { ratioText } from './ratio.js';

export interface ReferralTableProps {
  project: Project;
  referrals: Referrals;
  /** What its links lead to. */
  linked: LinkedRange;
  /** What it is compared with; null for nothing. */
  before: string | null;
}

/** Assistants with the people whom they sent. */
export function AssistantTable({ referrals, ...props }: ReferralTableProps) {
  const rows: AssistantRow[] = referrals.assistants.map((row) => ({
    ...row,
    series: referrals.series.map(({ by_assistant: by }) => (Object.hasOwn(by, row.assistant) ? by[row.assistant]! : 0)),
  }));
  return (
    <SortedRows
      {...props}
      range={referrals}
      page="assistants"
      columns={ASSISTANT_COLUMNS}
      rows={rows}
      first={BY_PEOPLE}
    >
      {(row) => {
        const name = row.assistant || OTHERS;
        return (
          <tr key={row.assistant}>
            <th scope="row">{name}</th>
            <td data-label="Operator">{row.operator_name}</td>
            <td data-label="People sent" className={plain['number']}>
              <Compared current={row.visits} previous={row.previous_visits} before={props.before}>
                <People {...props} filters={row.assistant === '' ? null : { assistant: [row.assistant] }} of={name}>
                  {row.visits}
                </People>
              </Compared>
            </td>
            <td data-label="Trend">
              <Sparkline values={row.series} label={`People sent by ${name} over the range`} />
            </td>
          </tr>
        );
      }}
    </SortedRows>
  );
}

/** Pages that people came to first, with who sent them. */
export function LandingPageTable({ referrals, ...props }: ReferralTableProps) {
  return (
    <SortedRows
      {...props}
      range={referrals}
      page="landing pages"
      columns={PAGE_COLUMNS}
      rows={referrals.pages}
      first={BY_PEOPLE}
    >
      {(row: PageRow) => {
        const filters = { page: [row.path], assistant: row.assistants.map(({ assistant }) => assistant) };
        return (
          <tr key={row.path}>
            <th scope="row" className={classes['path']}>
              {row.path || OTHERS}
            </th>
            <td data-label="People sent" className={plain['number']}>
              <People {...props} filters={row.path === '' ? null : filters} of={row.path || OTHERS}>
                {row.visits}
              </People>
            </td>
            <td data-label="By">{assistantsText(row)}</td>
          </tr>
        );
      }}
    </SortedRows>
  );
}

const PURPOSES = Object.keys(CRAWL_PURPOSES) as CrawlPurpose[];
const NAMED_TYPES: string[] = PURPOSES.flatMap((purpose) => CRAWL_PURPOSES[purpose].types);
/** Visits of agents that fetched what they were counted for, and of no one else; whether it was HTML, no filter can say. */
const FETCHED: FilterSet = {
  kind: ['page'],
  not_result: ['verification_failed', 'unknown_agent'],
  not_status: ['4xx', '5xx'],
};

/** What operators fetched, against the people whom their assistants sent. */
export function OperatorTable({ referrals, ...props }: ReferralTableProps) {
  const visits = listLink(props.project.id, props.linked);
  return (
    <SortedRows
      {...props}
      range={referrals}
      page="crawl to referral"
      columns={OPERATOR_COLUMNS}
      rows={referrals.operators}
      first={BY_PAGES}
    >
      {(row: OperatorRow) => {
        const name = row.operator_name;
        const pages = (count: number, what: string, filters: FilterSet) =>
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
        const assistants = referrals.assistants.flatMap(({ assistant, operator_name: operator }) =>
          operator === name ? [assistant] : [],
        );
        return (
          <tr key={name}>
            <th scope="row">
              {name}
              {row.is_search_engine && (
                <Text size="xs" c="dimmed" fw={400}>
                  Has a search engine
                </Text>
              )}
            </th>
            <td data-label="Pages fetched" className={plain['number']}>
              <Compared current={row.pages_fetched} previous={row.previous_pages_fetched} before={props.before}>
                {pages(row.pages_fetched, 'pages fetched by', {})}
              </Compared>
            </td>
            {PURPOSES.map((purpose) => {
              const { label, types } = CRAWL_PURPOSES[purpose];
              return (
                <td key={purpose} data-label={label} className={plain['number']}>
                  {pages(row.by_purpose[purpose], `pages fetched (${label.toLowerCase()}) by`, { type: [...types] })}
                </td>
              );
            })}
            <td data-label="Other" className={plain['number']}>
              {pages(row.by_purpose.other, 'other pages fetched by', { not_type: NAMED_TYPES })}
            </td>
            <td data-label="People sent" className={plain['number']}>
              <Compared current={row.referrals} previous={row.previous_referrals} before={props.before}>
                <People {...props} filters={assistants.length === 0 ? null : { assistant: assistants }} of={name}>
                  {row.referrals}
                </People>
              </Compared>
            </td>
            <td data-label="Crawl to referral" className={plain['number']}>
              <strong>{ratioText(row.pages_fetched, row.referrals)}</strong>
            </td>
          </tr>
        );
      }}
    </SortedRows>
  );
}

interface SortedRowsProps<T> {
  project: Project;
  range: Referrals;
  /** What the export has. */
  page: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  first: Sort;
  children: (row: T) => ReactNode;
}

function SortedRows<T>({ project, range, page, columns, rows: given, first, children }: SortedRowsProps<T>) {
  const { rows, sort, onSort } = useSorted(given, columns, first);
  return (
    <>
      <TableTools
        columns={columns}
        sort={sort}
        onSort={onSort}
        rows={rows}
        owner={project.name}
        page={page}
        range={range}
      />
      <table className={`${plain['table']} ${stacked['table']} ${classes['table']}`}>
        <thead>
          <tr>
            <SortHeads columns={columns} sort={sort} onSort={onSort} />
          </tr>
        </thead>
        <tbody>{rows.map(children)}</tbody>
      </table>
    </>
  );
}

/** A number behind how it compares; nothing is compared with nothing. */
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
  /** Of those visits; null: of none by themselves. */
  filters: FilterSet | null;
  of: string;
  children: number;
}

/** A number of people sent, which leads to their visits where these are stored. */
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
