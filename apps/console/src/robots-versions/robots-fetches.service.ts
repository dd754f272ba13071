import { Inject, Injectable } from '@nestjs/common';
import { fetchRobotsTxt, type EgressPolicy, type RobotsAnswer } from '#libs/evidence';
import { CLOCK, LOGGER, PeriodicService, type Clock, type Logger } from '#libs/platform';
import pLimit, { type LimitFunction } from 'p-limit';
import { Counter } from 'prom-client';
import { AccessChanges } from '../access/access-changes.service.js';
import { lookUp, type SitePolicy } from '../connecting/site-request.js';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import { RobotsHostsRepository, type ClaimedHost } from './robots-hosts.repository.js';
import { RobotsVersionsRepository, type ServedRobots } from './robots-versions.repository.js';

const LOOK_INTERVAL_MS = 30_000;
const HOUR_MS = 3_600_000;
const MAX_CONCURRENT_FETCHES = 4;
/**
 * Maximum number of fetches per project, running or queued. Keeps slow hosts of one project from delaying the others.
 */
const MAX_FETCHES_OF_PROJECT = 2;
/** Maximum time for the hosts of a project. A user may be waiting, and other projects may have become due. */
const PROJECT_TIMEOUT_MS = 20_000;
/** Minimum time between fetches of a host when users request them. */
const MIN_INTERVAL_MS = 10_000;
/** Maximum length of an ETag or Last-Modified value. Longer ones are not stored. */
const MAX_VALIDATOR_LENGTH = 1_000;
const MAX_FAULT_LENGTH = 500;

const fetches = new Counter({
  name: 'agent_traffic_console_robots_fetches_total',
  help: 'Fetches of robots.txt',
  labelNames: ['outcome'],
});

/** Fetches the robots.txt of every project's hosts when they are due. Replicas share the work. */
@Injectable()
export class RobotsFetchesService extends PeriodicService {
  private readonly limit = pLimit(MAX_CONCURRENT_FETCHES);
  /** Concurrency limits by project ID, kept while in use. */
  private readonly limits = new Map<string, { limit: LimitFunction; users: number }>();

