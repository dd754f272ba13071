import { MAX_LISTED_ADDRESSES, ROBOTS_VERDICTS, type RobotsVersion } from '#libs/contracts';
import { createCounts, type FetchCounter, type FetchGroup } from './fetch-counter.js';
import {
  IDENTITIES,
  type CountsByIdentity,
  type FetchCounts,
  type Gap,
  type Identity,
  type Statement,
  type StatementScope,
  type StatementVersion,
} from './statement.js';

const DAY_MS = 86_400_000;

/** Visits by day, according to the counts, which remain when visits are deleted. */
export interface CountedDays {
  /** Visits by anyone. */
  all: Map<string, number>;
  /** Visits by the operator's agents. */
  operator: Map<string, number>;
}

export interface VersionWithSignals extends Pick<StatementVersion, 'licenses' | 'preferences'> {
  version: RobotsVersion;
}

interface Source {
  scope: StatementScope;
  counter: FetchCounter;
  counted: CountedDays;
  versions: readonly VersionWithSignals[];
  /** Text of a robots.txt line, or null if its version was deleted. */
  getLineText: (version: string, line: number) => string | null;
}

const RESULTS = { verified: 'verified', claimed: 'not_verifiable', spoofed: 'verification_failed' } as const;

/** Returns the UTC days of a statement, such as 2026-11-01. */
function listDays({ first_day: first, last_day: last }: Pick<StatementScope, 'first_day' | 'last_day'>): string[] {
  const start = Date.parse(first);
  return Array.from({ length: (Date.parse(last) - start) / DAY_MS + 1 }, (_, index) => toDay(start + index * DAY_MS));
}

export const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Builds a statement. Everything is sorted, so the same data results in the same statement. */
export function buildStatement({ scope, counter, counted, versions, getLineText }: Source): Statement {
  const days = listDays(scope);
  const start = Date.parse(scope.first_day);
  const end = Date.parse(scope.last_day) + DAY_MS;
  const inForce = versions
    .map((version) => toStatementVersion(version, end))
    .filter(({ from, until }) => Date.parse(from) < end && (until === null || Date.parse(until) > start))
    .toSorted((one, other) => compare(one.host, other.host) || compare(one.from, other.from));
  const hostByVersion = new Map(versions.map(({ version }) => [version.id, version.host]));
  const toCounts = (group: FetchGroup, filters: Record<string, string[]>): FetchCounts => ({
    identity: group.identity,
    fetches: group.fetches,
    bytes: group.sizedFetches === 0 ? null : group.bytes,
    sized_fetches: group.sizedFetches,
    distinct_paths: group.pathCount,
    request: addFilters(scope.request, { ...filters, result: [RESULTS[group.identity]] }),
  });
  return {
    scope,
    totals: IDENTITIES.map((identity) => toCounts(counter.totals.get(identity)!, {})),
    purposes: [...counter.purposes.values()]
      .map(({ purposes, tokens, group }) => {
        const agents = [...tokens].toSorted(compare);
        return { purposes, agents, ...toCounts(group, { agent: agents }) };
      })
      .toSorted((one, other) => comparePurposes(one.purposes, other.purposes) || byIdentity(one, other)),
    agents: [...counter.agents.values()]
      .map(({ agent: { token, type }, group, purposes }) => ({
        agent: token,
        agent_type: type,
        purposes,
        ...toCounts(group, { agent: [token], ...(type !== '' && { type: [type] }) }),
      }))
      .toSorted(
        (one, other) =>
          compare(one.agent, other.agent) || compare(one.agent_type, other.agent_type) || byIdentity(one, other),
      ),
    days: days.map((day) => ({
      day,
      ...(counter.days.get(day) ?? createCounts()),
      robots_versions: inForce
        .filter(({ from, until }) => isOnDay(day, Date.parse(from), until === null ? Infinity : Date.parse(until)))
        .map(({ id }) => id),
      request: addFilters(scope.request, {}, { from: day, to: toDay(Date.parse(day) + DAY_MS) }),
    })),
    verdicts: [...ROBOTS_VERDICTS, 'none' as const].flatMap((verdict) => {
      const counts = counter.verdicts.get(verdict);
      if (counts === undefined) return [];
      const filter: Record<string, readonly string[]> =
        verdict === 'none' ? { not_robots: [...ROBOTS_VERDICTS] } : { robots: [verdict] };
      return [{ verdict, ...counts, request: addFilters(scope.request, filter) }];
    }),
    versions: inForce,
    disallowed: [...counter.lines.values()]
      .map(({ version, line, userTriggered, ...counts }) => ({
        version,
        host: hostByVersion.get(version) ?? null,
        line,
        text: getLineText(version, line),
        ...counts,
        user_triggered: userTriggered,
      }))
      .toSorted(
        (one, other) =>
          compare(one.host ?? '', other.host ?? '') || compare(one.version, other.version) || one.line - other.line,
      ),
    disallowedFetches: counter.disallowed,
    disallowedTotal: counter.disallowedTotal,
    addresses: [...counter.addresses.entries()]
      .map(([address, counts]) => ({ address, ...counts }))
      .toSorted((one, other) => sum(other) - sum(one) || compare(one.address, other.address))
      .slice(0, MAX_LISTED_ADDRESSES),
    addressesTotal: counter.addresses.size,
    gaps: findGaps(scope, days, counter, counted, inForce),
  };
}

