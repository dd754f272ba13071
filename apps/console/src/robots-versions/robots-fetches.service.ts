import { Inject, Injectable } from '@nestjs/common';
import { fetchRobotsTxt, type EgressPolicy, type RobotsResult } from '#libs/evidence';
import { CLOCK, LOGGER, PeriodicService, type Clock, type Logger } from '#libs/platform';
import pLimit, { type LimitFunction } from 'p-limit';
import { Counter } from 'prom-client';
import { AccessChanges } from '../access/access-changes.service.js';
import { lookUpAddresses, type SitePolicy } from '../onboarding/site-request.js';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import { RobotsHostsRepository, type ClaimedHost } from './robots-hosts.repository.js';
import { RobotsVersionsRepository, type ServedRobots } from './robots-versions.repository.js';

const POLL_INTERVAL_MS = 30_000;
const HOUR_MS = 3_600_000;
const MAX_CONCURRENT_FETCHES = 4;
/**
 * Maximum number of fetches per project, running or queued. Prevents one project's slow hosts from delaying other
 * projects.
 */
const MAX_FETCHES_PER_PROJECT = 2;
/** Maximum time to spend on a project's hosts. A user may be waiting, and other projects may be due. */
const PROJECT_TIMEOUT_MS = 20_000;
/** Minimum time between user-requested fetches from the same host. */
const MIN_INTERVAL_MS = 10_000;
/** Maximum length of an ETag or Last-Modified value. Longer values aren't stored. */
const MAX_VALIDATOR_LENGTH = 1_000;
const MAX_FAULT_LENGTH = 500;

const fetchCounter = new Counter({
  name: 'agent_traffic_console_robots_fetches_total',
  help: 'robots.txt fetches by outcome',
  labelNames: ['outcome'],
});

/** Fetches robots.txt from every project's hosts when they are due. Replicas share the work. */
@Injectable()
export class RobotsFetchesService extends PeriodicService {
  private readonly limit = pLimit(MAX_CONCURRENT_FETCHES);
  /** Concurrency limits by project ID. A limit is removed when it's no longer in use. */
  private readonly projectLimits = new Map<string, { limit: LimitFunction; users: number }>();

