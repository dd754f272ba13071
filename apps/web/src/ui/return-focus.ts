import { useEffect, useState } from 'react';

/**
 * Returns the focus to where it was before a dialog opened, when the dialog unmounts. If that element is gone (for
 * example, because its row was deleted), the closest remaining ancestor gets the focus.
 */
export function useReturnFocus(): void {
  const [before] = useState(() => withAncestors(document.activeElement));
  useEffect(
    () => () => {
      // Wait until the dialog has released the focus. Do nothing if another element has it by then.
      setTimeout(() => {
        const left = before.find(({ isConnected }) => isConnected);
        if (document.activeElement !== document.body || left === undefined) return;
        // Rows and lists aren't focusable by default.
        if (left.tabIndex < 0) left.tabIndex = -1;
        left.focus({ preventScroll: true });
      });
    },
    [before],
  );
}

/** Returns the element and its ancestors below `body`, innermost first. */
function withAncestors(element: Element | null): HTMLElement[] {
  if (!(element instanceof HTMLElement) || element === document.body) return [];
  return [element, ...withAncestors(element.parentElement)];
}
