import { Text } from '@mantine/core';
import { CRAWL_PURPOSES, type CrawlPurpose } from '#libs/agents/vocabulary';
import type { FilterSet } from '../../filters/filter-set.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatCount } from '../../format/count.js';
import { formatAmount } from '../../format/money.js';
import { listLink } from '../../range/list-link.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';
import { CountWithChange, FETCHED_PAGES, PeopleCount } from './counts.js';
import { ratioText } from './ratio.js';
import type { OperatorRow, ReferralTableProps } from './tables.js';

const PURPOSES = Object.keys(CRAWL_PURPOSES) as CrawlPurpose[];
const NAMED_TYPES: string[] = PURPOSES.flatMap((purpose) => CRAWL_PURPOSES[purpose].types);
/** Compares the pages that operators fetched with the people that their assistants sent. */
export function OperatorTable({ project, referrals, costs, linked, before, lead }: ReferralTableProps) {
  const visits = listLink(project.id, linked);
  const pages = (count: number, what: string, { operator_name: name }: OperatorRow, filters: FilterSet) =>
    count === 0 ? (
      <span className="zero">–</span>
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
        <MarkedName name={row.operator_name} operator={row.operator_name}>
          {row.operator_name}
          {row.is_search_engine && (
            <Text size="xs" c="dimmed" fw={400}>
              Runs a search engine
            </Text>
          )}
        </MarkedName>
      ),
    },
    {
      key: 'pages',
      label: 'Pages fetched',
      isNumber: true,
      narrow: { after: 'fetched', isSoft: true },
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
        cell: (row) => pages(row.by_purpose[purpose], `pages fetched (${label}) by`, row, { type: [...types] }),
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
      narrow: { after: 'sent' },
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
      cell: (row) => <strong>{ratioText(row)}</strong>,
    },
    ...(costs === undefined
      ? []
      : [
          {
            key: 'cost',
            label: 'Cost',
            isNumber: true,
            narrow: { after: 'cost', isSoft: true },
            value: ({ operator_name: name }) => costs.get(name),
            cell: ({ operator_name: name }) => {
              const cost = costs.get(name);
              return cost === undefined ? <span className="zero">–</span> : formatAmount(cost, project.currency);
            },
          } satisfies TableColumn<OperatorRow>,
        ]),
  ];
  return (
    <DataTable
      label="Crawl to referral"
      phone={['operator people', 'pages cost']}
      columns={columns}
      rows={referrals.operators}
      rowKey={(row) => row.operator_name}
      initial="pages"
      owner={project.name}
      range={referrals}
      toolbar={lead}
      empty="No assistant operator fetched pages or sent people."
    />
  );
}
