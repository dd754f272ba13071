import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { Rate } from './rate.js';

const SHOW_INTERVAL_MS = 1_000;

interface Counts {
  /** Visits a second. */
  perSecond: number;
  /** Visits since the page was opened. */
  total: number;
  /** Visits that the list with these filters lacks. */
  skipped: number;
}

const NONE: Counts = { perSecond: 0, total: 0, skipped: 0 };

interface Counting {
  counts: Counts;
  count: (visits: number) => void;
  skip: (visits: number) => void;
  /** Up to where was counted; the next stream begins there, so that each visit counts once. */
  position: RefObject<string>;
}

/** Counts a project's visits across all streams of the page, and shows the counts once a second. */
export function useCounts(projectId: string, filters: string): Counting {
  const [counts, setCounts] = useState(NONE);
  const position = useRef('');
  const now = useRef({ rate: new Rate(Date.now()), total: 0, skipped: 0 });
  useEffect(() => {
    now.current = { rate: new Rate(Date.now()), total: 0, skipped: 0 };
    position.current = '';
    setCounts(NONE);
    const showing = setInterval(() => {
      const { rate, total, skipped } = now.current;
      setCounts({ perSecond: rate.perSecond(Date.now()), total, skipped });
    }, SHOW_INTERVAL_MS);
    return () => clearInterval(showing);
  }, [projectId]);
  useEffect(() => {
    now.current.skipped = 0;
  }, [filters]);
  const count = useCallback((visits: number): void => {
    now.current.rate.add(visits, Date.now());
    now.current.total += visits;
  }, []);
  const skip = useCallback((visits: number): void => {
    now.current.skipped += visits;
  }, []);
  return { counts, count, skip, position };
}
