import { isProbedPath } from '#libs/agents';
import {
  getPage,
  LOOP_REQUESTS,
  MAX_SESSION_MS,
  MAX_SESSION_VISITS,
  SESSION_GAP_MS,
  toKindBits,
  type DeadEndKind,
  type JourneyVisitor,
  type VisitorDistinction,
} from '#libs/contracts';
import type { JourneyVisit } from '#libs/visit-store';
import { getNetwork } from '../statistics/network.js';

/** Visits of one visitor without a pause of more than {@link SESSION_GAP_MS}. */
export interface Session {
  /** Identifies the visitor. */
  key: string;
  visitor: JourneyVisitor;
  distinguishedBy: VisitorDistinction;
  network: string | null;
  /** Oldest first. */
  visits: readonly JourneyVisit[];
  /** Whether the session began before the first of its visits. */
  startedEarlier: boolean;
  /** Paths of pages that were requested {@link LOOP_REQUESTS} times or more. */
  loops: ReadonlySet<string>;
}

export interface DeadEnd {
  page: string;
  kind: DeadEndKind;
  status: number | null;
}

const PAGE = toKindBits(['page']);
const MCP = toKindBits(['mcp']);
/** Payment required, too many requests, and unavailable for legal reasons. */
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([402, 429, 451]);
const CHECKOUT = toKindBits(['acp', 'ucp']);

/**
 * Divides visits into sessions, most recently ended first. Visits at the same time are ordered by ID.
 *
 * @param visits In any order. All visits after `searchedFrom` must be included.
 * @param searchedFrom Milliseconds since the epoch. There can be more visits up to this time.
 */
export function toSessions(visits: readonly JourneyVisit[], searchedFrom: number): Session[] {
  const findVisitor = createVisitorFinder();
  const newest: JourneyVisit[][] = [];
  const sessionByKey = new Map<string, JourneyVisit[]>();
  for (const visit of visits.toSorted((one, other) => byPosition(other, one))) {
    const { key } = findVisitor(visit);
    const session = sessionByKey.get(key);
    if (session !== undefined && session.at(-1)!.occurred_at - visit.occurred_at <= SESSION_GAP_MS) session.push(visit);
    else {
      const next = [visit];
      newest.push(next);
      sessionByKey.set(key, next);
    }
  }
  return newest.map((session) => toSession(session, searchedFrom, findVisitor(session[0]!)));
}

/** Compares visits by time, and then by ID. */
const byPosition = (one: JourneyVisit, other: JourneyVisit): number =>
  one.occurred_at - other.occurred_at || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

type Visitor = Pick<Session, 'key' | 'distinguishedBy' | 'network'>;

/** Returns a function that identifies visitors. Looks up each address only once. */
export function createVisitorFinder(): (visit: JourneyVisit) => Visitor {
  const networks = new Map<string | null, string | null>();
  return ({ agent_id: agent, user_agent_group: group, signature_key: signatureKey, client_address: address }) => {
    const who = agent ?? `unknown ${group}`;
    if (signatureKey !== null)
      return { key: `${who} key ${signatureKey}`, distinguishedBy: 'signature_key', network: null };
    if (!networks.has(address)) networks.set(address, getNetwork(address));
    const network = networks.get(address)!;
    return { key: `${who} ${network}`, distinguishedBy: network === null ? 'none' : 'network', network };
  };
}

/** @param newestFirst The session's visits that were read. */
function toSession(newestFirst: readonly JourneyVisit[], searchedFrom: number, visitor: Visitor): Session {
  const { occurred_at: end } = newestFirst[0]!;
  const visits = newestFirst
    .slice(0, MAX_SESSION_VISITS)
    .filter(({ occurred_at: at }) => at >= end - MAX_SESSION_MS)
    .toReversed();
  return {
    ...visitor,
    visitor: findKind(visits),
    visits,
    startedEarlier: visits.length < newestFirst.length || visits[0]!.occurred_at - SESSION_GAP_MS <= searchedFrom,
    loops: findLoops(visits),
  };
}

function findKind(visits: readonly JourneyVisit[]): JourneyVisitor {
  if (visits.some(({ kinds }) => (kinds & MCP) !== 0)) return 'mcp_client';
  const { agent_id: agent, agent_type: type } = visits.at(-1)!;
  if (agent === null) return 'unknown';
  return type === 'AI Coding Agent' ? 'coding_agent' : 'assistant';
}

/** Only page visits can be loops, because protocols send all their messages to the same path. */
function findLoops(visits: readonly JourneyVisit[]): Set<string> {
  const requests = new Map<string, number>();
  for (const { path, kinds } of visits) if (kinds === PAGE) requests.set(path, (requests.get(path) ?? 0) + 1);
  return new Set([...requests].filter(([, count]) => count >= LOOP_REQUESTS).map(([path]) => path));
}

/**
 * Returns whether reading more visits can't change the session: either its start was read, or it's so long that earlier
 * visits are left out.
 */
export const isRead = ({ startedEarlier, visits }: Session, searchedFrom: number): boolean =>
  !startedEarlier ||
  visits.length === MAX_SESSION_VISITS ||
  searchedFrom < visits.at(-1)!.occurred_at - MAX_SESSION_MS - SESSION_GAP_MS;

export const isCheckout = ({ kinds }: JourneyVisit): boolean => (kinds & CHECKOUT) !== 0;

/**
 * Returns true if the site didn't want to serve the visit: it asked for payment, limited the rate, has legal reasons, or
 * vulnerability scanners request the path. Status 403 isn't included, because firewalls often return it by mistake.
 */
export const isRefused = ({ status, path }: JourneyVisit): boolean =>
  status !== null && status >= 400 && status < 600 && (REFUSAL_STATUSES.has(status) || isProbedPath(getPage(path)));

export const isClientError = (visit: JourneyVisit): boolean => hasStatusFrom(visit, 400) && !isRefused(visit);
export const isServerError = (visit: JourneyVisit): boolean => hasStatusFrom(visit, 500) && !isRefused(visit);

const hasStatusFrom = ({ status }: JourneyVisit, first: number): boolean =>
  status !== null && status >= first && status < first + 100;

/** Returns each error status by page, and each loop, once. Refused visits aren't dead ends. */
export function findDeadEnds({ visits, loops }: Session): DeadEnd[] {
  const deadEnds = new Map<string, DeadEnd>();
  const add = (deadEnd: DeadEnd): unknown => deadEnds.set(JSON.stringify(deadEnd), deadEnd);
  for (const visit of visits) {
    const page = getPage(visit.path);
    if (isClientError(visit) || isServerError(visit)) add({ page, kind: 'status', status: visit.status });
    if (visit.kinds === PAGE && loops.has(visit.path) && !isRefused(visit)) add({ page, kind: 'loop', status: null });
  }
  return [...deadEnds.values()];
}

/** Returns the pages requested before the first checkout message, each once. Empty if there's no checkout. */
export function findPagesBeforeCheckout({ visits }: Session): string[] {
  const first = visits.findIndex(isCheckout);
  const before = visits.slice(0, Math.max(first, 0)).filter(({ kinds }) => kinds === PAGE);
  return [...new Set(before.map(({ path }) => getPage(path)))];
}
