import { UnstyledButton } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './figure.module.css';
import { Sparkline } from './sparkline.js';

type RowLink = Pick<LinkProps, 'to' | 'params' | 'search'>;

interface FigureProps {
  label: string;
  /** Explanation below the figure. */
  what?: string | undefined;
  /** Explanation shown when the user points at the label. */
  hint?: string;
  value: string;
  link?: RowLink | undefined;
  isBad?: boolean;
  /** Comparison with an earlier range. */
  children?: ReactNode;
  /** Values over time for a small chart. */
  trend?: readonly number[] | undefined;
  trendColor?: string;
  /** Shows the figure in the page's chart. If set, the tile is a button, and only its number is a link. */
  onSelect?: (() => void) | undefined;
  isSelected?: boolean;
}

/** Key figure for a date range, optionally linked to the items it counts. */
export function Figure(props: FigureProps) {
  const { label, what, hint, value, link, isBad = false, children, trend, trendColor, onSelect, isSelected } = props;
  const valueProps = { className: `${classes['value']} numbers`, 'data-bad': isBad || undefined };
  return (
    <div className={classes['figure']} data-selected={isSelected || undefined}>
      {onSelect === undefined ? (
        <div className={classes['label']} title={hint}>
          {label}
        </div>
      ) : (
        <UnstyledButton
          className={`${classes['label']} ${classes['cover']}`}
          title={hint}
          aria-pressed={isSelected ?? false}
          onClick={onSelect}
        >
          {label}
          <span className="unseen"> in the chart</span>
        </UnstyledButton>
      )}
      {link === undefined ? (
        <div {...valueProps}>{value}</div>
      ) : (
        <Link
          {...link}
          {...valueProps}
          className={`${valueProps.className} ${onSelect === undefined ? classes['cover'] : classes['link']}`}
          title={onSelect && 'Show these visits'}
        >
          {value}
          <span className="unseen"> {label}: show them</span>
        </Link>
      )}
      {(children || trend) && (
        <div className={classes['foot']}>
          {children ?? <span />}
          {trend && trend.length > 1 && <Sparkline values={trend} width={64} height={20} color={trendColor} />}
        </div>
      )}
      {what !== undefined && <div className={classes['what']}>{what}</div>}
    </div>
  );
}
