import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { client, data, type Visit } from '../../api/client.js';
import { followVisits, type StreamState } from '../../api/visit-stream.js';
import { timelineQuery, type Filters } from '../../filters/visit-filters.js';
import { arrived, listed, MAX_ROWS, NO_ROWS, released, type Rows } from './rows.js';
import { useCounts } from './use-counts.js';

/** Milliseconds that arrivals are gathered for, so that the table changes five times a second at most. */
const GATHER_MS = 200;
/** After a lost connection all that came meanwhile comes at once; what the stream then skips is asked for. */
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
  /** All visits a second, whatever the filters. */
  perSecond: number;
  /** All visits since the page was opened. */
  total: number;
  /** Visits that fit and were left out of the list so far, because too many came at once. */
  skipped: number;
  isLoading: boolean;
  error: unknown;
  retry: () => void;
  release: () => void;
}

/** A project's visits that fit, and those that come, for as long as the page is open. */
export function useVisits(projectId: string, filters: Filters, isHeld: boolean): LiveVisits {
  const [rows, dispatch] = useReducer(reduce, NO_ROWS);
  const [state, setState] = useState<StreamState>('connecting');
  const query = timelineQuery(filters);
  const key = JSON.stringify(query);
  /** The filters, as text, whose stream is open or was. */
  const [opened, setOpened] = useState('');
  /** Visits that the stream skipped and the list is to have. */
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
    // Once the stream is open: what it brings and what the list has then overlap, rather than leave a gap.
    enabled: opened === key,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const { refetch } = list;

  // What the stream's listener needs of the present, without a new connection for each change.
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
          // A change of filters opens another stream, which is not an interruption.
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
