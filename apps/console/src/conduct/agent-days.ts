import { getTimeFromId, type ConductDay } from '#libs/contracts';
import { WorkSlices } from '#libs/platform';
import type { ConductVisit } from '#libs/visit-store';
import { findHighlights } from './highlights.js';
import { compareGaps, countRefetches, countVerdicts, findPeak, reportsConditions } from './host-day.js';
import { isThrottled, RetryWindows, toRetryWindow } from './retry-windows.js';
import { findShortestDelay, type DelayVersion } from './robots-delays.repository.js';
import { CACHE_MS, type AgentFetches } from './robots-fetches.js';
import { toHost } from './to-host.js';

export const DAY_MS = 86_400_000;

interface AgentContext {
  /** Product token in robots.txt. */
  robotsToken: string;
  isUserTriggered: boolean;
  /** Number of spoofed visits by start of the day. */
  spoofed: ReadonlyMap<number, number>;
  maxPerDay: number;
  versions: readonly DelayVersion[];
  fetches: AgentFetches;
  /** Whether visits without a host can belong to different sites. */
  hasSeveralHosts: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

interface HostVisits {
  host: string | null;
  visits: ConductVisit[];
  /** Visits with a time. Sources that report none get the time of receipt, which says nothing about the order. */
  timed: ConductVisit[];
}

/**
 * Returns the facts for each day with visits, newest first. Visits are only compared with others to the same host,
 * because the clocks of hosts can differ.
 *
 * @param visits An agent's visits, oldest first.
 */
export async function describeDays(visits: readonly ConductVisit[], context: AgentContext): Promise<ConductDay[]> {
  const slices = new WorkSlices();
  const early = findEarlyRequests(visits, context);
  const days: ConductDay[] = [];
  for (const [start, ofDay] of Map.groupBy(visits, ({ occurred_at: at }) => Math.floor(at / DAY_MS) * DAY_MS)) {
    if (slices.isSliceOver) await slices.yieldToEventLoop();
    days.push(describeDay(start, ofDay, early, context));
  }
  return days.toReversed();
}

function describeDay(
  start: number,
  visits: readonly ConductVisit[],
  early: ReadonlySet<ConductVisit>,
  context: AgentContext,
): ConductDay {
  const hosts = groupByHost(visits);
  const end = start + DAY_MS;
  const hasConditions = reportsConditions(visits);
  const comparable = hosts.filter((host) => isComparable(host, context));
  // A crawler can use a copy from the day before.
  const fetchRange = { from: start - CACHE_MS, to: end };
  const readable = hosts.filter(({ host }) => context.fetches.mayHaveSucceeded(host, fetchRange));
  const facts: Omit<ConductDay, 'highlights'> = {
    date: new Date(start).toISOString().slice(0, 10),
    from: new Date(start).toISOString(),
    to: new Date(end).toISOString(),
    is_so_far: end > context.now,
    visits: visits.length,
    is_partial: visits.length >= context.maxPerDay,
    spoofed: context.spoofed.get(start) ?? 0,
    robots: countVerdicts(visits, createBreachCheck(readable, context.versions)),
    robots_fetch: countFetches(hosts, context.fetches),
    crawl_delay: findShortestGaps(
      comparable.filter((host) => readable.includes(host)),
      start,
      context,
    ),
    retry_after: countEarly(visits, comparable.length === 0 ? null : early),
    refetches: hosts.map(({ visits: ofHost }) => countRefetches(ofHost, hasConditions)).reduce(addRefetches),
    peak: comparable
      .map(({ host, timed }) => findPeak(timed, host))
      .reduce((one, other) => ((other?.requests ?? 0) > (one?.requests ?? 0) ? other : one), null),
  };
  return { ...facts, highlights: context.isUserTriggered ? [] : findHighlights(facts) };
}

const groupByHost = (visits: readonly ConductVisit[]): HostVisits[] =>
  [...Map.groupBy(visits, ({ request_headers: headers }) => toHost(headers))].map(([host, ofHost]) => ({
    host,
    visits: ofHost,
    timed: ofHost.filter(hasTime),
  }));

const hasTime = ({ id, occurred_at: at }: ConductVisit): boolean => at < getTimeFromId(id);

const isComparable = ({ host }: HostVisits, { hasSeveralHosts }: AgentContext): boolean =>
  host !== null || !hasSeveralHosts;

/**
 * Returns a check whether the visit's robots.txt version was served for as long as crawlers may cache it.
 *
 * @param readable Hosts whose robots.txt the agent may have read.
 */
function createBreachCheck(
  readable: readonly HostVisits[],
  versions: readonly DelayVersion[],
): (visit: ConductVisit) => boolean {
  const startById = new Map(versions.map(({ id, from }) => [id, from]));
  const hosts = new Set(readable.map(({ host }) => host));
  return ({ occurred_at: at, robots_version: version, request_headers: headers }) =>
    (startById.get(version ?? '') ?? Infinity) <= at - CACHE_MS && hosts.has(toHost(headers));
}

function countFetches(hosts: readonly HostVisits[], fetches: AgentFetches): ConductDay['robots_fetch'] {
  const counts = { visits: 0, after_fetch: 0 };
  for (const { host, visits } of hosts) {
    for (const { is_robots_txt: isRobotsTxt, occurred_at: at } of visits) {
      const isAfterFetch = isRobotsTxt ? null : fetches.precede(host, at);
      if (isAfterFetch === null) continue;
      counts.visits += 1;
      if (isAfterFetch) counts.after_fetch += 1;
    }
  }
  return counts.visits === 0 ? null : counts;
}

/** Returns the intervals between requests to the host with the most short intervals. */
function findShortestGaps(
  hosts: readonly HostVisits[],
  start: number,
  { versions, robotsToken, now }: AgentContext,
): ConductDay['crawl_delay'] {
  // A crawler can use a copy from the day before.
  const range = { from: start - CACHE_MS, to: Math.min(start + DAY_MS, now) };
  const found = hosts.flatMap(({ host, visits, timed }) => {
    const version = visits.findLast(({ robots_version: id }) => id !== null)?.robots_version;
    const versionHost = versions.find(({ id }) => id === version)?.host;
    const ofHost = versions.filter((each) => each.host === versionHost);
    const delay = findShortestDelay(ofHost, robotsToken, range);
    return (delay !== null && compareGaps(timed, host, delay)) || [];
  });
  const [first] = found.toSorted(
    (one, other) => (other.shorter_gaps ?? 0) - (one.shorter_gaps ?? 0) || other.gaps - one.gaps,
  );
  return first ?? null;
}

/** Returns the requests that were sent although a `Retry-After` header had asked the agent to wait. */
function findEarlyRequests(visits: readonly ConductVisit[], context: AgentContext): Set<ConductVisit> {
  const early = new Set<ConductVisit>();
  for (const { timed } of groupByHost(visits).filter((host) => isComparable(host, context))) {
    const windows = new RetryWindows();
    for (const visit of timed) {
      if (!visit.is_robots_txt && windows.include(visit)) early.add(visit);
      const window = isThrottled(visit) ? toRetryWindow(visit) : null;
      if (window !== null) windows.add(window);
    }
  }
  return early;
}

/** @param early Early requests, or null if they are unknown. */
function countEarly(
  visits: readonly ConductVisit[],
  early: ReadonlySet<ConductVisit> | null,
): ConductDay['retry_after'] {
  const throttled = visits.filter(isThrottled);
  const requests = visits.filter((visit) => early?.has(visit));
  const toTime = (visit: ConductVisit | undefined): string | null =>
    visit === undefined ? null : new Date(visit.occurred_at).toISOString();
  return {
    responses: throttled.length,
    with_headers: throttled.filter((visit) => visit.has_response_headers).length,
    with_retry_after: throttled.filter((visit) => toRetryWindow(visit) !== null).length,
    early_requests: early === null ? null : requests.length,
    first_early_at: toTime(requests[0]),
    last_early_at: toTime(requests.at(-1)),
  };
}

type Refetches = ConductDay['refetches'];

function addRefetches(one: Refetches, other: Refetches): Refetches {
  const add = (first: number | null, second: number | null): number | null =>
    first === null || second === null ? null : first + second;
  return {
    requests: one.requests + other.requests,
    not_modified: one.not_modified + other.not_modified,
    conditional: add(one.conditional, other.conditional),
    cacheable: add(one.cacheable, other.cacheable),
    cacheable_conditional: add(one.cacheable_conditional, other.cacheable_conditional),
  };
}