  constructor(
    private readonly hosts: RobotsHostsRepository,
    private readonly versions: RobotsVersionsRepository,
    private readonly changes: AccessChanges,
    @Inject(CONSOLE_SETTINGS)
    private readonly settings: Pick<ConsoleSettings, 'ROBOTS_REFRESH_HOURS' | 'testVisits'>,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, LOOK_INTERVAL_MS, 'robots.txt is not fetched; it is tried again soon');
  }

  override async onApplicationBootstrap(): Promise<void> {
    if (this.settings.ROBOTS_REFRESH_HOURS > 0) await super.onApplicationBootstrap();
  }

  protected round(): Promise<void> {
    return this.refreshDue();
  }

  async refreshDue(): Promise<void> {
    await this.follow(null);
    while ((await this.fetchDue()) > 0) continue;
  }

  /** Fetches from the hosts of a project, as many as time allows. The others become due. */
  async refreshProject(projectId: string): Promise<void> {
    const notCheckedSince = this.now() - MIN_INTERVAL_MS;
    await this.follow(projectId);
    await this.fetchHosts(projectId, notCheckedSince);
    await this.hosts.makeDue(projectId, notCheckedSince, this.now());
  }

  private async follow(projectId: string | null): Promise<void> {
    await this.hosts.follow(this.now(), projectId);
    if (await this.versions.endUnfollowed(this.now(), projectId)) this.changes.announce();
  }

  private async fetchDue(): Promise<number> {
    const projects = await this.hosts.dueProjects(this.now());
    const counts = await Promise.all(projects.map((projectId) => this.fetchHosts(projectId, null)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /**
   * Fetches from hosts of a project, as many as time allows.
   *
   * @param notCheckedSince Only selects hosts not checked since this time, in milliseconds since the epoch. Null
   *   selects hosts that are due.
   * @returns Number of hosts fetched from.
   */
  private async fetchHosts(projectId: string, notCheckedSince: number | null): Promise<number> {
    const end = performance.now() + PROJECT_TIMEOUT_MS;
    const ofProject = this.limits.get(projectId) ?? { limit: pLimit(MAX_FETCHES_OF_PROJECT), users: 0 };
    this.limits.set(projectId, ofProject);
    ofProject.users += 1;
    let count = 0;
    const fetchNext = async (): Promise<boolean> => {
      if (this.closing.aborted || performance.now() >= end) return false;
      // Claimed only when a fetch can start, because claims expire.
      const host = await this.hosts.claim(projectId, notCheckedSince, this.now());
      if (host === null) return false;
      count += 1;
      // Makes other processes apply the new version.
      if (await this.fetchOne(host)) this.changes.announce();
      return true;
    };
    const fetchAll = async (): Promise<void> => {
      while (await ofProject.limit(() => this.limit(fetchNext))) continue;
    };
    try {
      await Promise.all(Array.from({ length: MAX_FETCHES_OF_PROJECT }, fetchAll));
    } finally {
      ofProject.users -= 1;
      if (ofProject.users === 0) this.limits.delete(projectId);
    }
    return count;
  }

  /** @returns true if the version in force has changed. */
  private async fetchOne(host: ClaimedHost): Promise<boolean> {
    const answer = await this.ask(host);
    // A fetch aborted by our shutdown reveals nothing about the site. The claim expires soon.
    if (this.closing.aborted) return false;
    fetches.inc({ outcome: answer.outcome });
    const checkedAt = this.now();
    // Random, so that hosts do not all become due at once.
    const pause = (this.settings.ROBOTS_REFRESH_HOURS || 1) * HOUR_MS * (0.9 + 0.1 * Math.random());
    return this.versions.settle(host, servedBy(answer), {
      checkedAt,
      nextFetchAt: checkedAt + pause,
      fault: 'reason' in answer ? answer.reason.slice(0, MAX_FAULT_LENGTH) : null,
      known: answer.outcome === 'found' ? { ...answer, ...validators(answer) } : null,
      isConfirmed: ['found', 'unchanged', 'missing'].includes(answer.outcome),
    });
  }

  private async ask({ host, siteAddress, digest, ...known }: ClaimedHost): Promise<RobotsAnswer> {
    const scheme = siteAddress?.toLowerCase().startsWith('http:') ? 'http' : 'https';
    const url = URL.parse(`${scheme}://${host}/robots.txt`);
    if (url === null) {
      return { outcome: 'unknown', url: host, status: null, reason: `${host} is not a host`, fault: null };
    }
    return fetchRobotsTxt(url.href, egressOf(url, this.settings.testVisits), {
      known: digest === null || known.url === null ? null : { ...known, url: known.url },
      keepsPath: this.settings.testVisits.allowPrivateAddresses,
      signal: this.closing,
    });
  }
}

/** Allows the standard ports and the port in the URL, which comes from the project's settings. */
function egressOf(url: URL, { allowPrivateAddresses, lookup = lookUp }: SitePolicy): EgressPolicy {
  return {
    allowPrivateAddresses,
    allowHttp: true,
    allowAddresses: true,
    allowedPorts: allowPrivateAddresses ? 'any' : [80, 443, ...(url.port === '' ? [] : [Number(url.port)])],
    lookup,
  };
}

function servedBy(answer: RobotsAnswer): ServedRobots | 'known' | null {
  switch (answer.outcome) {
    case 'found':
      return answer;
    case 'unchanged':
      return 'known';
    case 'missing':
    case 'unreachable':
      return { status: answer.status, bytes: null };
    case 'unknown':
      return null;
  }
}

/** Returns the headers to store for conditional requests. */
function validators({ etag, lastModified }: { etag: string | null; lastModified: string | null }) {
  const bounded = (text: string | null): string | null =>
    text !== null && text.length <= MAX_VALIDATOR_LENGTH ? text : null;
  return { etag: bounded(etag), lastModified: bounded(lastModified) };
}
