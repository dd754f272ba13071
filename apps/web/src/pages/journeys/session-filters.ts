import type { JourneyFilters, JourneySummary, Session } from '../../api/journeys.js';
import type { JourneysSearch, SessionList } from './search.js';

export const VISITOR_LABELS: Record<Session['visitor'], string> = {
  assistant: 'User-triggered agent',
  coding_agent: 'Coding agent',
  mcp_client: 'MCP client',
  unknown: 'Unknown program',
};

/** Search parameters that reset all filters. */
export const NO_FILTERS = {
  agent: undefined,
  type: undefined,
  visitor: undefined,
  entry: undefined,
  exit: undefined,
  deadEnd: undefined,
  deadEndPage: undefined,
  deadEndCause: undefined,
  checkout: undefined,
} satisfies Partial<Record<keyof JourneysSearch, undefined>>;

/** Returns the filters as API query parameters. */
export function toJourneyFilters(search: JourneysSearch): JourneyFilters {
  const { agent, type, visitor, entry, exit, deadEnd, deadEndPage, deadEndCause, checkout } = search;
  return {
    ...(agent !== undefined && { agent: [agent] }),
    ...(type !== undefined && { type: [type as never] }),
    ...(visitor !== undefined && { visitor: [visitor] }),
    ...(entry !== undefined && { entry: [entry] }),
    ...(exit !== undefined && { exit: [exit] }),
    ...(deadEnd !== undefined && { dead_end: deadEnd }),
    ...(deadEndPage !== undefined && { dead_end_page: [deadEndPage] }),
    ...(deadEndCause !== undefined && { dead_end_cause: [deadEndCause] }),
    ...(checkout !== undefined && { checkout }),
  };
}

export const isFiltered = (search: JourneysSearch): boolean => Object.keys(toJourneyFilters(search)).length > 0;

/** Returns true if the filters only select sessions with a dead end. */
export const selectsDeadEnds = ({ deadEnd, deadEndPage, deadEndCause }: JourneysSearch): boolean =>
  deadEnd === 'yes' || deadEndPage !== undefined || deadEndCause !== undefined;

/** Returns which sessions the table lists. */
export function getSessionList(search: JourneysSearch, { dead_end_sessions: deadEnds }: JourneySummary): SessionList {
  if (search.list !== undefined) return search.list;
  return selectsDeadEnds(search) ? 'all' : deadEnds > 0 ? 'dead-ends' : 'several';
}

/** Returns the value of the cause filter. */
export const toCauseFilter = ({ status }: { status: number | null }): string =>
  status === null ? 'loop' : String(status);
