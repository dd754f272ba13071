import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { classifyAuthority, normalizeHeaders } from '#libs/agents';
import { TransientError } from '#libs/bus';
import { LookupCache } from '#libs/cache';
import { CurrentCatalog } from '#libs/catalog';
import type { RobotsJudgment, Visit } from '#libs/contracts';
import { WorkSlices } from '#libs/platform';
import { ANY_AGENT } from '#libs/robots';
import { LRUCache } from 'lru-cache';
import type { ProjectSettings } from './project-settings.repository.js';
import { RobotsRules } from './robots-rules.js';
import { RobotsVersionsRepository, type StoredRobotsVersion } from './robots-versions.repository.js';

export interface RobotsRequest {
  projectId: string;
  project: Pick<ProjectSettings, 'siteHosts' | 'robotsRevision'>;
  agentId: string;
  visit: Pick<Visit, 'request_headers' | 'request_path'>;
  /** Time of the request, in milliseconds since the epoch. */
  at: number;
}

/** Limits parsing within one call. */
interface Parsing {
  /** Length per project after which no more of its files are parsed, in characters. */
  maxLength: number;
  /** Total length of parsed files by project ID, in characters. */
  lengths: Map<string, number>;
}

type VersionsByHost = ReadonlyMap<string, readonly StoredRobotsVersion[]>;

const DAY_MS = 86_400_000;
const MAX_PROJECTS = 2_000;
/** Maximum total size of cached files in memory. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

const UNKNOWN_JUDGMENT: RobotsJudgment = { verdict: 'unknown', version: null, line: null };
const PORT = /:\d{1,5}$/;

/**
 * Judges requests by agents against the robots.txt version active at the time. Versions are cached by the revision in
 * the project's settings, so a change takes effect when the settings are reloaded.
 */
@Injectable()
export class RobotsService implements OnApplicationShutdown {
  /** Versions by project and revision. Entries never change. */
  private readonly timelines: LookupCache<VersionsByHost>;
  /** Current `timelines` key for each project. */
  private readonly revisions = new LRUCache<string, string>({ max: MAX_PROJECTS });
  private readonly files = new LRUCache<string, RobotsRules>({ maxSize: MAX_CACHED_BYTES });

  constructor(
    private readonly versions: RobotsVersionsRepository,
    private readonly catalog: CurrentCatalog,
  ) {
    this.timelines = new LookupCache({
      load: (keys) => this.loadTimelines(keys),
      maxEntries: MAX_PROJECTS,
      refreshIntervalMs: DAY_MS,
      maxStaleMs: Infinity,
    });
  }

  /**
   * Judges requests and returns the results in the same order. Pauses regularly so other requests can run.
   *
   * @param maxParsedLength Total length of each project's files, in characters, after which no more of them are parsed.
   *   Requests that need another file get the verdict `unknown`, unless that file is cached.
   * @throws {TransientError} if the versions can't be loaded.
   */
  async judgeAll(requests: readonly RobotsRequest[], maxParsedLength = Infinity): Promise<RobotsJudgment[]> {
    const timelines = await this.getTimelines(requests);
    // Fast path for projects without robots.txt versions.
    if (timelines.size === 0)
      return requests.map(({ visit }) => judgePath(null, undefined, ANY_AGENT, visit.request_path));
    const versions = requests.map((request) => findVersion(request, timelines.get(request.project)));
    const { byId } = this.catalog.current;
    const judgments: RobotsJudgment[] = [];
    const slices = new WorkSlices();
    const parsing: Parsing = { maxLength: maxParsedLength, lengths: new Map() };
    // Judge the visits of one file at a time, because a batch's files might not all fit in memory.
    for (const [digest, indexes] of Map.groupBy(versions.keys(), (index) => versions[index]?.digest ?? null)) {
      const projectIds = indexes.map((index) => requests[index]!.projectId);
      const file = digest === null ? undefined : await this.getFile(digest, projectIds, parsing);
      for (const index of indexes) {
        if (slices.isSliceOver) await slices.yieldToEventLoop();
        const { agentId, visit } = requests[index]!;
        const token = byId.get(agentId)?.robots_token ?? ANY_AGENT;
        judgments[index] = judgePath(versions[index]!, file, token, visit.request_path);
      }
    }
    return judgments;
  }

  onApplicationShutdown(): void {
    this.timelines.close();
  }

