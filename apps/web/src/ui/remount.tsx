import { notifyManager } from '@tanstack/react-query';
import { createContext, Fragment, useContext, useState, type ReactNode } from 'react';

const Remount = createContext<() => void>(() => {});

/** Lets its children be remounted, so that forms are refilled with current data. */
export function Remountable({ children }: { children: ReactNode }) {
  const [times, setTimes] = useState(0);
  // Runs after pending query notifications, so the children read the latest query data.
  const start = (): void => notifyManager.schedule(() => setTimes((before) => before + 1));
  return (
    <Remount value={start}>
      <Fragment key={times}>{children}</Fragment>
    </Remount>
  );
}

export const useRemount = (): (() => void) => useContext(Remount);
