import type { JourneySummary } from '../../api/journeys.js';
import { BarList, type Bar } from '../../charts/bar-list.js';
import { formatCount } from '../../format/count.js';
import { toFilters } from '../../filters/visit-filters.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { Columns } from '../../ui/columns.js';
import { TabbedCard, type CardTab } from '../../ui/tabbed-card.js';
import { toDeadEndFilters, type JourneysSearch } from './search.js';

/** Number of rows per list. */
const TOP_ROWS = 8;

interface TopListsProps {
  projectId: string;
  linked: LinkedRange;
  summary: JourneySummary;
  search: JourneysSearch;
}

/** Cards with the pages where sessions start, end and get stuck. */
export function TopLists({ projectId, linked, summary, search }: TopListsProps) {
  const toBar = ({ page, sessions }: { page: string; sessions: number }): Bar => ({
    key: page,
    label: page,
    visits: sessions,
  });
  const link = listLink(projectId, linked);
  const entries = summary.entries.slice(0, TOP_ROWS).map((entry): Bar => ({
    ...toBar(entry),
    isFilter: search.entry === entry.page,
    link: {
      to: '.',
      search: ((now: JourneysSearch) => ({
        ...now,
        entry: search.entry === entry.page ? undefined : entry.page,
      })) as never,
    },
  }));
  const deadEnds = summary.dead_ends.slice(0, TOP_ROWS).map((deadEnd): Bar => {
    const { page, kind, status, sessions } = deadEnd;
    return {
      key: `${page} ${kind} ${status}`,
      label: page,
      detail: kind === 'loop' ? 'loop' : String(status),
      link: link(toDeadEndFilters(deadEnd)),
      visits: sessions,
    };
  });
  const toTab = (key: string, title: string, bars: readonly Bar[], lead: string, empty: string): CardTab => ({
    key,
    label: title,
    content: <BarList isTitleHidden title={title} lead={lead} bars={bars} empty={empty} />,
  });
  const exits = summary.exits
    .slice(0, TOP_ROWS)
    .map((exit): Bar => ({ ...toBar(exit), link: link(toFilters({ page: [exit.page] })) }));
  const beforeCheckout = summary.before_checkout.slice(0, TOP_ROWS).map(toBar);
  return (
    <Columns cols={{ base: 1, md: 2 }}>
      <TabbedCard
        label="Results"
        tabs={[
          {
            ...toTab(
              'dead-ends',
              'Dead ends',
              deadEnds,
              'Where sessions hit an error or repeated a request three or more times (loop)',
              'No dead ends.',
            ),
            count: formatCount(summary.dead_end_sessions),
          },
          ...(summary.checkout_sessions > 0
            ? [
                {
                  ...toTab(
                    'checkouts',
                    'Before a checkout',
                    beforeCheckout,
                    'Pages viewed before checkout began',
                    'No pages were viewed before.',
                  ),
                  count: formatCount(summary.checkout_sessions),
                },
              ]
            : []),
        ]}
      />
      <TabbedCard
        label="Start and end"
        tabs={[
          toTab('entries', 'Entries', entries, 'First page of a session', 'No session’s start is known.'),
          toTab('exits', 'Exits', exits, 'Last page of a session', 'No exits.'),
        ]}
      />
    </Columns>
  );
}
