import { Group, Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatEstimate } from '../format/count.js';
import { Icon } from '../ui/icon.js';
import { excludeHandlers } from '../filters/exclude-handlers.js';
import classes from './bar-list.module.css';

export interface Bar {
  key: string;
  label: ReactNode;
  /** Mark before the label. */
  mark?: ReactNode;
  /** Dimmed text after the label. */
  detail?: ReactNode;
  /** Length of the bar, and the number to show unless `text` is set. */
  visits: number;
  /** Text to show instead of the number of visits. */
  text?: string;
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
  /** Control at the end of the row. */
  action?: ReactNode;
}

export type RowLink = Pick<LinkProps, 'to' | 'params' | 'search'>;

export interface BarListProps {
  title: string;
  bars: readonly Bar[];
  empty: string;
  lead?: ReactNode;
  /** Controls next to the title. */
  aside?: ReactNode;
  isEstimated?: boolean;
  /** True if the title is shown elsewhere, such as in a tab. Renders no section. */
  isTitleHidden?: boolean;
}

export function BarList(props: BarListProps) {
  const { title, bars, empty, lead, aside, isEstimated = false, isTitleHidden = false } = props;
  const Frame = isTitleHidden ? 'div' : 'section';
  // Leave out the rest row, which can be so large that all other bars would look the same.
  const maxVisits = Math.max(...bars.filter(({ isRest }) => !isRest).map(({ visits }) => visits), 0) || 1;
  const hasChanges = bars.some(({ change }) => change !== undefined);
  const hasActions = bars.some(({ action }) => action !== undefined);
  const hasPages = bars.some(({ pageLink }) => pageLink !== undefined);
  const toText = ({ text, visits }: Bar): string => text ?? formatEstimate(visits, isEstimated);
  return (
    <Frame className={classes['section']} {...(!isTitleHidden && { 'aria-label': title })}>
      {!isTitleHidden && (
        <Group justify="space-between" gap="xs" mb={4}>
          <h2 className={classes['title']}>{title}</h2>
          {aside}
        </Group>
      )}
      {lead !== undefined && (
        <Text size="xs" c="dimmed" mb="xs">
          {lead}
        </Text>
      )}
      {bars.length === 0 && (
        <Text size="sm" c="dimmed" py="xs">
          {empty}
        </Text>
      )}
      <ol className={classes['list']}>
        {bars.map((bar) => {
          const {
            key,
            label,
            mark,
            detail,
            visits,
            text,
            change,
            link,
            isFilter,
            onExclude,
            visitsLink,
            pageLink,
            action,
            isRest,
          } = bar;
          return (
            <li key={key} className={classes['bar']}>
              <svg className={classes['fill']} aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 1">
                <rect width={Math.min(100, (100 * visits) / maxVisits)} height="1" data-rest={isRest || undefined} />
              </svg>
              <span className={classes['label']}>
                {mark}
                {link === undefined ? (
                  <span className={classes['name']}>{label}</span>
                ) : (
                  <Link
                    {...link}
                    className={`${classes['name']} ${classes['link']}`}
                    data-filter={isFilter || undefined}
                    {...(onExclude && excludeHandlers(onExclude))}
                  >
                    {label}
                  </Link>
                )}
                {detail && <span className={classes['detail']}> {detail}</span>}
              </span>
              <span className={`${classes['visits']} numbers`}>
                {visitsLink === undefined ? (
                  toText(bar)
                ) : (
                  <Link {...visitsLink} className={classes['number']} title="Show these visits">
                    {toText(bar)}
                    <span className="unseen">
                      {' '}
                      {text === undefined && 'visits '}for {label}
                    </span>
                  </Link>
                )}
              </span>
              {hasChanges && <span className={`${classes['change']} numbers`}>{change}</span>}
              {hasPages && (
                <span className={classes['page']}>
                  {pageLink !== undefined && (
                    <Link {...pageLink} title="Details">
                      <Icon name="next" size={14} />
                      <span className="unseen">About {label}</span>
                    </Link>
                  )}
                </span>
              )}
              {hasActions && <span className={classes['action']}>{action}</span>}
            </li>
          );
        })}
      </ol>
    </Frame>
  );
}
