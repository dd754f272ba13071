import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { Rate } from './rate.js';

const SHOW_INTERVAL_MS = 1_000;

interface Counts {
  perSecond: number;
  /** Visits since the page was opened. */
  total: number;
  /** Visits missing from the list with the current filters. */
  skipped: number;
}

const NONE: Counts = { perSecond: 0, total: 0, skipped: 0 };

interface Counting {
  counts: Counts;
  count: (visits: number) => void;
  skip: (visits: number) => void;
  /** Stream position up to which visits are counted. The next stream resumes here, so each visit counts once. */
  position: RefObject<string>;
}

/** Counts a project's visits across all streams of the page. The returned counts change once per second. */
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
