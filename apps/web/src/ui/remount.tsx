import { notifyManager } from '@tanstack/react-query';
import { createContext, Fragment, useContext, useState, type ReactNode } from 'react';

const RemountContext = createContext<() => void>(() => {});

/** Lets descendants remount its children, so forms are reinitialized with current data. */
export function Remountable({ children }: { children: ReactNode }) {
  const [version, setVersion] = useState(0);
  // Wait until components have been notified of changed query data, so that the remounted children start with the new
  // data.
  const remount = (): void => notifyManager.schedule(() => setVersion((previous) => previous + 1));
  return (
    <RemountContext value={remount}>
      <Fragment key={version}>{children}</Fragment>
    </RemountContext>
  );
}

export const useRemount = (): (() => void) => useContext(RemountContext);
