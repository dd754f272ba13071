import { Injectable } from '@nestjs/common';
import {
  MAX_JOURNEY_PAGES,
  toKindBits,
  VISIT_KINDS,
  type IdentificationResult,
  type Journey,
  type Journeys,
  type JourneyFilters,
  type JourneySummary,
  journeyCursor,
} from '#libs/contracts';
import {
  JourneyVisitsRepository,
  type JourneyPosition,
  type JourneyVisit,
  type JourneyVisitDetails,
  type Snapshot,
  type TimeRange,
} from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentNamesRepository, type AgentNames } from '../statistics/agent-names.repository.js';
import { describeRange } from '../statistics/overview.service.js';
import type { Series } from '../statistics/time-range.js';
import { getEntry, getExit, SessionReader } from './session-reader.js';
import { SignersRepository } from './signers.repository.js';
import {
  findDeadEnds,
  findPagesBeforeCheckout,
  isCheckout,
  isClientError,
  isRefused,
  isServerError,
  type DeadEnd,
  type Session,
} from './to-sessions.js';

/** Numbers of visits to read. A page rarely needs the last reads, which find the starts of long sessions. */
const VISITS_PER_PAGE_READ = [1_000, 2_000, 3_000];
const VISITS_PER_SUMMARY_READ = [2_000, 8_000];
const READ_OPTIONS = {
  timeoutMs: 5_000,
  timeoutDetail: 'The search took too long. Choose a shorter range with from and to.',
};

/** Lists and summarizes sessions. They are computed from stored visits whenever they are read. */
@Injectable()
export class JourneysService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly sessions: SessionReader,
    private readonly visits: JourneyVisitsRepository,
    private readonly signers: SignersRepository,
    private readonly names: AgentNamesRepository,
  ) {}

  async list(
    projectId: string,
    filters: JourneyFilters,
    range: TimeRange,
    page: { limit: number; before: JourneyPosition | null },
  ): Promise<Journeys> {
    const signers = await this.signers.find();
    return this.reading.read(async (snapshot) => {
      const { sessions, next, searchedFrom } = await this.sessions.readEnded(
        snapshot,
        projectId,
        { filters, range, before: page.before, signers },
        { limit: page.limit, visitsPerRead: VISITS_PER_PAGE_READ },
      );
      const describe = await this.createDescriber(snapshot, projectId, sessions);
      return {
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        searched_from: new Date(searchedFrom).toISOString(),
        journeys: sessions.map(describe),
        next_cursor: next && journeyCursor.write(next),
      };
    }, READ_OPTIONS);
  }

  async summarize(projectId: string, filters: JourneyFilters, range: Series): Promise<JourneySummary> {
    const signers = await this.signers.find();
    const { sessions, searchedFrom } = await this.reading.read(
      (snapshot) =>
        this.sessions.readEnded(
          snapshot,
          projectId,
          { filters, range, before: null, signers },
          { limit: Infinity, visitsPerRead: VISITS_PER_SUMMARY_READ },
        ),
      READ_OPTIONS,
    );
    const durations = sessions.map(getDuration).toSorted((one, other) => one - other);
    const deadEnds = sessions.map(findDeadEnds);
    return {
      ...describeRange(range),
      computed_from: new Date(searchedFrom).toISOString(),
      sessions: sessions.length,
      visitors: new Set(sessions.map(({ key }) => key)).size,
      dead_end_sessions: deadEnds.filter((found) => found.length > 0).length,
      refused_sessions: sessions.filter(
        (session, index) => deadEnds[index]!.length === 0 && session.visits.some(isRefused),
      ).length,
      checkout_sessions: sessions.filter(({ visits }) => visits.some(isCheckout)).length,
      undistinguished_sessions: sessions.filter(({ distinguishedBy }) => distinguishedBy === 'none').length,
      median_duration_ms: durations[Math.floor(durations.length / 2)] ?? null,
      series: countOverTime(range, sessions, deadEnds),
      entries: countTop(sessions.flatMap((session) => getEntry(session) ?? [])).map(toPageCount),
      exits: countTop(sessions.map(getExit)).map(toPageCount),
      dead_ends: countTop(deadEnds.flat().map((deadEnd) => JSON.stringify(deadEnd))).map(([deadEnd, count]) => ({
        ...(JSON.parse(deadEnd) as Omit<JourneySummary['dead_ends'][number], 'sessions'>),
        sessions: count,
      })),
      dead_end_causes: countCauses(deadEnds),
      before_checkout: countTop(sessions.flatMap(findPagesBeforeCheckout)).map(toPageCount),
    };
  }

  /** Returns null if the visit isn't stored or its visitor has no sessions. */
  async find(projectId: string, visitId: string): Promise<Journey | null> {
    const signers = await this.signers.find();
    return this.reading.read(async (snapshot) => {
      const session = await this.sessions.readUpTo(snapshot, projectId, visitId, signers);
      if (session === null) return null;
      const describe = await this.createDescriber(snapshot, projectId, [session]);
      const details = await this.visits.findDetails(snapshot, session.visits);
      return { ...describe(session), steps: toSteps(session, details) };
    }, READ_OPTIONS);
  }

  /** Returns a function that describes sessions, with the names of their visitors. */
  private async createDescriber(snapshot: Snapshot, projectId: string, sessions: readonly Session[]) {
    const getLast = ({ visits }: Session): JourneyVisit => visits.at(-1)!;
    const agents = sessions.flatMap((session) => getLast(session).agent_id ?? []);
    const programs = sessions.map(getLast).filter(({ user_agent_group: group }) => group !== null);
    const getNames = await this.names.find(snapshot, projectId, [...new Set(agents)]);
    const details = programs.length === 0 ? null : await this.visits.findDetails(snapshot, programs);
    return (session: Session): Omit<Journey, 'steps'> => {
      const { id } = getLast(session);
      return describeSession(session, getNames, details?.get(id)?.user_agent_group ?? null);
    };
  }
}

