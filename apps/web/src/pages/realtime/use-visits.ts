import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { client, data, type Visit } from '../../api/client.js';
import { followVisits, type StreamState } from '../../api/visit-stream.js';
import { isFiltered, matches, timelineQuery, type Filters } from './filters.js';
import { Rate } from './rate.js';
import { arrived, listed, NO_ROWS, released, type Rows } from './rows.js';

/** Milliseconds that arrivals are gathered for, so that the table changes five times a second at most. */
const GATHER_MS = 200;
/** With filters, what the stream leaves out is asked for, at this distance. */
const CATCH_UP_MS = 3_000;
const FIRST_ROWS = 100;

type Change =
  | { kind: 'reset' }
  | { kind: 'listed'; list: readonly Visit[] }
  | { kind: 'arrived'; visits: readonly Visit[]; isHeld: boolean }
  | { kind: 'released' };

function reduce(rows: Rows, change: Change): Rows {
  switch (change.kind) {
    case 'reset':
      return NO_ROWS;
    case 'listed':
      return listed(rows, change.list);
    case 'arrived':
      return arrived(rows, change.visits, change.isHeld);
    case 'released':
      return released(rows);
  }
}

export interface LiveVisits {
  rows: Rows;
  state: StreamState;
  /** All visits a second, whatever the filters. */
  perSecond: number;
  /** Visits left out of the list so far, because too many came at once. */
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
  const [counts, setCounts] = useState({ perSecond: 0, skipped: 0 });
  const query = timelineQuery(filters);
  const key = JSON.stringify(query);
  const list = useQuery({
    queryKey: ['projects', projectId, 'visits', key],
    queryFn: async () => {
      const params = { path: { id: projectId }, query: { ...query, limit: FIRST_ROWS } };
      return (await data(client.GET('/api/projects/{id}/visits', { params }))).visits;
    },
    // Once the stream is open: what it brings and what the list has then overlap, rather than leave a gap.
    enabled: state !== 'connecting',
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const { refetch } = list;

  // What the stream's listener needs of the present, without a new connection for each change.
  const present = useRef({ filters, isHeld, refetch });
  useEffect(() => {
    present.current = { filters, isHeld, refetch };
  });
  useEffect(() => dispatch({ kind: 'reset' }), [projectId, key]);
  useEffect(() => {
    if (list.data !== undefined && !list.isPlaceholderData) dispatch({ kind: 'listed', list: list.data });
  }, [list.data, list.isPlaceholderData]);

  useEffect(() => {
    const rate = new Rate(Date.now());
    let waiting: Visit[] = [];
    let skipped = 0;
    let catchUp: ReturnType<typeof setTimeout> | undefined;
    const stop = followVisits(projectId, {
      onState: setState,
      onVisit: (visit) => {
        rate.add(1, Date.now());
        if (matches(visit, present.current.filters)) waiting.push(visit);
      },
      onSkipped: (visits) => {
        rate.add(visits, Date.now());
        skipped += visits;
        if (!isFiltered(present.current.filters)) return;
        catchUp ??= setTimeout(() => {
          catchUp = undefined;
          if (!present.current.isHeld) void present.current.refetch();
        }, CATCH_UP_MS);
      },
    });
    const gathering = setInterval(() => {
      if (waiting.length > 0) dispatch({ kind: 'arrived', visits: waiting, isHeld: present.current.isHeld });
      waiting = [];
    }, GATHER_MS);
    const counting = setInterval(() => setCounts({ perSecond: rate.perSecond(Date.now()), skipped }), 1_000);
    return () => {
      stop();
      clearTimeout(catchUp);
      clearInterval(gathering);
      clearInterval(counting);
    };
  }, [projectId]);

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
