import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import {
  getHeader,
  getSiteHosts,
  MAX_PERMISSION_AGENTS,
  MAX_PERMISSION_EXAMPLES,
  MAX_PERMISSION_STATEMENTS,
  MAX_PERMISSION_VISITS,
  PERMISSION_MECHANISMS,
  ROBOTS_VERDICTS,
  type PermissionMatrixItem,
  type Permissions,
  type PermissionStatement,
} from '#libs/contracts';
import {
  createMatrix,
  MECHANISMS,
  type ObservedVisit,
  type PermissionAgent,
  type PermissionMatrix,
  type Statement,
} from '#libs/permissions';
import { parseRobotsSignals } from '#libs/robots';
import { PermissionVisitsRepository, type PermissionVisit, type TimeRange } from '#libs/visit-store';
import type { StoredProject } from '../projects/projects.repository.js';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { LicensesRepository, type StoredLicense } from '../robots-versions/licenses.repository.js';
import { PermissionSourcesRepository, PURPOSE_TYPES, type VersionText } from './permission-sources.repository.js';

const DAY_MS = 86_400_000;
const DISALLOWED = new Set(['disallowed', 'unreachable'].map((verdict) => toPosition(verdict)));

interface SampledVisit extends ObservedVisit {
  occurredAt: number;
  version: string | null;
}

interface VersionSources {
  host: string;
  agents: readonly PermissionAgent[];
  licenses: readonly StoredLicense[];
  visits: readonly SampledVisit[];
}

@Injectable()
export class PermissionsService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly sources: PermissionSourcesRepository,
    private readonly licenses: LicensesRepository,
    private readonly visits: PermissionVisitsRepository,
  ) {}

  /** @param host One of the project's hosts, or null if it has none. */
  report(project: StoredProject, host: string | null, range: TimeRange): Promise<Permissions> {
    return this.reading.read(async (snapshot) => {
      const agents = await this.sources.findAgents();
      const days = listDays(range);
      const maxPerDay = Math.floor(MAX_PERMISSION_VISITS / days.length);
      const read = await this.visits.newestPerDay(snapshot, project.id, {
        days,
        to: range.to,
        agentTypes: PURPOSE_TYPES,
        maxPerDay,
      });
      const visits = read
        .filter(({ occurred_at: time }) => time >= range.from)
        .flatMap((visit) => toSampledVisit(visit, agents.get(visit.agent_id)) ?? []);
      const perDay = Map.groupBy(read, ({ occurred_at: time }) => Math.floor(time / DAY_MS));
      const versions = host === null ? [] : await this.sources.findVersions(project.id, host, range);
      const isOnlyHost = getSiteHosts(project).length <= 1;
      const stored = { host: host ?? '', agents: [...agents.values()], licenses: await this.licenses.list(project.id) };
      const matrices: PermissionMatrixItem[] = [];
      for (const found of versions.length > 0 ? versions : [null]) {
        const judged = visits.filter((visit) => isJudgedBy(visit, found, isOnlyHost));
        matrices.push(describeVersion(found, { ...stored, visits: judged }));
        // Files are large, so let other requests run in between.
        await setImmediate();
      }
      return {
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        host,
        mechanisms: PERMISSION_MECHANISMS.map((mechanism) => ({
          mechanism,
          label: MECHANISMS[mechanism].label,
          references: [...MECHANISMS[mechanism].references],
        })),
        sample: {
          visits: visits.length,
          is_partial: [...perDay.values()].some(({ length }) => length === maxPerDay),
        },
        matrices,
      };
    });
  }
}

function toPosition(verdict: string): number {
  return (ROBOTS_VERDICTS as readonly string[]).indexOf(verdict) + 1;
}

/** Returns the starts of the UTC days in a range. */
const listDays = ({ from, to }: TimeRange): number[] => {
  const first = Math.floor(from / DAY_MS);
  return Array.from({ length: Math.ceil(to / DAY_MS) - first }, (_, index) => (first + index) * DAY_MS);
};

