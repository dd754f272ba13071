import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions, type LinkProps } from '@tanstack/react-router';
import { useState } from 'react';
import { newsQuery, type News, type NewsItem } from '../../api/statistics.js';
import { agentFilter, listLink, rangeSearch } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import type { RangePageProps } from '../../range/range-page.js';
import type { ShownRange } from '../../range/use-range.js';
import { toFilters } from '../../filters/visit-filters.js';
import { useClock } from '../../ui/use-clock.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { newsText } from './news-text.js';
import classes from './whats-new.module.css';

type Answer<T> = RangePageProps<T>['answer'];

/** Number of items shown until "Show all" is clicked. */
const MAX_COLLAPSED_ITEMS = 6;

/**
 * Withholds the page's data until the news has loaded, so that the news doesn't push the content down. Must be called
 * by the page itself, because `WhatsNew` would fetch the news again when it mounts.
 */
export function useNews<T>(answer: Answer<T>, projectId: string, range: ShownRange) {
  const { isPending, data: news } = useQuery(newsQuery(projectId, range));
  return { answer: isPending ? { ...answer, data: undefined } : answer, news: news ?? null };
}

interface WhatsNewProps {
  projectId: string;
  /** Null if the request failed. */
  news: News | null;
  timeZone: string;
  /** Time range for the links. */
  linked: LinkedRange;
  /** Name of the comparison range. Default: "the previous period". */
  before: string | null;
}

/** Lists notable changes in a range. Renders nothing if there are none. */
export function WhatsNew({ projectId, news, timeZone, linked, before }: WhatsNewProps) {
  const [isExpanded, setExpanded] = useState(false);
  const now = useClock();
  const items = news?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section aria-label="What's new" className={classes['strip']}>
      <div className={classes['head']}>
        <h2 className={classes['title']}>What's new</h2>
        <span className={classes['lead']}>vs. {before ?? 'the previous period'}</span>
        {items.length > MAX_COLLAPSED_ITEMS && (
          <UnstyledButton
            fz="xs"
            c="var(--mantine-color-anchor)"
            aria-expanded={isExpanded}
            onClick={() => setExpanded(!isExpanded)}
          >
            {isExpanded ? 'Show fewer' : `Show all ${items.length}`}
          </UnstyledButton>
        )}
      </div>
      <ul className={classes['items']}>
        {items.slice(0, isExpanded ? undefined : MAX_COLLAPSED_ITEMS).map((item) => (
          <li key={getKey(item)} className={classes['item']} data-kind={item.kind}>
            <Icon name={getIcon(item)} size={15} />
            <Link {...getLink(item, projectId, { linked, news: news! })} className={classes['link']}>
              {newsText(item, { timeZone, now })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const getKey = (item: NewsItem): string =>
  `${item.kind} ${'agent_id' in item ? item.agent_id : ''} ${'status' in item ? item.status : ''}`;

function getIcon(item: NewsItem): IconName {
  if (item.kind === 'agent_change') return item.visits > item.previous_visits ? 'up' : 'down';
  return { silence: 'pause', errors: 'alert', spoofing: 'failed', new_agent: 'plus', address_lists: 'catalog' }[
    item.kind
  ] as IconName;
}

/** Returns filters for an agent's visits, excluding spoofed ones. */
const getGenuineVisits = (item: Parameters<typeof agentFilter>[0]) =>
  toFilters({ agent: [agentFilter(item)], not_result: ['verification_failed'] });

/** Returns a link to the visits behind an item, or to a page that helps to fix the problem. */
function getLink(
  item: NewsItem,
  projectId: string,
  { linked, news }: { linked: LinkedRange; news: News },
): Pick<LinkProps, 'to' | 'params' | 'search'> {
  const visits = listLink(projectId, linked);
  switch (item.kind) {
    case 'silence':
      return linkOptions({ to: '/projects/$projectId/get-started', params: { projectId } });
    case 'errors':
      return visits({ status: item.status });
    case 'spoofing':
      return item.networks === 1
        ? visits({ agent: agentFilter(item), result: 'verification_failed', address: item.network })
        : linkOptions({ to: '/projects/$projectId/verification', params: { projectId }, search: rangeSearch(linked) });
    case 'new_agent':
      return visits(getGenuineVisits(item));
    case 'agent_change':
      // An agent that no longer visits has no visits in the range, so link to the comparison range instead.

      return item.visits > 0
        ? visits(getGenuineVisits(item))
        : listLink(projectId, { from: news.compared_from, to: news.compared_to })(getGenuineVisits(item));
    case 'address_lists':
      return linkOptions({ to: '/system', hash: 'address-lists' });
  }
}