  private async getTimelines(requests: readonly RobotsRequest[]): Promise<Map<object, VersionsByHost>> {
    const timelines = new Map<object, VersionsByHost>();
    for (const { projectId, project } of requests) {
      if (project.robotsRevision === null || timelines.has(project)) continue;
      const key = `${projectId}:${project.robotsRevision}`;
      const timeline = this.timelines.getCached(key) ?? (await rethrowAsTransient(this.timelines.get(key)));
      if (timeline !== undefined) timelines.set(project, timeline);
      const previousKey = this.revisions.get(projectId);
      if (previousKey === key) continue;
      if (previousKey !== undefined) this.timelines.delete(previousKey);
      this.revisions.set(projectId, key);
    }
    return timelines;
  }

  /** Returns undefined if the file isn't stored, or if it isn't cached and all projects have reached the limit. */
  private async getFile(
    digest: string,
    projectIds: readonly string[],
    { maxLength, lengths }: Parsing,
  ): Promise<RobotsRules | undefined> {
    const cached = this.files.get(digest);
    if (cached !== undefined) return cached;
    // Projects can have the same file. One that has reached its limit must not affect the others.
    const projectId = projectIds.find((id) => (lengths.get(id) ?? 0) < maxLength);
    if (projectId === undefined) return undefined;
    const text = await rethrowAsTransient(this.versions.text(digest));
    if (text === undefined) return undefined;
    lengths.set(projectId, (lengths.get(projectId) ?? 0) + text.length);
    const file = new RobotsRules(text);
    this.files.set(digest, file, { size: file.bytes });
    return file;
  }

  private async loadTimelines(keys: string[]): Promise<Map<string, VersionsByHost>> {
    const versions = await this.versions.ofProjects(keys.map((key) => key.split(':', 1)[0]!));
    return new Map(
      keys.map((key) => [key, Map.groupBy(versions.get(key.split(':', 1)[0]!) ?? [], ({ host }) => host)]),
    );
  }
}

async function rethrowAsTransient<T>(read: Promise<T>): Promise<T> {
  return read.catch((error: unknown) => {
    throw new TransientError('cannot load robots.txt versions', { cause: error });
  });
}

/** Returns the version that the visit's host served at the time of the visit, or null if it is unknown. */
function findVersion({ project, visit, at }: RobotsRequest, byHost?: VersionsByHost): StoredRobotsVersion | null {
  if (byHost === undefined || byHost.size === 0) return null;
  const { siteHosts: hosts } = project;
  const authority = getAuthority(visit.request_headers);
  const isSiteHost = authority !== null && classifyAuthority(authority, hosts) !== 'internal';
  const host = isSiteHost ? authority : hosts[0];
  if (host === undefined) return null;
  const versions = byHost.get(host) ?? byHost.get(host.replace(PORT, '').replace(/\.$/, ''));
  // Search from the end, because most visits are recent.
  const version = versions?.findLast(({ from }) => from <= at);
  return version !== undefined && at < version.until ? version : null;
}

/** Returns the requested host in lowercase, or null if the site didn't report it. */
function getAuthority(headers: Record<string, unknown>): string | null {
  const found: Record<string, unknown> = {};
  for (const name of Object.keys(headers)) {
    if (name.length !== 4 && name.length !== 10) continue;
    const lower = name.toLowerCase();
    if (lower === 'host' || lower === ':authority') found[name] = headers[name];
  }
  const { ':authority': authority, host } = normalizeHeaders(found);
  return (authority ?? host)?.toLowerCase() || null;
}

/** Judges a path according to RFC 9309. */
function judgePath(
  version: StoredRobotsVersion | null,
  file: RobotsRules | undefined,
  token: string,
  path: string,
): RobotsJudgment {
  const id = version?.id ?? null;
  // Agents are always allowed to fetch robots.txt, regardless of its rules.
  if (path === '/robots.txt') return { verdict: 'allowed', version: id, line: null };
  if (version === null) return UNKNOWN_JUDGMENT;
  if (version.digest === null) {
    const isUnreachable = version.status === null || version.status >= 500;
    return { verdict: isUnreachable ? 'unreachable' : 'no_rules', version: id, line: null };
  }
  // Rules apply to paths only, so full URLs can't be judged.
  const judgment = path.startsWith('/') || path === '' ? file?.judge(token, path || '/') : null;
  return { ...(judgment ?? { verdict: 'unknown', line: null }), version: id };
}
