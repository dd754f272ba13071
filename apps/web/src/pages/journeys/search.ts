import { JOURNEY_TYPES, JOURNEY_VISITORS } from '../../api/constants.js';
import type { JourneyFilters, JourneySummary, Session } from '../../api/journeys.js';
import { toFilters } from '../../filters/visit-filters.js';
import { parseRangeSearch, type RangeSearch } from '../../range/range.js';

type YesOrNo = 'yes' | 'no';

export interface JourneysSearch extends RangeSearch {
  /** Agent token or ID. */
  agent?: string;
  type?: string;
  visitor?: Session['visitor'];
  /** Exact first page. */
  entry?: string;
  deadEnd?: YesOrNo;
  checkout?: YesOrNo;
  /** True to list sessions of a single visit. */
  single?: true;
  /** ID of the session shown in the drawer. */
  session?: string;
}

export const VISITOR_LABELS: Record<Session['visitor'], string> = {
  assistant: 'User-triggered agent',
  coding_agent: 'Coding agent',
  mcp_client: 'MCP client',
  unknown: 'Unknown program',
};

const YES_OR_NO = ['yes', 'no'] as const;

/** Parses the URL search parameters and ignores invalid ones. */
export function parseJourneysSearch(search: Record<string, unknown>): JourneysSearch {
  const text = (name: string): string => {
    const value = search[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const [agent, entry, session] = [text('agent'), text('entry'), text('session')];
  const type = (JOURNEY_TYPES as readonly string[]).find((name) => name === search['type']);
  const visitor = JOURNEY_VISITORS.find((name) => name === search['visitor']);
  const deadEnd = YES_OR_NO.find((name) => name === search['deadEnd']);
  const checkout = YES_OR_NO.find((name) => name === search['checkout']);
  return {
    ...parseRangeSearch(search),
    ...(agent && { agent }),
    ...(type && { type }),
    ...(visitor && { visitor }),
    ...(entry && { entry }),
    ...(deadEnd && { deadEnd }),
    ...(checkout && { checkout }),
    ...((search['single'] === true || search['single'] === 'true') && { single: true as const }),
    ...(session && { session }),
  };
}

/** Search parameters that reset all filters. */
export const NO_FILTERS = {
  agent: undefined,
  type: undefined,
  visitor: undefined,
  entry: undefined,
  deadEnd: undefined,
  checkout: undefined,
} satisfies Partial<Record<keyof JourneysSearch, undefined>>;

/** Returns the filters as API query parameters. */
export function toJourneyFilters({ agent, type, visitor, entry, deadEnd, checkout }: JourneysSearch): JourneyFilters {
  return {
    ...(agent !== undefined && { agent: [agent] }),
    ...(type !== undefined && { type: [type as never] }),
    ...(visitor !== undefined && { visitor: [visitor] }),
    ...(entry !== undefined && { entry: [entry] }),
    ...(deadEnd !== undefined && { dead_end: deadEnd }),
    ...(checkout !== undefined && { checkout }),
  };
}

export const isFiltered = (search: JourneysSearch): boolean => Object.keys(toJourneyFilters(search)).length > 0;

/** Returns the filters for visits at a dead end. */
export const toDeadEndFilters = ({ page, status }: JourneySummary['dead_ends'][number]) =>
  toFilters({ page: [page], ...(status !== null && { status: [String(status)] }) });
