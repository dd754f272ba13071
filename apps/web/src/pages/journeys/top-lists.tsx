import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { MAX_JOURNEY_PAGES } from '../../api/constants.js';
import type { JourneySummary } from '../../api/journeys.js';
import { BarList, type Bar, type BarListProps, type RowLink } from '../../charts/bar-list.js';
import { formatCount } from '../../format/count.js';
import { Columns } from '../../ui/columns.js';
import { TabbedCard, type CardTab } from '../../ui/tabbed-card.js';
import { STATUS_NAMES } from './dead-end-cause.js';
import type { JourneysSearch } from './search.js';
import { toCauseFilter } from './session-filters.js';

/** Number of rows per list, unless all are shown. */
const TOP_ROWS = 6;

interface TopListsProps {
  summary: JourneySummary;
  search: JourneysSearch;
}

/** Cards with the causes and pages where sessions get stuck, start and end. Each row filters the page. */
export function TopLists({ summary, search }: TopListsProps) {
  /** Returns the link that adds a row's filter, or removes it if it's active. */
  const toFilter = (filter: Partial<JourneysSearch>): Pick<Bar, 'isFilter' | 'link'> => {
    const keys = Object.keys(filter) as (keyof JourneysSearch)[];
    const isFilter = keys.every((key) => search[key] === filter[key]);
    const change = isFilter ? Object.fromEntries(keys.map((key) => [key, undefined])) : filter;
    return {
      isFilter,
      link: { to: '.', search: ((now: JourneysSearch) => ({ ...now, ...change })) as RowLink['search'] },
    };
  };
  const toBar = ({ page, sessions }: JourneySummary['entries'][number], filter: Partial<JourneysSearch>): Bar => ({
    key: page,
    label: page,
    visits: sessions,
    ...toFilter(filter),
  });
  const causes = summary.dead_end_causes.map((cause): Bar => {
    const filter = toCauseFilter(cause);
    return {
      key: filter,
      label:
        cause.status === null
          ? 'Loop: same request 3 times or more'
          : [filter, STATUS_NAMES[filter]].filter(Boolean).join(' '),
      detail: cause.pages === 1 ? 'on 1 page' : `on ${formatCount(cause.pages)} pages`,
      visits: cause.sessions,
      ...toFilter({ deadEndCause: filter }),
    };
  });
  const pages = summary.dead_ends.map((deadEnd): Bar => {
    const cause = toCauseFilter(deadEnd);
    return {
      ...toBar(deadEnd, { deadEndPage: deadEnd.page, deadEndCause: cause }),
      key: `${deadEnd.page} ${cause}`,
      detail: cause,
    };
  });
  const toTab = (
    key: string,
    list: Pick<BarListProps, 'title' | 'bars' | 'lead' | 'empty'>,
    count?: number,
  ): CardTab => ({
    key,
    label: list.title,
    content: <TopList {...list} />,
    ...(count !== undefined && { count: formatCount(count) }),
  });
  const checkouts = toTab(
    'checkouts',
    {
      title: 'Before a checkout',
      bars: summary.before_checkout.map(({ page, sessions }) => ({ key: page, label: page, visits: sessions })),
      lead: 'Pages viewed before checkout began',
      empty: 'No pages were viewed before.',
    },
    summary.checkout_sessions,
  );
  return (
    <Columns cols={{ base: 1, md: 2 }}>
      <TabbedCard
        label="Results"
        tabs={[
          toTab(
            'dead-ends',
            {
              title: 'Dead ends',
              bars: causes,
              lead: 'Sessions with an error or a loop. One session can count in several rows.',
              empty: 'No dead ends.',
            },
            summary.dead_end_sessions,
          ),
          toTab('dead-end-pages', {
            title: 'Dead-end pages',
            bars: pages,
            lead: 'Sessions by page and error',
            empty: 'No dead ends.',
          }),
          ...(summary.checkout_sessions > 0 ? [checkouts] : []),
        ]}
      />
      <TabbedCard
        label="Start and end"
        tabs={[
          toTab('entries', {
            title: 'Entries',
            bars: summary.entries.map((entry) => toBar(entry, { entry: entry.page })),
            lead: 'Sessions by first page',
            empty: 'No session’s start is known.',
          }),
          toTab('exits', {
            title: 'Exits',
            bars: summary.exits.map((exit) => toBar(exit, { exit: exit.page })),
            lead: 'Sessions by last page',
            empty: 'No exits.',
          }),
        ]}
      />
    </Columns>
  );
}

/** List that shows its first rows until the user expands it. */
function TopList({ bars, ...list }: Omit<BarListProps, 'isTitleHidden'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <BarList isTitleHidden {...list} bars={isOpen ? bars : bars.slice(0, TOP_ROWS)} />
      {bars.length > TOP_ROWS && (
        <Group justify="center" mt="sm">
          <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen
              ? 'Show fewer'
              : `Show ${bars.length < MAX_JOURNEY_PAGES ? 'all' : 'the top'} ${formatCount(bars.length)}`}
          </Button>
        </Group>
      )}
    </>
  );
}
