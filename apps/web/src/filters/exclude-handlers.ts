import type { KeyboardEvent, MouseEvent } from 'react';

/**
 * Returns handlers for a link or button that call `exclude` on Alt+click and Alt+Enter.
 *
 * @param include Called on a click without Alt. Omit for links.
 */
export const excludeHandlers = (exclude: () => void, include?: () => void) => ({
  onClick: (event: MouseEvent) => {
    if (!event.altKey) return include?.();
    event.preventDefault();
    exclude();
  },
  onKeyDown: (event: KeyboardEvent) => {
    if (!event.altKey || event.key !== 'Enter') return;
    // Otherwise, the browser would also click the button or follow the link.
    event.preventDefault();
    exclude();
  },
});