/** Compares by UTF-16 code units, independently of the locale. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const byIdentity = (one: { identity: Identity }, other: { identity: Identity }): number =>
  IDENTITIES.indexOf(one.identity) - IDENTITIES.indexOf(other.identity);

/** Sorts agents without a documented purpose last. */
const comparePurposes = (one: string[], other: string[]): number =>
  Number(one.length === 0) - Number(other.length === 0) || compare(one.join('\n'), other.join('\n'));

const sum = ({ verified, claimed, spoofed }: CountsByIdentity): number => verified + claimed + spoofed;

/** Whether a period overlaps a UTC day. */
function isOnDay(day: string, from: number, until: number): boolean {
  const start = Date.parse(day);
  return from < start + DAY_MS && until > start;
}

/** The end of a version is only included if it's within the range, so later changes don't alter the statement. */
function toStatementVersion({ version, ...signals }: VersionWithSignals, end: number): StatementVersion {
  const { id, host, digest, status, served_from: from, served_until: until, is_recorded } = version;
  const isEnded = until !== null && Date.parse(until) < end;
  return { id, host, sha256: digest, status, from, until: isEnded ? until : null, is_recorded, ...signals };
}

/** Adds filters to the request for all fetches. */
function addFilters(
  request: string,
  filters: Record<string, readonly string[]>,
  replaced: Record<string, string> = {},
): string {
  const [path, query] = request.split('?') as [string, string];
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(replaced)) parameters.set(name, value);
  for (const [name, values] of Object.entries(filters)) for (const value of values) parameters.append(name, value);
  return `${path}?${parameters.toString()}`;
}

function findGaps(
  scope: StatementScope,
  days: readonly string[],
  counter: FetchCounter,
  counted: CountedDays,
  versions: readonly StatementVersion[],
): Gap[] {
  const find = (
    kind: Gap['kind'],
    getFetches: (day: string) => number | null | undefined,
    host: string | null = null,
  ) =>
    groupDays(
      days.flatMap((day) => {
        const fetches = getFetches(day);
        return fetches === undefined ? [] : [{ kind, first_day: day, last_day: day, fetches, host }];
      }),
    );
  return [
    ...find('no_visits', (day) => ((counted.all.get(day) ?? 0) === 0 ? null : undefined)),
    ...find('not_stored', (day) => {
      const missing = (counted.operator.get(day) ?? 0) - sum(counter.days.get(day) ?? createCounts());
      return missing > 0 ? missing : undefined;
    }),
    ...find('late', (day) => counter.late.get(day)),
    ...find('reidentified', (day) => counter.reidentified.get(day)),
    ...scope.project.hosts.flatMap((host) => {
      const known = versions.filter((version) => version.host === host);
      return find('no_robots', (day) => (isCovered(day, known) ? undefined : null), host);
    }),
  ];
}

/** Whether the versions of a host, sorted by time, cover the entire day. */
function isCovered(day: string, versions: readonly StatementVersion[]): boolean {
  let coveredUntil = Date.parse(day);
  const end = coveredUntil + DAY_MS;
  for (const { from, until } of versions) {
    if (Date.parse(from) > coveredUntil) continue;
    coveredUntil = Math.max(coveredUntil, until === null ? end : Date.parse(until));
  }
  return coveredUntil >= end;
}

/** Joins gaps on consecutive days. */
function groupDays(gaps: readonly Gap[]): Gap[] {
  const groups: Gap[] = [];
  for (const gap of gaps) {
    const last = groups.at(-1);
    if (last !== undefined && Date.parse(gap.first_day) - Date.parse(last.last_day) === DAY_MS) {
      last.last_day = gap.last_day;
      if (gap.fetches !== null) last.fetches = (last.fetches ?? 0) + gap.fetches;
    } else groups.push({ ...gap });
  }
  return groups;
}
