import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Link } from '@tanstack/react-router';
import { memo, useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import type { Visit } from '../../api/client.js';
import { useClock } from '../../ui/clock.js';
import { clockTime, datedBy } from '../../format/clock-time.js';
import { Verdict } from '../../ui/verdict.js';
import { fullNetwork } from '../../format/network.js';
import { durationText } from '../../format/duration.js';
import { headerOf } from './header-of.js';
import classes from './visit-table.module.css';

export interface VisitTableHandle {
  /** Moves the focus by so many rows. */
  move: (rows: number) => void;
  toTop: () => void;
}

export interface VisitTableProps {
  visits: readonly Visit[];
  timeZone: string;
  /** Id of the visit whose drawer is open. */
  open: string | undefined;
  /** Whether the table stands still: it is scrolled, or has the focus. */
  onHold?: (isHeld: boolean) => void;
  handle: Ref<VisitTableHandle>;
  /** The last row is near. */
  onEnd?: () => void;
}

const ROW = 33;
/** On a narrow screen a row has three lines. */
const NARROW_ROW = 78;

const HEADS = ['Time', 'Verdict', 'Agent', 'Request', 'Status', 'Duration', 'Address', 'Referrer or tool'];

/** The visits, of which only those in view are in the page. */
export function VisitTable({ visits, timeZone, open, onHold, handle, onEnd }: VisitTableProps) {
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const scroller = useRef<HTMLDivElement>(null);
  const held = useRef({ scrolled: false, focused: false });
  const now = useClock();
  const virtualizer = useVirtualizer({
    count: visits.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? NARROW_ROW : ROW),
    getItemKey: (index) => visits[index]!.id,
    overscan: 10,
  });
  const oldest = visits.at(-1)?.occurred_at;
  const lastIndex = virtualizer.getVirtualItems().at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastIndex >= visits.length - 1) onEnd?.();
  }, [lastIndex, visits.length, onEnd]);
  const hold = (change: Partial<typeof held.current>): void => {
    held.current = { ...held.current, ...change };
    onHold?.(held.current.scrolled || held.current.focused);
  };
  useImperativeHandle(handle, () => ({
    move: (rows) => {
      const focused = document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index'];
      const index = Math.min(visits.length - 1, Math.max(0, focused === undefined ? 0 : Number(focused) + rows));
      const link = (): HTMLElement | null =>
        scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`) ?? null;
      // At once where it can be: the next key may follow before the next picture, with which all other rows are there.
      link()?.focus();
      virtualizer.scrollToIndex(index);
      requestAnimationFrame(() => link()?.focus());
    },
    toTop: () => {
      if (document.activeElement instanceof HTMLElement && scroller.current?.contains(document.activeElement)) {
        document.activeElement.blur();
      }
      scroller.current?.scrollTo({ top: 0 });
    },
  }));
  return (
    <div
      className={classes['scroller']}
      data-dated={oldest === undefined ? undefined : datedBy(oldest, timeZone, now)}
      ref={scroller}
      role="table"
      aria-label="Visits, newest first"
      aria-rowcount={visits.length + 1}
      onScroll={({ currentTarget }) => hold({ scrolled: currentTarget.scrollTop > 0 })}
      onFocus={() => hold({ focused: true })}
      onBlur={({ currentTarget, relatedTarget }) => hold({ focused: currentTarget.contains(relatedTarget) })}
    >
      <div role="rowgroup" className={classes['head']}>
        <div role="row" aria-rowindex={1} className={classes['cells']}>
          {HEADS.map((head) => (
            <div key={head} role="columnheader">
              {head}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={classes['body']} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start, size }) => (
          <div
            key={key}
            role="row"
            aria-rowindex={index + 2}
            data-index={index}
            data-open={visits[index]!.id === open || undefined}
            className={`${classes['cells']} ${classes['row']}`}
            style={{ height: size, transform: `translateY(${start}px)` }}
          >
            <Cells item={visits[index]!} time={clockTime(visits[index]!.occurred_at, timeZone, now)} />
          </div>
        ))}
      </div>
    </div>
  );
}

const Cells = memo(function Cells({ item, time }: { item: Visit; time: string }) {
  const { visit, identification, client_address: address, client_network: network } = item;
  const duration = visit.response_duration_in_milliseconds;
  const status = visit.response_status_code;
  const origin = visit.mcp_request_tool_name ?? visit.mcp_request_method ?? headerOf(visit, 'referer') ?? '';
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
      <div role="cell" data-cell="verdict">
        <Verdict result={identification.result} />
      </div>
      <div role="cell" data-cell="agent" title={headerOf(visit, 'user-agent') ?? ''}>
        {identification.agent_token ?? <span className={classes['soft']}>{headerOf(visit, 'user-agent') ?? '–'}</span>}
        {identification.agent_type_name !== null && (
          <span className={classes['soft']}> {identification.agent_type_name}</span>
        )}
      </div>
      <div role="cell" data-cell="request" title={visit.request_path}>
        <span className={classes['soft']}>{visit.request_method}</span> {visit.request_path}
      </div>
      <div
        role="cell"
        data-cell="status"
        className="numbers"
        data-status={status == null ? '' : Math.floor(status / 100)}
      >
        {status ?? '–'}
      </div>
      <div role="cell" data-cell="duration" className="numbers">
        {duration == null ? '' : durationText(duration)}
      </div>
      <div
        role="cell"
        data-cell="address"
        className="numbers"
        title={[address, fullNetwork(network)].filter(Boolean).join(', ')}
      >
        {address ?? <span className={classes['soft']}>–</span>}
        {/* The country first: there may be no room for more. */}
        {network !== null && (
          <span className={classes['soft']}>
            {' '}
            {[network.country_code, network.operator_name].filter(Boolean).join(' ')}
          </span>
        )}
      </div>
      <div role="cell" data-cell="origin" title={origin}>
        {origin}
      </div>
    </>
  );
});
