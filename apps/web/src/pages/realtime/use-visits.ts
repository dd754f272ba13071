import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { client, data, type Visit } from '../../api/client.js';
import { followVisits, type StreamState } from '../../api/visit-stream.js';
import { timelineQuery, type Filters } from '../../filters/visit-filters.js';
import { arrived, listed, MAX_ROWS, NO_ROWS, released, type Rows } from './rows.js';
import { useCounts } from './use-counts.js';

/** Interval at which new visits are added to the table. */
const GATHER_MS = 200;
/**
 * Delay before the list is fetched again after a reconnect. Missed visits arrive in a burst first, and the stream skips
 * some of them.
 */
const CATCH_UP_MS = 2_000;
const FIRST_ROWS = 100;

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
      return listed(rows, change.list, change.isHeld);
    case 'arrived':
      return arrived(rows, change.visits, change.isHeld);
    case 'released':
      return released(rows);
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

/** Returns a project's latest matching visits, and adds new ones while the page is open. */
export function useVisits(projectId: string, filters: Filters, isHeld: boolean): LiveVisits {
  const [rows, dispatch] = useReducer(reduce, NO_ROWS);
  const [state, setState] = useState<StreamState>('connecting');
  const query = timelineQuery(filters);
  const key = JSON.stringify(query);
  /** Serialized filters of the last stream that connected or failed. */
  const [opened, setOpened] = useState('');
  /** Number of visits skipped after a reconnect. They are fetched with the list. */
  const missed = useRef(0);
  const list = useQuery({
    queryKey: ['projects', projectId, 'visits', key],
    queryFn: async () => {
      const params = {
        path: { id: projectId },
        query: { ...query, limit: Math.min(MAX_ROWS, FIRST_ROWS + missed.current) },
      };
      return (await data(client.GET('/api/projects/{id}/visits', { params }))).visits;
    },
    // Fetched once the stream is open: list and stream then overlap instead of leaving a gap.
    enabled: opened === key,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const { refetch } = list;

  // Current values for the stream listener, which would reconnect if they were dependencies of its effect.
  const present = useRef({ isHeld, refetch });
  useEffect(() => {
    present.current = { isHeld, refetch };
  });
  useEffect(() => dispatch({ kind: 'reset' }), [projectId, key]);
  useEffect(() => {
    if (list.data === undefined || list.isPlaceholderData) return;
    dispatch({ kind: 'listed', list: list.data, isHeld: present.current.isHeld });
  }, [list.data, list.isPlaceholderData]);

  const { counts, count, skip, position } = useCounts(projectId, key);
  useEffect(() => {
    let waiting: Visit[] = [];
    let wasLost = false;
    let catchUp: ReturnType<typeof setTimeout> | undefined;
    missed.current = 0;
    const stop = followVisits(
      projectId,
      {
        onState: (next) => {
          // Changing the filters opens another stream. Don't show this as an interruption.
          setState((now) => (next === 'connecting' && now === 'live' ? now : next));
          if (next !== 'connecting') setOpened(key);
          if (next === 'live' && wasLost) {
            catchUp ??= setTimeout(() => {
              catchUp = undefined;
              void present.current.refetch();
            }, CATCH_UP_MS);
          }
          wasLost = next === 'lost' || next === 'refused';
        },
        onVisit: (visit) => {
          count(1);
          waiting.push(visit);
        },
        onSkipped: (visits) => {
          count(visits);
          if (catchUp === undefined) skip(visits);
          else missed.current += visits;
        },
        onFiltered: count,
        onPosition: (now) => {
          position.current = now;
        },
      },
      { filters: JSON.parse(key) as Record<string, string[]>, after: position.current },
    );
    const gathering = setInterval(() => {
      if (waiting.length > 0) dispatch({ kind: 'arrived', visits: waiting, isHeld: present.current.isHeld });
      waiting = [];
    }, GATHER_MS);
    return () => {
      stop();
      clearTimeout(catchUp);
      clearInterval(gathering);
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