function toSampledVisit(visit: PermissionVisit, agent: PermissionAgent | undefined): SampledVisit | null {
  // The agent has been removed from the catalog or has another type today.
  if (agent === undefined) return null;
  const headers = visit.response_headers;
  const tags = Object.entries(headers ?? {}).flatMap(([name, value]) =>
    name.toLowerCase() === 'x-robots-tag' ? [value].flat().map(String) : [],
  );
  return {
    ...agent,
    id: visit.id,
    occurredAt: visit.occurred_at,
    version: visit.robots_version,
    path: visit.path,
    status: visit.status,
    isDisallowed: visit.robots !== null && DISALLOWED.has(visit.robots),
    isChallenge:
      getHeader(headers, 'cf-mitigated') === 'challenge' ||
      ['challenge', 'captcha'].includes(getHeader(headers, 'x-amzn-waf-action') ?? ''),
    contentUsage: getHeader(headers, 'content-usage'),
    xRobotsTags: tags,
  };
}

/** Visits without a verdict count if the time determines the version. */
function isJudgedBy(
  { version: id, occurredAt }: SampledVisit,
  found: VersionText | null,
  isOnlyHost: boolean,
): boolean {
  if (found === null) return isOnlyHost || id === null;
  const { version } = found;
  if (id !== null) return id === version.id;
  const until = version.served_until === null ? Infinity : Date.parse(version.served_until);
  return isOnlyHost && occurredAt >= Date.parse(version.served_from) && occurredAt < until;
}

const NOT_FETCHED = { checkedAt: null, fault: null, contents: null };

function describeVersion(found: VersionText | null, { host, agents, licenses, visits }: VersionSources) {
  const text = found?.text ?? null;
  const urls = new Set(
    parseRobotsSignals(Buffer.from(text ?? ''), Infinity).flatMap(({ kind, url }) =>
      kind === 'license' && url !== null ? [url] : [],
    ),
  );
  const linked = [...urls]
    .slice(0, MAX_PERMISSION_STATEMENTS)
    .map((url) => licenses.find((license) => license.url === url) ?? { ...NOT_FETCHED, url });
  const status = found?.version.status;
  const matrix = createMatrix({
    host,
    robots: found && { text, isUnreachable: text === null && (status == null || status >= 500) },
    licenses: linked.flatMap(({ url, contents }) => (contents === null ? [] : { url, contents })),
    agents,
    visits,
  });
  return {
    version: found?.version ?? null,
    visits: visits.length,
    purposes: describePurposes(matrix),
    contradictions: describeContradictions(matrix),
    licenses: linked.map(({ url, checkedAt, fault }) => ({ url, checked_at: checkedAt?.toISOString() ?? null, fault })),
  };
}

const describePurposes = ({ rows }: PermissionMatrix): PermissionMatrixItem['purposes'] =>
  rows.map(({ cells, ...row }) => ({
    ...row,
    cells: cells.map(({ statements, ...cell }) => ({ ...cell, statements: describeStatements(statements) })),
  }));

const describeContradictions = ({ contradictions }: PermissionMatrix): PermissionMatrixItem['contradictions'] =>
  contradictions.map(({ purpose, mechanism, permissions, restrictions, agents, visits }) => ({
    purpose,
    mechanism,
    permissions: describeStatements(permissions),
    restrictions: describeStatements(restrictions),
    agents: agents.slice(0, MAX_PERMISSION_AGENTS),
    visits: visits.length,
    examples: (visits as SampledVisit[]).slice(0, MAX_PERMISSION_EXAMPLES).map((visit) => ({
      id: visit.id,
      occurred_at: new Date(visit.occurredAt).toISOString(),
      agent_token: visit.agentToken,
      path: visit.path,
      status: visit.status,
    })),
  }));

const describeStatements = (statements: readonly Statement[]): PermissionStatement[] =>
  statements
    .slice(0, MAX_PERMISSION_STATEMENTS)
    .map(({ mechanism, outcome, audience, text, line }) => ({ mechanism, outcome, user_agent: audience, text, line }));
