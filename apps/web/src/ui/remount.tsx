import { notifyManager } from '@tanstack/react-query';
import { createContext, Fragment, useContext, useState, type ReactNode } from 'react';

const Remount = createContext<() => void>(() => {});

/** What is within it can start anew: forms are then filled in with what is there now. */
export function Remountable({ children }: { children: ReactNode }) {
  const [times, setTimes] = useState(0);
  // After what was announced before: a page that reads a query then has what was just put into it.
  const start = (): void => notifyManager.schedule(() => setTimes((before) => before + 1));
  return (
    <Remount value={start}>
      <Fragment key={times}>{children}</Fragment>
    </Remount>
  );
}

export const useRemount = (): (() => void) => useContext(Remount);
