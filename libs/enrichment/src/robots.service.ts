import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { authorityStanding, normalizeHeaders } from '#libs/agents';
import { TransientError } from '#libs/bus';
import { LookupCache } from '#libs/cache';
import { CurrentCatalog } from '#libs/catalog';
import type { RobotsJudgment, Visit } from '#libs/contracts';
import { ANYBODY } from '#libs/robots';
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

type VersionsByHost = ReadonlyMap<string, readonly StoredRobotsVersion[]>;

const DAY_MS = 86_400_000;
const MAX_PROJECTS = 2_000;
/** Maximum size of all cached files in characters. A parsed file uses about ten times as many bytes. */
const MAX_TEXT_LENGTH = 8_000_000;

const UNKNOWN: RobotsJudgment = { verdict: 'unknown', version: null, line: null };
const PORT = /:\d{1,5}$/;

/**
 * Judges requests of agents by the robots.txt version that was in force. Versions are cached by the project's revision,
 * which is part of its settings. A change takes effect when the settings are reloaded.
 */
@Injectable()
export class RobotsService implements OnApplicationShutdown {
  /** Versions by project and revision. An entry never changes. */
  private readonly timelines: LookupCache<VersionsByHost>;
  /** Current key in `timelines`, by project. */
  private readonly revisions = new LRUCache<string, string>({ max: MAX_PROJECTS });
  private readonly files = new LRUCache<string, RobotsRules>({ maxSize: MAX_TEXT_LENGTH });

  constructor(
    private readonly versions: RobotsVersionsRepository,
    private readonly catalog: CurrentCatalog,
  ) {
    this.timelines = new LookupCache({
      load: (keys) => this.loadTimelines(keys),
      max: MAX_PROJECTS,
      refreshIntervalMs: DAY_MS,
      holdForMs: Infinity,
    });
  }

  /**
   * Judges requests and returns the results in the same order.
   *
   * @throws TransientError if versions can't be read.
   */
  async judgeAll(requests: readonly RobotsRequest[]): Promise<RobotsJudgment[]> {
    const timelines = await this.timelinesOf(requests);
    // Fast path for projects without any robots.txt version.
    if (timelines.size === 0) return requests.map(({ visit }) => judge(null, undefined, ANYBODY, visit.request_path));
    const found = requests.map((request) => versionOf(request, timelines.get(request.project)));
    const files = await this.filesOf(found);
    const { byId } = this.catalog.current;
    return requests.map(({ agentId, visit }, index) => {
      const version = found[index]!;
      const token = byId.get(agentId)?.robots_token ?? ANYBODY;
      return judge(version, version?.digest ? files.get(version.digest) : undefined, token, visit.request_path);
    });
  }

  onApplicationShutdown(): void {
    this.timelines.close();
  }

  private async timelinesOf(requests: readonly RobotsRequest[]): Promise<Map<object, VersionsByHost>> {
    const timelines = new Map<object, VersionsByHost>();
    for (const { projectId, project } of requests) {
      if (project.robotsRevision === null || timelines.has(project)) continue;
      const key = `${projectId}:${project.robotsRevision}`;
      const timeline = this.timelines.getCached(key) ?? (await reading(this.timelines.get(key)));
      if (timeline !== undefined) timelines.set(project, timeline);
      const former = this.revisions.get(projectId);
      if (former === key) continue;
      if (former !== undefined) this.timelines.forget(former);
      this.revisions.set(projectId, key);
    }
    return timelines;
  }

  private async filesOf(versions: readonly (StoredRobotsVersion | null)[]): Promise<Map<string, RobotsRules>> {
    // A separate map, because a batch may need more files than the cache holds.
    const files = new Map<string, RobotsRules>();
    const missing = new Set<string>();
    for (const version of versions) {
      const digest = version?.digest ?? null;
      if (digest === null || files.has(digest)) continue;
      const file = this.files.get(digest);
      if (file === undefined) missing.add(digest);
      else files.set(digest, file);
    }
    if (missing.size === 0) return files;
    for (const [digest, text] of await reading(this.versions.texts([...missing]))) {
      const file = new RobotsRules(digest, text);
      files.set(digest, file);
      this.files.set(digest, file, { size: text.length + 1 });
    }
    return files;
  }

  private async loadTimelines(keys: string[]): Promise<Map<string, VersionsByHost>> {
    const versions = await this.versions.ofProjects(keys.map((key) => key.split(':', 1)[0]!));
    return new Map(
      keys.map((key) => [key, Map.groupBy(versions.get(key.split(':', 1)[0]!) ?? [], ({ host }) => host)]),
    );
  }
}

async function reading<T>(read: Promise<T>): Promise<T> {
  return read.catch((error: unknown) => {
    throw new TransientError('versions of robots.txt cannot be read', { cause: error });
  });
}

/** Returns the version that the visit's host served at the time of the visit. Null if unknown. */
function versionOf({ project, visit, at }: RobotsRequest, byHost?: VersionsByHost): StoredRobotsVersion | null {
  if (byHost === undefined || byHost.size === 0) return null;
  const { siteHosts: hosts } = project;
  const authority = authorityOf(visit.request_headers);
  const isNamed = authority !== null && authorityStanding(authority, hosts) !== 'internal';
  const host = isNamed ? authority : hosts[0];
  if (host === undefined) return null;
  const versions = byHost.get(host) ?? byHost.get(host.replace(PORT, '').replace(/\.$/, ''));
  // Searched from the end, because most visits are recent.
  const version = versions?.findLast(({ from }) => from <= at);
  return version !== undefined && at < version.until ? version : null;
}

/** Returns the requested host in lowercase. Null if the site didn't report it. */
function authorityOf(headers: Record<string, unknown>): string | null {
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
function judge(
  version: StoredRobotsVersion | null,
  file: RobotsRules | undefined,
  token: string,
  path: string,
): RobotsJudgment {
  const id = version?.id ?? null;
  // Agents may always fetch robots.txt, even if its rules disallow it.
  if (path === '/robots.txt') return { verdict: 'allowed', version: id, line: null };
  if (version === null) return UNKNOWN;
  if (version.digest === null) {
    const isUnreachable = version.status === null || version.status >= 500;
    return { verdict: isUnreachable ? 'unreachable' : 'no_rules', version: id, line: null };
  }
  // Only paths can be judged, not full URLs.
  const judged = path.startsWith('/') || path === '' ? file?.judge(token, path || '/') : null;
  return { ...(judged ?? { verdict: 'unknown', line: null }), version: id };
}
