import { useEffect, useState } from 'react';

/**
 * For a dialog that is there only while it is open: afterwards the focus is where it was before. Where the dialog's deed
 * took that away, such as the row with its button, it is on what is left around it.
 */
export function useReturnFocus(): void {
  const [before] = useState(() => withAncestors(document.activeElement));
  useEffect(
    () => () => {
      // Once the dialog has let go of the focus, unless something else has taken it meanwhile.
      setTimeout(() => {
        const left = before.find(({ isConnected }) => isConnected);
        if (document.activeElement !== document.body || left === undefined) return;
        // Rows and lists take it only so.
        if (left.tabIndex < 0) left.tabIndex = -1;
        left.focus({ preventScroll: true });
      });
    },
    [before],
  );
}

/** Innermost first, up to the page. */
function withAncestors(element: Element | null): HTMLElement[] {
  if (!(element instanceof HTMLElement) || element === document.body) return [];
  return [element, ...withAncestors(element.parentElement)];
}
