import type { LinkProps } from '@tanstack/react-router';

interface Notice {
  /** Completed action, as a full sentence. */
  text: string;
  /** Link to the changed resource. */
  link?: { label: string } & Pick<LinkProps, 'to' | 'params' | 'search' | 'hash'>;
  /**
   * Reverts the change.
   *
   * @returns A sentence that describes the result.
   */
  undo?: () => Promise<string>;
}

export interface ShownNotice extends Notice {
  id: number;
}

/** Older notices are removed when there are more. */
const MAX_NOTICES = 3;

let notices: readonly ShownNotice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function replace(changed: readonly ShownNotice[]): void {
  notices = changed;
  for (const listener of listeners) listener();
}

/** Shows a notice about a completed action at the bottom of the page. */
export function notify(notice: Notice): void {
  lastId += 1;
  replace([...notices, { ...notice, id: lastId }].slice(-MAX_NOTICES));
}

export const dismissNotice = (dismissedId: number): void => replace(notices.filter(({ id }) => id !== dismissedId));

/** Removes all notices, so the next user can't see or undo them. */
export const clearNotices = (): void => replace([]);

/** Returns the current notices, oldest first. */
export const getNotices = (): readonly ShownNotice[] => notices;

/** @returns A function that unsubscribes. */
export function subscribeToNotices(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
