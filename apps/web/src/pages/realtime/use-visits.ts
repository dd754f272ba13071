import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { client, data, type Visit } from '../../api/client.js';
import { streamVisits, type StreamState } from '../../api/visit-stream.js';
import { toTimelineQuery, type Filters } from '../../filters/visit-filters.js';
import { addArrivals, mergeList, MAX_ROWS, NO_ROWS, releaseHeld, type Rows } from './rows.js';
import { useCounts } from './use-counts.js';

/** Interval at which new visits are added to the table. */
const FLUSH_INTERVAL_MS = 200;
/**
 * Delay before refetching the list after a reconnect. The stream first sends the missed visits in a burst and skips some
 * of them.
 */
const CATCH_UP_DELAY_MS = 2_000;
const INITIAL_ROWS = 100;

type Change =
  | { kind: 'reset' }
  | { kind: 'listed'; list: readonly Visit[]; isHeld: boolean }
  | { kind: 'arrived'; visits: readonly Visit[]; isHeld: boolean }
  | { kind: 'released' };

function reduce(rows: Rows, change: Change): Rows {
  switch (change.kind) {
    case 'reset':
      return NO_ROWS;
    case 'listed':
      return mergeList(rows, change.list, change.isHeld);
    case 'arrived':
      return addArrivals(rows, change.visits, change.isHeld);
    case 'released':
      return releaseHeld(rows);
  }
}

interface LiveVisits {
  rows: Rows;
  state: StreamState;
  /** All visits per second, regardless of the filters. */
  perSecond: number;
  /** All visits since the page was opened, regardless of the filters. */
  total: number;
  /** Matching visits left out of the list because too many arrived at once. */
  skipped: number;
  isLoading: boolean;
  error: unknown;
  retry: () => void;
  release: () => void;
}

/** Returns a project's latest matching visits and adds new ones as they arrive. */
export function useVisits(projectId: string, filters: Filters, isHeld: boolean): LiveVisits {
  const [rows, dispatch] = useReducer(reduce, NO_ROWS);
  const [state, setState] = useState<StreamState>('connecting');
  const query = toTimelineQuery(filters);
  const key = JSON.stringify(query);
  /** Serialized filters of the last stream that connected or failed. */
  const [streamKey, setStreamKey] = useState('');
  /** Number of visits that the stream skipped after a reconnect. They only stay missing until the list is refetched. */
  const missed = useRef(0);
  const list = useQuery({
    queryKey: ['projects', projectId, 'visits', key],
    queryFn: async () => {
      const params = {
        path: { id: projectId },
        query: { ...query, limit: Math.min(MAX_ROWS, INITIAL_ROWS + missed.current) },
      };
      return (await data(client.GET('/api/projects/{id}/visits', { params }))).visits;
    },
    // Wait until the stream is open, so the list and the stream overlap instead of leaving a gap.
    enabled: streamKey === key,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const { refetch } = list;

  // Current values for the stream listener. Kept in a ref, because the stream would reconnect on every change if they
  // were dependencies of the effect.
  const latest = useRef({ isHeld, refetch });
  useEffect(() => {
    latest.current = { isHeld, refetch };
  });
  useEffect(() => dispatch({ kind: 'reset' }), [projectId, key]);
  useEffect(() => {
    if (list.data === undefined || list.isPlaceholderData) return;
    dispatch({ kind: 'listed', list: list.data, isHeld: latest.current.isHeld });
  }, [list.data, list.isPlaceholderData]);

  const { counts, count, skip, position } = useCounts(projectId, key);
  useEffect(() => {
    let pendingVisits: Visit[] = [];
    let wasLost = false;
    let catchUp: ReturnType<typeof setTimeout> | undefined;
    missed.current = 0;
    const stop = streamVisits(
      projectId,
      {
        onState: (next) => {
          // Changing the filters opens a new stream. Keep showing it as live while it connects.
          setState((current) => (next === 'connecting' && current === 'live' ? current : next));
          if (next !== 'connecting') setStreamKey(key);
          if (next === 'live' && wasLost) {
            catchUp ??= setTimeout(() => {
              catchUp = undefined;
              void latest.current.refetch();
            }, CATCH_UP_DELAY_MS);
          }
          wasLost = next === 'lost' || next === 'refused';
        },
        onVisit: (visit) => {
          count(1);
          pendingVisits.push(visit);
        },
        onSkipped: (visits) => {
          count(visits);
          if (catchUp === undefined) skip(visits);
          else missed.current += visits;
        },
        onFiltered: count,
        onPosition: (current) => {
          position.current = current;
        },
      },
      { filters: JSON.parse(key) as Record<string, string[]>, after: position.current },
    );
    const flushTimer = setInterval(() => {
      if (pendingVisits.length > 0) dispatch({ kind: 'arrived', visits: pendingVisits, isHeld: latest.current.isHeld });
      pendingVisits = [];
    }, FLUSH_INTERVAL_MS);
    return () => {
      stop();
      clearTimeout(catchUp);
      clearInterval(flushTimer);
    };
  }, [projectId, key, count, skip, position]);

  return {
    rows,
    state,
    ...counts,
    isLoading: list.isPending || list.isPlaceholderData,
    error: list.error,
    retry: () => void refetch(),
    release: useCallback(() => dispatch({ kind: 'released' }), []),
  };
}