  constructor(
    private readonly hosts: RobotsHostsRepository,
    private readonly versions: RobotsVersionsRepository,
    private readonly changes: AccessChanges,
    @Inject(CONSOLE_SETTINGS)
    private readonly settings: Pick<ConsoleSettings, 'ROBOTS_REFRESH_HOURS' | 'testVisits'>,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, POLL_INTERVAL_MS, 'failed to fetch robots.txt; retrying soon');
  }

  override async onApplicationBootstrap(): Promise<void> {
    if (this.settings.ROBOTS_REFRESH_HOURS > 0) await super.onApplicationBootstrap();
  }

  protected runRound(): Promise<void> {
    return this.refreshDue();
  }

  async refreshDue(): Promise<void> {
    await this.syncHosts(null);
    while ((await this.fetchDue()) > 0) continue;
  }

  /** Fetches from as many of a project's hosts as time allows, and marks the remaining ones as due. */
  async refreshProject(projectId: string): Promise<void> {
    const notCheckedSince = this.now() - MIN_INTERVAL_MS;
    await this.syncHosts(projectId);
    await this.fetchHosts(projectId, notCheckedSince);
    await this.hosts.makeDue(projectId, notCheckedSince, this.now());
  }

  private async syncHosts(projectId: string | null): Promise<void> {
    await this.hosts.syncHosts(this.now(), projectId);
    if (await this.versions.endRemovedHosts(this.now(), projectId)) this.changes.announce();
  }

  private async fetchDue(): Promise<number> {
    const projects = await this.hosts.findDueProjects(this.now());
    const counts = await Promise.all(projects.map((projectId) => this.fetchHosts(projectId, null)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /**
   * Fetches from as many of a project's hosts as time allows.
   *
   * @param notCheckedSince Selects hosts that haven't been checked since this time, in milliseconds since the epoch.
   *   Null selects hosts that are due.
   * @returns Number of hosts fetched from.
   */
  private async fetchHosts(projectId: string, notCheckedSince: number | null): Promise<number> {
    const deadline = performance.now() + PROJECT_TIMEOUT_MS;
    const projectLimit = this.projectLimits.get(projectId) ?? { limit: pLimit(MAX_FETCHES_PER_PROJECT), users: 0 };
    this.projectLimits.set(projectId, projectLimit);
    projectLimit.users += 1;
    let count = 0;
    const fetchNext = async (): Promise<boolean> => {
      if (this.shutdownSignal.aborted || performance.now() >= deadline) return false;
      // Claim a host only when its fetch can start, because claims expire.
      const host = await this.hosts.claim(projectId, notCheckedSince, this.now());
      if (host === null) return false;
      count += 1;
      // Tell other processes that the host has a new version, so they reload it.
      if (await this.fetchHost(host)) this.changes.announce();
      return true;
    };
    const fetchAll = async (): Promise<void> => {
      while (await projectLimit.limit(() => this.limit(fetchNext))) continue;
    };
    try {
      await Promise.all(Array.from({ length: MAX_FETCHES_PER_PROJECT }, fetchAll));
    } finally {
      projectLimit.users -= 1;
      if (projectLimit.users === 0) this.projectLimits.delete(projectId);
    }
    return count;
  }

  /** Returns whether the active version has changed. */
  private async fetchHost(host: ClaimedHost): Promise<boolean> {
    const response = await this.fetchRobots(host);
    // If the shutdown aborted the fetch, the failure isn't the site's fault. Another process fetches the file when the
    // claim expires.
    if (this.shutdownSignal.aborted) return false;
    fetchCounter.inc({ outcome: response.outcome });
    const checkedAt = this.now();
    // Randomized, so hosts don't all become due at once.
    const delayMs = (this.settings.ROBOTS_REFRESH_HOURS || 1) * HOUR_MS * (0.9 + 0.1 * Math.random());
    return this.versions.saveFetch(host, toServedRobots(response), {
      checkedAt,
      nextFetchAt: checkedAt + delayMs,
      fault: 'reason' in response ? response.reason.slice(0, MAX_FAULT_LENGTH) : null,
      known: response.outcome === 'found' ? { ...response, ...toStoredValidators(response) } : null,
      isConfirmed: ['found', 'unchanged', 'missing'].includes(response.outcome),
    });
  }

  private async fetchRobots({ host, siteAddress, digest, ...knownFile }: ClaimedHost): Promise<RobotsResult> {
    const scheme = siteAddress?.toLowerCase().startsWith('http:') ? 'http' : 'https';
    const url = URL.parse(`${scheme}://${host}/robots.txt`);
    if (url === null) {
      return { outcome: 'unknown', url: host, status: null, reason: `${host} is not a valid host`, fault: null };
    }
    return fetchRobotsTxt(url.href, createEgressPolicy(url, this.settings.testVisits), {
      known: digest === null || knownFile.url === null ? null : { ...knownFile, url: knownFile.url },
      keepsPath: this.settings.testVisits.allowPrivateAddresses,
      signal: this.shutdownSignal,
    });
  }
}

/** Allows the standard ports and the port in the URL, which comes from the project's settings. */
export function createEgressPolicy(
  url: URL,
  { allowPrivateAddresses, lookup = lookUpAddresses }: SitePolicy,
): EgressPolicy {
  return {
    allowPrivateAddresses,
    allowHttp: true,
    allowAddresses: true,
    allowedPorts: allowPrivateAddresses ? 'any' : [80, 443, ...(url.port === '' ? [] : [Number(url.port)])],
    lookup,
  };
}

function toServedRobots(response: RobotsResult): ServedRobots | 'known' | null {
  switch (response.outcome) {
    case 'found':
      return response;
    case 'unchanged':
      return 'known';
    case 'missing':
    case 'unreachable':
      return { status: response.status, bytes: null };
    case 'unknown':
      return null;
  }
}

/** Returns the headers to store for conditional requests. */
function toStoredValidators({ etag, lastModified }: { etag: string | null; lastModified: string | null }) {
  const omitIfTooLong = (text: string | null): string | null =>
    text !== null && text.length <= MAX_VALIDATOR_LENGTH ? text : null;
  return { etag: omitIfTooLong(etag), lastModified: omitIfTooLong(lastModified) };
}