/** @param deadEnds Dead ends of each session. */
function countOverTime(
  { starts }: Series,
  sessions: readonly Session[],
  deadEnds: readonly (readonly unknown[])[],
): JourneySummary['series'] {
  const items = starts.map((start) => ({
    time: new Date(start).toISOString(),
    sessions: 0,
    dead_end_sessions: 0,
    client_error_sessions: 0,
    server_error_sessions: 0,
  }));
  for (const [index, { visits }] of sessions.entries()) {
    const endedAt = visits.at(-1)!.occurred_at;
    const item = items[starts.findLastIndex((start) => start <= endedAt)]!;
    item.sessions += 1;
    if (deadEnds[index]!.length > 0) item.dead_end_sessions += 1;
    if (visits.some(isClientError)) item.client_error_sessions += 1;
    if (visits.some(isServerError)) item.server_error_sessions += 1;
  }
  return items;
}

function describeSession(
  session: Session,
  getNames: (id: string) => AgentNames,
  group: string | null,
): Omit<Journey, 'steps'> {
  const { visits, startedEarlier } = session;
  const [first, last] = [visits[0]!, visits.at(-1)!];
  const names = last.agent_id === null ? null : getNames(last.agent_id);
  return {
    id: last.id,
    visitor: session.visitor,
    agent_id: last.agent_id,
    agent_token: names?.agent_token ?? null,
    agent_type_name: last.agent_type,
    operator_name: last.operator,
    user_agent_group: group,
    result: last.result as IdentificationResult,
    distinguished_by: session.distinguishedBy,
    network: session.network,
    started_at: new Date(first.occurred_at).toISOString(),
    ended_at: new Date(last.occurred_at).toISOString(),
    duration_ms: getDuration(session),
    started_earlier: startedEarlier,
    visits: visits.length,
    entry: getEntry(session),
    exit: getExit(session),
    client_errors: visits.filter(isClientError).length,
    server_errors: visits.filter(isServerError).length,
    refused_visits: visits.filter(isRefused).length,
    loops: session.loops.size,
    checkout_visits: visits.filter(isCheckout).length,
  };
}

const toSteps = ({ visits, loops }: Session, details: ReadonlyMap<string, JourneyVisitDetails>): Journey['steps'] =>
  visits.map(({ id, occurred_at: at, path, status, kinds }, index) => ({
    visit_id: id,
    occurred_at: new Date(at).toISOString(),
    gap_ms: index === 0 ? null : at - visits[index - 1]!.occurred_at,
    method: details.get(id)?.method ?? '',
    path,
    status,
    kinds: VISIT_KINDS.filter((kind) => (kinds & toKindBits([kind])) !== 0),
    is_loop: loops.has(path),
  }));

const getDuration = ({ visits }: Session): number => visits.at(-1)!.occurred_at - visits[0]!.occurred_at;

/** Returns the most frequent values with their counts. Equally frequent values are sorted alphabetically. */
function countTop(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .toSorted(([value, count], [other, otherCount]) => otherCount - count || (value < other ? -1 : 1))
    .slice(0, MAX_JOURNEY_PAGES);
}

/** @param deadEnds Dead ends of each session. */
function countCauses(deadEnds: readonly (readonly DeadEnd[])[]): JourneySummary['dead_end_causes'] {
  const toCause = ({ kind, status }: DeadEnd): string => JSON.stringify({ kind, status });
  const pages = Map.groupBy(deadEnds.flat(), toCause);
  return countTop(deadEnds.flatMap((found) => [...new Set(found.map(toCause))])).map(([cause, sessions]) => ({
    ...(JSON.parse(cause) as Pick<DeadEnd, 'kind' | 'status'>),
    sessions,
    pages: new Set(pages.get(cause)!.map(({ page }) => page)).size,
  }));
}

const toPageCount = ([page, sessions]: [string, number]): { page: string; sessions: number } => ({ page, sessions });
