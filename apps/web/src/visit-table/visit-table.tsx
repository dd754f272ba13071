import { UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Link } from '@tanstack/react-router';
import { memo, useEffect, useImperativeHandle, useMemo, useRef, type CSSProperties, type Ref } from 'react';
import type { Visit } from '../api/client.js';
import { useClock } from '../ui/clock.js';
import { clockTime, datedBy } from '../format/clock-time.js';
import { formatted } from '../format/time.js';
import { Icon } from '../ui/icon.js';
import { withDays } from './days.js';
import { VISIT_CELLS } from './visit-cells.js';
import { COLUMN_LABELS, DEFAULT_COLUMNS, type ColumnName } from './visit-columns.js';
import classes from './visit-table.module.css';

export interface VisitTableHandle {
  /** Moves the focus by this many rows. Negative numbers move it up. */
  move: (rows: number) => void;
  toTop: () => void;
}

interface VisitTableProps {
  visits: readonly Visit[];
  timeZone: string;
  /** ID of the visit whose drawer is open. */
  open: string | undefined;
  columns?: readonly ColumnName[];
  /** Order of a list that can be reversed. It also has a heading for each day. */
  order?: 'newest' | 'oldest';
  onOrder?: () => void;
  /** Reports whether the table is in use (scrolled or focused), so its rows should stay in place. */
  onHold?: (isHeld: boolean) => void;
  handle: Ref<VisitTableHandle>;
  /** Called when the last row is about to scroll into view. */
  onEnd?: () => void;
}

const ROW = 33;
const DAY_ROW = 30;
/** Height on narrow screens, where rows have three lines. */
const NARROW_ROW = 78;
/** Space between columns and at both ends. Must match the CSS. */
const GAP_REM = 0.75;

/** Virtualized table of visits. Only rows near the viewport are rendered. */
export function VisitTable(props: VisitTableProps) {
  const { visits, timeZone, open, columns = DEFAULT_COLUMNS, order, onOrder, onHold, handle, onEnd } = props;
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const scroller = useRef<HTMLDivElement>(null);
  const held = useRef({ scrolled: false, focused: false });
  const now = useClock();
  const hasDays = order !== undefined;
  const rows = useMemo(() => withDays(visits, hasDays ? timeZone : null), [visits, timeZone, hasDays]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]!.day !== undefined ? DAY_ROW : isNarrow ? NARROW_ROW : ROW),
    getItemKey: (index) => rows[index]!.day ?? visits[rows[index]!.visit]!.id,
    overscan: 10,
  });
  const oldest = visits.at(-1)?.occurred_at;
  const lastIndex = virtualizer.getVirtualItems().at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastIndex >= rows.length - 1) onEnd?.();
  }, [lastIndex, rows.length, onEnd]);
  const hold = (change: Partial<typeof held.current>): void => {
    held.current = { ...held.current, ...change };
    onHold?.(held.current.scrolled || held.current.focused);
  };
  // React fires no blur event when the focused row is removed from the page.
  useEffect(() => {
    if (held.current.focused && !scroller.current?.contains(document.activeElement)) hold({ focused: false });
  });
  useEffect(() => () => onHold?.(false), [onHold]);
  useImperativeHandle(handle, () => ({
    move: (by) => {
      const focused = document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index'];
      const index = Math.min(visits.length - 1, Math.max(0, focused === undefined ? 0 : Number(focused) + by));
      const link = (): HTMLElement | null =>
        scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`) ?? null;
      // Focus rendered rows immediately, because the next key may come before the next frame. Others must wait for it.
      link()?.focus();
      virtualizer.scrollToIndex(rows.findIndex(({ day, visit }) => day === undefined && visit === index));
      requestAnimationFrame(() => link()?.focus());
    },
    toTop: () => {
      if (document.activeElement instanceof HTMLElement && scroller.current?.contains(document.activeElement)) {
        document.activeElement.blur();
      }
      scroller.current?.scrollTo({ top: 0 });
    },
  }));
  const dated = hasDays || oldest === undefined ? undefined : datedBy(oldest, timeZone, now);
  return (
    <div
      className={classes['scroller']}
      style={widthsOf(columns)}
      data-dated={dated}
      ref={scroller}
      role="table"
      aria-label={`Visits, ${order ?? 'newest'} first`}
      aria-rowcount={rows.length + 1}
      onScroll={({ currentTarget }) => hold({ scrolled: currentTarget.scrollTop > 0 })}
      onFocus={() => hold({ focused: true })}
      onBlur={({ currentTarget, relatedTarget }) => hold({ focused: currentTarget.contains(relatedTarget) })}
    >
      <div role="rowgroup" className={classes['head']}>
        <div role="row" aria-rowindex={1} className={classes['cells']}>
          <TimeHead order={order} onOrder={onOrder} />
          {columns.map((name) => (
            <div key={name} role="columnheader" data-number={VISIT_CELLS[name].isNumber}>
              {COLUMN_LABELS[name]}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={classes['body']} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start, size }) => {
          const { day, visit } = rows[index]!;
          const item = visits[visit]!;
          const place = { height: size, transform: `translateY(${start}px)` };
          if (day !== undefined) {
            return (
              <div key={key} role="row" aria-rowindex={index + 2} className={classes['day']} style={place}>
                <div role="cell" aria-colspan={columns.length + 1}>
                  {day}
                </div>
              </div>
            );
          }
          return (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              data-index={visit}
              data-open={item.id === open || undefined}
              className={`${classes['cells']} ${classes['row']}`}
              style={place}
            >
              <Cells
                item={item}
                columns={columns}
                time={
                  hasDays
                    ? formatted(item.occurred_at, timeZone, { timeStyle: 'medium' })
                    : clockTime(item.occurred_at, timeZone, now)
                }
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function TimeHead({ order, onOrder }: Pick<VisitTableProps, 'order' | 'onOrder'>) {
  if (order === undefined) return <div role="columnheader">Time</div>;
  return (
    <div role="columnheader" aria-sort={order === 'newest' ? 'descending' : 'ascending'}>
      <UnstyledButton className={classes['turn']} onClick={onOrder} title="Turn the order around">
        Time
        <Icon name={order === 'newest' ? 'down' : 'up'} size={12} />
      </UnstyledButton>
    </div>
  );
}

function widthsOf(columns: readonly ColumnName[]): CSSProperties {
  const cells = columns.map((name) => VISIT_CELLS[name]);
  const width = cells.reduce((sum, cell) => sum + cell.width + GAP_REM, 2 * GAP_REM);
  const tracks = cells.map(({ width: least, grow }) => (grow === 0 ? `${least}rem` : `minmax(${least}rem, ${grow}fr)`));
  return { '--columns': tracks.join(' '), '--columns-width': `${width}rem` } as CSSProperties;
}

interface CellsProps {
  item: Visit;
  columns: readonly ColumnName[];
  time: string;
}

const Cells = memo(function Cells({ item, columns, time }: CellsProps) {
  return (
    <>
      <div role="cell" data-cell="time" className="numbers">
        <Link
          to="."
          search={(search) => ({ ...search, visit: item.id })}
          className={classes['link']}
          title={item.occurred_at}
          preload={false}
          resetScroll={false}
        >
          {time}
        </Link>
      </div>
      {columns.map((name) => {
        const { content, title, isNumber } = VISIT_CELLS[name];
        return (
          <div
            key={name}
            role="cell"
            data-cell={name}
            data-number={isNumber}
            className={isNumber || name === 'address' ? 'numbers' : undefined}
            title={title?.(item) ?? undefined}
          >
            {content(item)}
          </div>
        );
      })}
    </>
  );
});
