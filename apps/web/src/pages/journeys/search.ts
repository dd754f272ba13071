import { JOURNEY_TYPES, JOURNEY_VISITORS } from '../../api/constants.js';
import type { Session } from '../../api/journeys.js';
import { parseRangeSearch, type RangeSearch } from '../../range/range.js';

type YesOrNo = 'yes' | 'no';

/** Sessions with a dead end, with at least two visits, or all. */
export type SessionList = (typeof SESSION_LISTS)[number];

const SESSION_LISTS = ['dead-ends', 'several', 'all'] as const;

export interface JourneysSearch extends RangeSearch {
  /** Agent token or ID. */
  agent?: string;
  type?: string;
  visitor?: Session['visitor'];
  /** Exact first page. */
  entry?: string;
  /** Exact last page. */
  exit?: string;
  /** `refused` selects sessions without a dead end that were refused on purpose. */
  deadEnd?: YesOrNo | 'refused';
  /** Exact page of a dead end. */
  deadEndPage?: string;
  /** Error status such as `503`, `4xx`, `5xx`, or `loop`. */
  deadEndCause?: string;
  checkout?: YesOrNo;
  /** Sessions in the table. Default: those with a dead end if there are any. */
  list?: SessionList;
  /** ID of the session shown in the drawer. */
  session?: string;
}

const YES_OR_NO = ['yes', 'no'] as const;
const DEAD_END_VALUES = [...YES_OR_NO, 'refused'] as const;

/** Parses the URL search parameters and ignores invalid ones. */
export function parseJourneysSearch(search: Record<string, unknown>): JourneysSearch {
  const text = (name: string): string => {
    const value = search[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const [agent, entry, exit, session] = [text('agent'), text('entry'), text('exit'), text('session')];
  const [deadEndPage, deadEndCause] = [text('deadEndPage'), text('deadEndCause')];
  const type = (JOURNEY_TYPES as readonly string[]).find((name) => name === search['type']);
  const visitor = JOURNEY_VISITORS.find((name) => name === search['visitor']);
  const deadEnd = DEAD_END_VALUES.find((name) => name === search['deadEnd']);
  const checkout = YES_OR_NO.find((name) => name === search['checkout']);
  const list = SESSION_LISTS.find((name) => name === search['list']);
  return {
    ...parseRangeSearch(search),
    ...(agent && { agent }),
    ...(type && { type }),
    ...(visitor && { visitor }),
    ...(entry && { entry }),
    ...(exit && { exit }),
    ...(deadEnd && { deadEnd }),
    ...(deadEndPage && { deadEndPage }),
    ...(/^([45]\d\d|4xx|5xx|loop)$/.test(deadEndCause) && { deadEndCause }),
    ...(checkout && { checkout }),
    ...(list && { list }),
    ...(session && { session }),
  };
}
