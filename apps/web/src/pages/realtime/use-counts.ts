import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { Rate } from './rate.js';

const UPDATE_INTERVAL_MS = 1_000;

interface Counts {
  perSecond: number;
  /** Visits since the page was opened. */
  total: number;
  /** Visits that have been left out of the list since the filters last changed. */
  skipped: number;
}

const NO_COUNTS: Counts = { perSecond: 0, total: 0, skipped: 0 };

interface VisitCounter {
  counts: Counts;
  count: (visits: number) => void;
  skip: (visits: number) => void;
  /** Stream position of the last counted visit. The next stream resumes here, so no visit is counted twice. */
  position: RefObject<string>;
}

/** Counts a project's visits across all streams opened by the page. The returned counts update once per second. */
export function useCounts(projectId: string, filters: string): VisitCounter {
  const [counts, setCounts] = useState(NO_COUNTS);
  const position = useRef('');
  const running = useRef({ rate: new Rate(Date.now()), total: 0, skipped: 0 });
  useEffect(() => {
    running.current = { rate: new Rate(Date.now()), total: 0, skipped: 0 };
    position.current = '';
    setCounts(NO_COUNTS);
    const timer = setInterval(() => {
      const { rate, total, skipped } = running.current;
      setCounts({ perSecond: rate.perSecond(Date.now()), total, skipped });
    }, UPDATE_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [projectId]);
  useEffect(() => {
    running.current.skipped = 0;
  }, [filters]);
  const count = useCallback((visits: number): void => {
    running.current.rate.add(visits, Date.now());
    running.current.total += visits;
  }, []);
  const skip = useCallback((visits: number): void => {
    running.current.skipped += visits;
  }, []);
  return { counts, count, skip, position };
}
