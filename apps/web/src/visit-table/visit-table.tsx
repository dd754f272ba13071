import { Button, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual';
import { Link } from '@tanstack/react-router';
import {
  memo,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type Ref,
  type RefObject,
} from 'react';
import type { Project, Visit } from '../api/client.js';
import { VisitActions } from './visit-actions.js';
import { useClock } from '../ui/use-clock.js';
import { formatClockTime, getDateDetail } from '../format/clock-time.js';
import { formatTime } from '../format/time.js';
import { Icon } from '../ui/icon.js';
import { addDayHeadings } from './day-headings.js';
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
  /** Current order, for lists that can be reversed. Such lists also have day headings. */
  order?: 'newest' | 'oldest';
  onOrder?: () => void;
  /** Reports whether the table is scrolled or focused. While it is, its rows should stay in place. */
  onHold?: (isInUse: boolean) => void;
  handle: Ref<VisitTableHandle>;
  /** IDs of rows to highlight briefly. */
  newIds?: ReadonlySet<string>;
  /** Project of the visits. */
  project: Project;
  /** Called when the last row is about to scroll into view. */
  onEnd?: () => void;
}

const ROW_HEIGHT_PX = 33;
const DAY_ROW_HEIGHT_PX = 30;
/** Row height on narrow screens, where rows have two lines. */
const NARROW_ROW_HEIGHT_PX = 56;
/** Height of the bar at the top of the page. */
const TOP_BAR_HEIGHT_PX = 52;
/** Gap between columns and at both ends. Must match the CSS. */
const GAP_REM = 0.75;
/** Width of the column with the row actions. */
const ACTIONS_REM = 1.75;

/** Number of visits shown at first, and added by the button, if the table scrolls with the page. */
const BATCH_SIZE = 25;

/**
 * Virtualized visit table that renders only the rows near the viewport. It fills the rest of the page. On small screens,
 * it scrolls with the page instead.
 */
