import type { KeyboardEvent, MouseEvent } from 'react';

/**
 * Handlers of a link or button: with Alt, a click or Enter excludes, and does nothing else.
 *
 * @param include what a click does without Alt, unless the link leads there.
 */
export const excluding = (exclude: () => void, include?: () => void) => ({
  onClick: (event: MouseEvent) => {
    if (!event.altKey) return include?.();
    event.preventDefault();
    exclude();
  },
  onKeyDown: (event: KeyboardEvent) => {
    if (!event.altKey || event.key !== 'Enter') return;
    // Browsers would click, or follow the link, by themselves.
    event.preventDefault();
    exclude();
  },
});
