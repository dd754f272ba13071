import { Injectable } from '@nestjs/common';
import { getPage, MAX_SESSION_MS, SESSION_GAP_MS, type JourneyFilters } from '#libs/contracts';
import {
  JourneyVisitsRepository,
  type JourneyPosition,
  type JourneyRead,
  type JourneyVisit,
  type JourneyVisitors,
  type Snapshot,
  type TimeRange,
} from '#libs/visit-store';
import {
  createVisitorFinder,
  findDeadEnds,
  isCheckout,
  isRefused,
  isRead,
  toSessions,
  type DeadEnd,
  type Session,
} from './to-sessions.js';

interface SessionQuery {
  filters: JourneyFilters;
  range: TimeRange;
  /** Position before which the sessions must have ended. Null for the end of the range. */
  before: JourneyPosition | null;
  /** IDs of agents that can sign their requests. */
  signers: readonly string[];
}

interface Bounds {
  /** Maximum number of sessions. */
  limit: number;
  /** Maximum number of visits for each of the reads, one after the other. */
  visitsPerRead: readonly number[];
}

interface ReadSessions {
  /** Most recently ended first. */
  sessions: Session[];
  /** Position before which the remaining sessions ended. Null if there are no more. */
  next: JourneyPosition | null;
  /** Sessions that ended after this time are complete. Milliseconds since the epoch, within the range. */
  searchedFrom: number;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Maximum number of visits per read after the start of a page, to find sessions that continue there. */
const MAX_LATER_VISITS = 20_000;
const MAX_LATER_READS = 3;
/** Time spans to search for the start of a single session, shortest first, and the maximum number of visits to read. */
const SEARCHED_SPANS_MS = [2 * 3_600_000, MAX_SESSION_MS + SESSION_GAP_MS] as const;
const MAX_VISITS = 5_000;

/** Builds sessions from the stored visits. */
@Injectable()
export class SessionReader {
  constructor(private readonly visits: JourneyVisitsRepository) {}

  /**
   * Reads sessions, most recently ended first. A session belongs to the position of its last visit. To find its start,
   * reads on beyond the last session, and beyond the range.
   *
   * The start of a session is searched in at least half of the visits that a page can read. If it isn't found, the
   * session is marked as started earlier, and filters apply to the part that was read.
   */
  async readEnded(
    snapshot: Snapshot,
    projectId: string,
    { filters, range, before, signers }: SessionQuery,
    { limit, visitsPerRead }: Bounds,
  ): Promise<ReadSessions> {
    const start = before ?? { occurredAt: range.to, id: FIRST_ID };
    const read = { visitors: toVisitors(filters), signers };
    const later = await this.readLater(snapshot, projectId, { ...read, start });
    const end = range.from - MAX_SESSION_MS - SESSION_GAP_MS;
    const matches = createSessionMatcher(filters);
    const isEnded = (session: Session): boolean => {
      const last = getLast(session);
      const isComplete = last.occurred_at + SESSION_GAP_MS < later.searchedTo;
      return isComplete && last.occurred_at >= range.from && isBefore(toPosition(last), start);
    };
    /** Newest first. */
    const visits: JourneyVisit[] = [];
    let searchedTo: JourneyPosition | null = start;
    let searchedFrom = Infinity;
    let ended: Session[] = [];
    let sessions: Session[] = [];
    for (const size of visitsPerRead) {
      const page = await this.visits.read(snapshot, projectId, {
        ...read,
        start: { side: '<', ...searchedTo },
        end,
        limit: size,
      });
      visits.push(...page.visits);
      ({ searchedTo } = page);
      searchedFrom = searchedTo?.occurredAt ?? end - 1;
      ended = toSessions([...later.visits, ...visits], searchedFrom).filter(isEnded);
      sessions = ended.filter(matches);
      if (searchedTo === null) break;
      // Sessions whose start isn't known yet can still change, and then match.
      const needed = sessions.length > limit ? ended.slice(0, ended.indexOf(sessions[limit]!)) : ended;
      const isEnough = sessions.length > limit || searchedFrom < range.from;
      if (isEnough && needed.every((session) => isRead(session, searchedFrom))) break;
    }
    const isIncomplete = (session: Session): boolean => !isRead(session, searchedFrom);
    const next = findOlderEnd(visits, ended.filter(isIncomplete)) ?? searchedTo;
    if (next !== null) sessions = sessions.filter((session) => !isBefore(toPosition(getLast(session)), next));
    if (sessions.length > limit) {
      const shown = sessions.slice(0, limit);
      const last = getLast(shown.at(-1)!);
      return { sessions: shown, next: toPosition(last), searchedFrom: last.occurred_at };
    }
    return next === null || next.occurredAt < range.from
      ? { sessions, next: null, searchedFrom: range.from }
      : { sessions, next, searchedFrom: next.occurredAt };
  }

  /**
   * Reads visits after the start of a page. Sessions that continue there belong to an earlier page, or to a later range.
   *
   * @returns the visits, and the time before which they are complete. Infinity if all of them were read.
   */
  private async readLater(
    snapshot: Snapshot,
    projectId: string,
    { start, ...read }: Pick<JourneyRead, 'visitors' | 'signers'> & { start: JourneyPosition },
  ): Promise<{ visits: JourneyVisit[]; searchedTo: number }> {
    const visits: JourneyVisit[] = [];
    let next: JourneyRead['start'] = { side: '>=', ...start };
    for (let reads = 0; reads < MAX_LATER_READS; reads += 1) {
      const page = await this.visits.read(snapshot, projectId, {
        ...read,
        start: next,
        end: start.occurredAt + SESSION_GAP_MS,
        limit: MAX_LATER_VISITS,
      });
      visits.push(...page.visits);
      if (page.searchedTo === null) return { visits, searchedTo: Infinity };
      next = { side: '>', ...page.searchedTo };
    }
    return { visits, searchedTo: next.occurredAt };
  }

