import { useEffect, useState } from 'react';

/** For a dialog that is there only while it is open: afterwards the focus is where it was before. */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Once the dialog has let go of the focus, unless something else has taken it meanwhile.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      });
    },
    [before],
  );
}
