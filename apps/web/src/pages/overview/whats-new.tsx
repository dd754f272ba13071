import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions, type LinkProps } from '@tanstack/react-router';
import { useState } from 'react';
import { newsQuery, type News, type NewsItem } from '../../api/statistics.js';
import { agentFilter, listLink, rangeSearch } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import type { RangePageProps } from '../../range/range-page.js';
import type { ShownRange } from '../../range/use-range.js';
import { filtersOf } from '../../filters/visit-filters.js';
import { useClock } from '../../ui/clock.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { newsText } from './news-text.js';
import classes from './whats-new.module.css';

type Answer<T> = RangePageProps<T>['answer'];

/** Items that are shown at first: one of each kind. */
const FEW = 6;

/**
 * Holds back an answer until the news of the range are there as well, so that they don't push the page down when they come.
 * The news go to the page: asked for by what shows them, they would be read anew when it appears.
 */
export function useWithNews<T>(answer: Answer<T>, projectId: string, range: ShownRange) {
  const { isPending, data: news } = useQuery(newsQuery(projectId, range));
  return { answer: isPending ? { ...answer, data: undefined } : answer, news: news ?? null };
}

interface WhatsNewProps {
  projectId: string;
  /** Null while there are none. */
  news: News | null;
  /** In which times are shown. */
  timeZone: string;
  /** Their range, as links have it. */
  linked: LinkedRange;
  /** What it is compared with; null for nothing: then news are compared with the range before. */
  before: string | null;
}

/** What changed in a range, each in a sentence that leads to its visits; nothing where nothing changed. */
export function WhatsNew({ projectId, news, timeZone, linked, before }: WhatsNewProps) {
  const [isWhole, setWhole] = useState(false);
  const now = useClock();
  const items = news?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section aria-label="What's new" className={classes['strip']}>
      <div className={classes['head']}>
        <h2 className={classes['title']}>What's new</h2>
        <span className={classes['lead']}>vs. {before ?? 'the previous period'}</span>
        {items.length > FEW && (
          <UnstyledButton
            fz="xs"
            c="var(--mantine-color-anchor)"
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? 'Show fewer' : `Show all ${items.length}`}
          </UnstyledButton>
        )}
      </div>
      <ul className={classes['items']}>
        {items.slice(0, isWhole ? undefined : FEW).map((item) => (
          <li key={keyOf(item)} className={classes['item']} data-kind={item.kind}>
            <Icon name={iconOf(item)} size={15} />
            <Link {...linkOf(item, projectId, { linked, news: news! })} className={classes['link']}>
              {newsText(item, { timeZone, now })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const keyOf = (item: NewsItem): string =>
  `${item.kind} ${'agent_id' in item ? item.agent_id : ''} ${'status' in item ? item.status : ''}`;

function iconOf(item: NewsItem): IconName {
  if (item.kind === 'agent_change') return item.visits > item.previous_visits ? 'up' : 'down';
  return { silence: 'pause', errors: 'alert', spoofing: 'failed', new_agent: 'plus', address_lists: 'catalog' }[
    item.kind
  ] as IconName;
}

/** Visits of an agent, without those that only claimed to be of it. */
const ownVisits = (item: Parameters<typeof agentFilter>[0]) =>
  filtersOf({ agent: [agentFilter(item)], not_result: ['verification_failed'] });

/** The visits that the item counts, or the page that helps. */
function linkOf(
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
      return visits(ownVisits(item));
    case 'agent_change':
      // Of one that stopped, those before are all there is.
      return item.visits > 0
        ? visits(ownVisits(item))
        : listLink(projectId, { from: news.compared_from, to: news.compared_to })(ownVisits(item));
    case 'address_lists':
      return linkOptions({ to: '/system', hash: 'address-lists' });
  }
}