  /** Returns a visitor's session up to a visit, or null if the visit isn't stored or its visitor has no sessions. */
  async readUpTo(
    snapshot: Snapshot,
    projectId: string,
    id: string,
    signers: readonly string[],
  ): Promise<Session | null> {
    const time = await this.visits.findTime(snapshot, projectId, id);
    if (time === null) return null;
    const start = { side: '<=' as const, occurredAt: time, id };
    const everybody: JourneyVisitors = { agents: null, types: null, network: null, isUnknown: false };
    const only = { start, end: time, limit: 1, visitors: everybody, signers };
    const [visit] = (await this.visits.read(snapshot, projectId, only)).visits;
    if (visit?.id !== id) return null;
    const findVisitor = createVisitorFinder();
    const { key, network } = findVisitor(visit);
    const visitors: JourneyVisitors = {
      ...everybody,
      agents: visit.agent_id === null ? null : [visit.agent_id],
      isUnknown: visit.agent_id === null,
      network,
    };
    for (const span of SEARCHED_SPANS_MS) {
      const read = { start, end: time - span, limit: MAX_VISITS, visitors, signers };
      const { visits, searchedTo } = await this.visits.read(snapshot, projectId, read);
      const searchedFrom = searchedTo?.occurredAt ?? time - span - 1;
      const sameVisitor = visits.filter((other) => findVisitor(other).key === key);
      const session = toSessions(sameVisitor, searchedFrom)[0]!;
      if (span === SEARCHED_SPANS_MS.at(-1) || isRead(session, searchedFrom)) return session;
    }
    return null;
  }
}

function toVisitors({ agent, type, visitor }: JourneyFilters): JourneyVisitors {
  const isUnknown = visitor !== null && visitor.every((kind) => kind === 'unknown');
  return { agents: agent, types: type, network: null, isUnknown };
}

/** Returns a predicate for the filters that apply to sessions rather than to visits. */
function createSessionMatcher(filters: JourneyFilters): (session: Session) => boolean {
  const { visitor, dead_end: deadEnd, dead_end_cause: causes, checkout, min_visits: minVisits } = filters;
  const [entries, exits, deadEndPages] = [filters.entry, filters.exit, filters.dead_end_page].map(
    (pages) => pages?.map(getPage) ?? null,
  ) as [string[] | null, string[] | null, string[] | null];
  const isAnyDeadEnd = causes === null && deadEndPages === null;
  const isWantedDeadEnd = (end: DeadEnd): boolean =>
    (deadEndPages === null || deadEndPages.includes(end.page)) &&
    (causes === null || toCauses(end).some((cause) => causes.includes(cause)));
  const isWantedEnd = (session: Session): boolean => {
    const hasDeadEnd = findDeadEnds(session).length > 0;
    if (deadEnd === 'refused') return !hasDeadEnd && session.visits.some(isRefused);
    return isWanted(deadEnd, hasDeadEnd);
  };
  const isWanted = (wanted: 'yes' | 'no' | null, is: boolean): boolean => wanted === null || (wanted === 'yes') === is;
  return (session) =>
    session.visits.length >= minVisits &&
    (visitor === null || visitor.includes(session.visitor)) &&
    (entries === null || entries.includes(getEntry(session)!)) &&
    (exits === null || exits.includes(getExit(session))) &&
    (isAnyDeadEnd || findDeadEnds(session).some(isWantedDeadEnd)) &&
    isWantedEnd(session) &&
    isWanted(checkout, session.visits.some(isCheckout));
}

/** Returns the values of the cause filter that match a dead end. */
const toCauses = ({ status }: DeadEnd): string[] =>
  status === null ? ['loop'] : [String(status), `${Math.floor(status / 100)}xx`];

/** Returns the first page, or null if it isn't known. */
export const getEntry = ({ visits, startedEarlier }: Session): string | null =>
  startedEarlier ? null : getPage(visits[0]!.path);

export const getExit = (session: Session): string => getPage(getLast(session).path);

/**
 * Finds where the next page should start, so that it can read the starts of sessions that are incomplete on this page.
 * Ignores sessions that ended in the newer half of the visits, so each page covers at least the newer half.
 *
 * @param visits Newest first.
 * @returns null if no incomplete session ended in the older half.
 */
function findOlderEnd(visits: readonly JourneyVisit[], incomplete: readonly Session[]): JourneyPosition | null {
  const ends = new Set(incomplete.map((session) => getLast(session).id));
  const middle = Math.ceil(visits.length / 2);
  const newest = visits.findIndex(({ id }, index) => index > middle && ends.has(id));
  return newest === -1 ? null : toPosition(visits[newest - 1]!);
}

const getLast = ({ visits }: Session): JourneyVisit => visits.at(-1)!;

const toPosition = ({ occurred_at: occurredAt, id }: JourneyVisit): JourneyPosition => ({ occurredAt, id });

const isBefore = (one: JourneyPosition, other: JourneyPosition): boolean =>
  one.occurredAt < other.occurredAt || (one.occurredAt === other.occurredAt && one.id < other.id);
