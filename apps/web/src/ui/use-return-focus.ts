import { useEffect, useState } from 'react';
import { getLastFocus } from './last-focus.js';

/**
 * Returns the focus to the element that had it before a dialog opened, once the dialog unmounts. If that element is
 * gone, for example because its row was deleted, its closest remaining ancestor gets the focus.
 */
export function useReturnFocus(): void {
  const [path] = useState(getLastFocus);
  useEffect(
    () => () => {
      // Wait until the dialog releases the focus. Do nothing if another element has received it by then.
      setTimeout(() => {
        const target = path.find(({ isConnected }) => isConnected);
        if (document.activeElement !== document.body || target === undefined) return;
        // Rows and lists aren't focusable by default.
        if (target.tabIndex < 0) target.tabIndex = -1;
        target.focus({ preventScroll: true });
      });
    },
    [path],
  );
}
