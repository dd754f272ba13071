import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { toErrorMessage } from '../api/client.js';
import { dismissNotice, type ShownNotice } from './notices.js';
import classes from './notice-list.module.css';

const VISIBLE_MS = 20_000;

/** Notices with links and undo buttons, at the bottom of the page. */
export default function NoticeList({ notices }: { notices: readonly ShownNotice[] }) {
  const [isPaused, setPaused] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  // Browsers don't report that a removed element lost the focus or the pointer.
  const close = (closedId: number): void => {
    const hadFocus = list.current?.contains(document.activeElement) ?? false;
    setPaused(false);
    if (hadFocus) {
      const next = notices.findLast(({ id }) => id !== closedId);
      const target = next && list.current?.querySelector<HTMLElement>(`[data-close="${next.id}"]`);
      (target ?? document.getElementById('page'))?.focus({ preventScroll: true });
    }
    dismissNotice(closedId);
  };
  return (
    <div
      ref={list}
      className={classes['notices']}
      onMouseEnter={() => setPaused(true)}
      onMouseLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      {notices.map((notice) => (
        <NoticeItem key={notice.id} notice={notice} isPaused={isPaused} onClose={() => close(notice.id)} />
      ))}
    </div>
  );
}

interface NoticeItemProps {
  notice: ShownNotice;
  isPaused: boolean;
  onClose: () => void;
}

/** Removes itself after a while, unless the pointer or the focus is on the notices or undoing failed. */
function NoticeItem({ notice, isPaused, onClose }: NoticeItemProps) {
  const { id, text, link, undo } = notice;
  const undoing = useMutation({ mutationFn: () => undo!() });
  const closeButton = useRef<HTMLButtonElement>(null);
  const isKept = isPaused || undoing.isPending || undoing.isError;
  useEffect(() => {
    if (isKept) return undefined;
    const timer = setTimeout(() => dismissNotice(id), VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [id, isKept]);
  const message = undoing.isError ? `Couldn’t undo it. ${toErrorMessage(undoing.error)}` : (undoing.data ?? text);
  return (
    <div className={classes['notice']}>
      <span className={classes['text']}>{message}</span>
      <span className={classes['actions']}>
        {link !== undefined && (
          <Link {...link} className={classes['action']} onClick={() => dismissNotice(id)}>
            {link.label}
          </Link>
        )}
        {undo !== undefined && !undoing.isSuccess && (
          <button
            type="button"
            className={classes['action']}
            disabled={undoing.isPending}
            onClick={() => {
              // This button is removed after undoing, which would lose the focus.
              closeButton.current?.focus();
              undoing.mutate();
            }}
          >
            {undoing.isPending ? 'Undoing…' : undoing.isError ? 'Try again' : 'Undo'}
          </button>
        )}
        <button
          type="button"
          className={`${classes['action']} ${classes['close']}`}
          aria-label="Dismiss"
          ref={closeButton}
          data-close={id}
          onClick={onClose}
        >
          ✕
        </button>
      </span>
    </div>
  );
}