export function VisitTable(props: VisitTableProps) {
  const {
    visits: loadedVisits,
    timeZone,
    open,
    columns = DEFAULT_COLUMNS,
    order,
    onOrder,
    onHold,
    handle,
    newIds,
    onEnd,
    project,
  } = props;
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  // Must match the CSS.
  const isSmall = !useMediaQuery('(width > 48em) and (min-height: 45em)', true, { getInitialValueInEffect: false });
  const [limit, setLimit] = useState(BATCH_SIZE);
  const hasHidden = isSmall && loadedVisits.length > limit;
  const visits = useMemo(
    () => (hasHidden ? loadedVisits.slice(0, limit) : loadedVisits),
    [loadedVisits, hasHidden, limit],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const usage = useRef({ scrolled: false, focused: false });
  const now = useClock();
  const hasDays = order !== undefined;
  const rows = useMemo(() => addDayHeadings(visits, hasDays ? timeZone : null), [visits, timeZone, hasDays]);
  const pageOffset = usePageOffset(scroller, isSmall);
  const list = {
    count: rows.length,
    estimateSize: (index: number) =>
      rows[index]!.day !== undefined ? DAY_ROW_HEIGHT_PX : isNarrow ? NARROW_ROW_HEIGHT_PX : ROW_HEIGHT_PX,
    getItemKey: (index: number) => rows[index]!.day ?? visits[rows[index]!.visit]!.id,
    overscan: 10,
  };
  const ownScroll = useVirtualizer({ ...list, getScrollElement: () => scroller.current, enabled: !isSmall });
  const pageScroll = useWindowVirtualizer({ ...list, scrollMargin: pageOffset, enabled: isSmall });
  const virtualizer = isSmall ? pageScroll : ownScroll;
  const oldest = visits.at(-1)?.occurred_at;
  const lastIndex = virtualizer.getVirtualItems().at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastIndex >= rows.length - 1 && !hasHidden) onEnd?.();
  }, [lastIndex, rows.length, hasHidden, onEnd]);
  const updateUsage = (change: Partial<typeof usage.current>): void => {
    usage.current = { ...usage.current, ...change };
    onHold?.(usage.current.scrolled || usage.current.focused);
  };
  const updateScrolled = useEffectEvent(() =>
    updateUsage({ scrolled: scroller.current!.getBoundingClientRect().top < TOP_BAR_HEIGHT_PX }),
  );
  useEffect(() => {
    if (!isSmall) return undefined;
    const listener = (): void => updateScrolled();
    window.addEventListener('scroll', listener, { passive: true });
    return () => window.removeEventListener('scroll', listener);
  }, [isSmall]);
  // React fires no blur event when the focused row is removed from the page.
  useEffect(() => {
    if (usage.current.focused && !scroller.current?.contains(document.activeElement)) updateUsage({ focused: false });
  });
  useEffect(() => () => onHold?.(false), [onHold]);
  useImperativeHandle(handle, () => ({
    move: (rowCount) => {
      const focused = document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index'];
      const index = Math.min(visits.length - 1, Math.max(0, focused === undefined ? 0 : Number(focused) + rowCount));
      const link = (): HTMLElement | null =>
        scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`) ?? null;
      // Focus the row now if it's already rendered, because the next key press may come before the next frame.
      // Otherwise, it's rendered after scrolling and receives the focus in the next frame.
      link()?.focus();
      virtualizer.scrollToIndex(rows.findIndex(({ day, visit }) => day === undefined && visit === index));
      requestAnimationFrame(() => link()?.focus());
    },
    toTop: () => {
      if (document.activeElement instanceof HTMLElement && scroller.current?.contains(document.activeElement)) {
        document.activeElement.blur();
      }
      (isSmall ? window : scroller.current)?.scrollTo({ top: 0 });
    },
  }));
  const longestAddress = useMemo(() => getLongestAddress(visits), [visits]);
  const dated = hasDays || oldest === undefined ? undefined : getDateDetail(oldest, timeZone, now);
  return (
    <>
      <div
        className={classes['scroller']}
        style={columnWidths(columns, longestAddress)}
        data-dated={dated}
        ref={scroller}
        role="table"
        aria-label={`Visits, ${order ?? 'newest'} first`}
        aria-rowcount={rows.length + 1}
        onScroll={({ currentTarget }) => !isSmall && updateUsage({ scrolled: currentTarget.scrollTop > 0 })}
        onFocus={() => updateUsage({ focused: true })}
        onBlur={({ currentTarget, relatedTarget }) => updateUsage({ focused: currentTarget.contains(relatedTarget) })}
      >
        <div role="rowgroup" className={classes['head']}>
          <div role="row" aria-rowindex={1} className={classes['cells']}>
            <TimeHeader order={order} onOrder={onOrder} />
            {columns.map((name) => (
              <div key={name} role="columnheader" data-number={VISIT_CELLS[name].isNumber}>
                {COLUMN_LABELS[name]}
              </div>
            ))}
            <div role="columnheader">
              <span className="unseen">Actions</span>
            </div>
          </div>
        </div>
        <div role="rowgroup" className={classes['body']} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ key, index, start, size }) => {
            const { day, visit } = rows[index]!;
            const item = visits[visit]!;
            const rowStyle = { height: size, transform: `translateY(${start - virtualizer.options.scrollMargin}px)` };
            if (day !== undefined) {
              return (
                <div key={key} role="row" aria-rowindex={index + 2} className={classes['day']} style={rowStyle}>
                  <div role="cell" aria-colspan={columns.length + 2}>
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
                data-new={newIds?.has(item.id) || undefined}
                className={`${classes['cells']} ${classes['row']}`}
                style={rowStyle}
              >
                <Cells
                  item={item}
                  columns={columns}
                  project={project}
                  timeZone={timeZone}
                  time={
                    hasDays
                      ? formatTime(item.occurred_at, timeZone, { timeStyle: 'medium' })
                      : formatClockTime(item.occurred_at, timeZone, now)
                  }
                />
              </div>
            );
          })}
        </div>
      </div>
      {hasHidden && (
        <Button variant="default" size="sm" flex="none" onClick={() => setLimit(limit + BATCH_SIZE)}>
          Show {BATCH_SIZE} more
        </Button>
      )}
    </>
  );
}

/** Returns the list's distance from the top of the page in pixels. It changes as the content above loads. */
function usePageOffset(list: RefObject<HTMLElement | null>, isEnabled: boolean): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    if (!isEnabled) return undefined;
    const measure = (): void => setOffset(Math.round(list.current!.getBoundingClientRect().top + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list, isEnabled]);
  return offset;
}

function TimeHeader({ order, onOrder }: Pick<VisitTableProps, 'order' | 'onOrder'>) {
  if (order === undefined) return <div role="columnheader">Time</div>;
  return (
    <div role="columnheader" aria-sort={order === 'newest' ? 'descending' : 'ascending'}>
      <UnstyledButton className={classes['turn']} onClick={onOrder} title="Reverse the order">
        Time
        <Icon name={order === 'newest' ? 'down' : 'up'} size={12} />
      </UnstyledButton>
    </div>
  );
}

/** Maximum width of a digit and of a colon or dot in common fonts, in rem. */
const [DIGIT_REM, SEPARATOR_REM] = [0.58, 0.34];

/** Returns the width in rem that no address exceeds. */
function getLongestAddress(visits: readonly Visit[]): number {
  const widths = visits.map(({ client_address: address }) => {
    const separators = address?.match(/[.:]/g)?.length ?? 0;
    return separators * SEPARATOR_REM + ((address?.length ?? 0) - separators) * DIGIT_REM;
  });
  return widths.reduce((longest, width) => Math.max(longest, width), 0);
}

function columnWidths(columns: readonly ColumnName[], longestAddress: number): CSSProperties {
  const cells = columns.map((name) => {
    const cell = VISIT_CELLS[name];
    return name === 'address' ? { ...cell, width: Math.max(cell.width, longestAddress) } : cell;
  });
  const width = cells.reduce((sum, cell) => sum + cell.width + GAP_REM, 3 * GAP_REM + ACTIONS_REM);
  const tracks = cells.map(({ width: minWidthRem, grow }) =>
    grow === 0 ? `${minWidthRem}rem` : `minmax(${minWidthRem}rem, ${grow}fr)`,
  );
  return { '--columns': `${tracks.join(' ')} ${ACTIONS_REM}rem`, '--columns-width': `${width}rem` } as CSSProperties;
}

interface CellsProps {
  item: Visit;
  columns: readonly ColumnName[];
  project: Project;
  timeZone: string;
  time: string;
}

const Cells = memo(function Cells({ item, columns, project, timeZone, time }: CellsProps) {
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
      <div role="cell" data-cell="actions">
        <VisitActions project={project} item={item} timeZone={timeZone} isCompact />
      </div>
    </>
  );
});
