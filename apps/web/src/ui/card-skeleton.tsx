import { Card, Skeleton } from '@mantine/core';
import classes from './card-skeleton.module.css';

/** Widths of the lines in percent, so that they look like text. */
const LINE_WIDTHS = [72, 58, 81, 64, 49, 76, 55, 68];

/** Placeholder for the rows of a table. */
export const RowsSkeleton = ({ rows }: { rows: number }) => (
  <div className={classes['rows']}>
    {Array.from({ length: rows }, (_, row) => (
      // Rows have no identity other than their position. oxlint-disable-next-line react/no-array-index-key
      <div key={row} className={classes['row']}>
        <Skeleton h={18} w={18} radius="sm" animate={false} />
        <Skeleton h={10} w={`${LINE_WIDTHS[row % LINE_WIDTHS.length]! / 2}%`} animate={false} />
        <Skeleton h={10} w={48} ml="auto" animate={false} />
      </div>
    ))}
  </div>
);

interface CardSkeletonProps {
  /** Number of rows. */
  rows?: number;
  /** Height in pixels of a chart instead of rows. */
  chart?: number;
  /** Leaves out the title, for tables that are cards themselves. */
  hasTitle?: boolean;
}

/** Placeholder for a card with a table or chart. */
export const CardSkeleton = ({ rows = 8, chart, hasTitle = true }: CardSkeletonProps) => (
  <Card withBorder>
    {hasTitle && <Skeleton h={14} w={160} mb={16} animate={false} />}
    {chart === undefined ? <RowsSkeleton rows={rows} /> : <Skeleton h={chart} animate={false} />}
  </Card>
);
