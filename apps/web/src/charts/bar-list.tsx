import { Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatEstimate } from '../format/count.js';
import { Icon } from '../ui/icon.js';
import { excludeHandlers } from '../filters/exclude-handlers.js';
import classes from './bar-list.module.css';

export interface Bar {
  key: string;
  label: ReactNode;
  /** Dimmed text after the label. */
  detail?: string | null | undefined;
  visits: number;
  /** Change from the comparison range, such as "+12%". */
  change?: string | undefined;
  /** True for the row that sums everything not listed. */
  isRest?: boolean;
  link?: RowLink;
  /** True if the page is filtered by this row. Its link then removes the filter. */
  isFilter?: boolean;
  /** Called instead of following the link on Alt+click or Alt+Enter. */
  onExclude?: (() => void) | undefined;
  visitsLink?: RowLink;
  pageLink?: RowLink;
}

export type RowLink = Pick<LinkProps, 'to' | 'params' | 'search'>;

interface BarListProps {
  title: string;
  bars: readonly Bar[];
  empty: string;
  lead?: ReactNode;
  isEstimated?: boolean;
}

export function BarList({ title, bars, empty, lead, isEstimated = false }: BarListProps) {
  // Leave out the rest row, which can be so large that all other bars would look the same.
  const maxVisits = Math.max(1, ...bars.filter(({ isRest }) => !isRest).map(({ visits }) => visits));
  return (
    <section aria-label={title} className={classes['section']}>
      <h2 className={classes['title']}>{title}</h2>
      {lead !== undefined && (
        <Text size="xs" c="dimmed">
          {lead}
        </Text>
      )}
      {bars.length === 0 && (
        <Text size="sm" c="dimmed" py="xs">
          {empty}
        </Text>
      )}
      <ol className={classes['list']}>
        {bars.map(({ key, label, detail, visits, change, link, isFilter, onExclude, visitsLink, pageLink, isRest }) => (
          <li key={key} className={classes['bar']}>
            <svg className={classes['fill']} aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 1">
              <rect width={Math.min(100, (100 * visits) / maxVisits)} height="1" data-rest={isRest || undefined} />
            </svg>
            <span className={classes['label']}>
              {link === undefined ? (
                label
              ) : (
                <Link
                  {...link}
                  className={classes['link']}
                  data-filter={isFilter || undefined}
                  {...(onExclude && excludeHandlers(onExclude))}
                >
                  {label}
                </Link>
              )}
              {detail && <span className={classes['detail']}> {detail}</span>}
            </span>
            {pageLink !== undefined && (
              <Link {...pageLink} className={classes['page']} title="View this agent">
                <Icon name="agents" size={14} />
                <span className="unseen">About {label}</span>
              </Link>
            )}
            <span className={`${classes['visits']} numbers`}>
              {change !== undefined && <span className={classes['change']}>{change}</span>}{' '}
              {visitsLink === undefined ? (
                formatEstimate(visits, isEstimated)
              ) : (
                <Link {...visitsLink} className={classes['number']} title="Show these visits">
                  {formatEstimate(visits, isEstimated)}
                  <span className="unseen"> visits for {label}</span>
                </Link>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
