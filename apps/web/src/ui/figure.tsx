import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './figure.module.css';

type RowLink = Pick<LinkProps, 'to' | 'params' | 'search'>;

interface FigureProps {
  label: string;
  /** Explanation below the figure. */
  what: string;
  value: string;
  link?: RowLink | undefined;
  isBad?: boolean;
  /** Comparison with an earlier range. */
  children?: ReactNode;
}

/** Key figure for a date range, optionally linked to the items it counts. */
export function Figure({ label, what, value, link, isBad = false, children }: FigureProps) {
  const valueProps = { className: `${classes['value']} numbers`, 'data-bad': isBad || undefined };
  return (
    <div className={classes['figure']}>
      <div className={classes['label']}>{label}</div>
      {link === undefined ? (
        <div {...valueProps}>{value}</div>
      ) : (
        <Link {...link} {...valueProps}>
          {value}
          <span className="unseen"> {label}: show them</span>
        </Link>
      )}
      {children}
      <div className={classes['what']}>{what}</div>
    </div>
  );
}
