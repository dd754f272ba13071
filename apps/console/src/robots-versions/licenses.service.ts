import { Inject, Injectable } from '@nestjs/common';
import { fetchLicense } from '#libs/evidence';
import { MAX_LICENSE_BYTES, parseLicense } from '#libs/permissions';
import { CLOCK, LOGGER, PeriodicService, type Clock, type Logger } from '#libs/platform';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import { LicensesRepository, type ClaimedLicense, type FetchedLicense } from './licenses.repository.js';
import { createEgressPolicy } from './robots-fetches.service.js';

const POLL_INTERVAL_MS = 5 * 60_000;
const REFRESH_INTERVAL_MS = 24 * 3_600_000;
/** Maximum time for a project's licenses if a user is waiting. */
const REQUEST_TIMEOUT_MS = 20_000;
/** Minimum time between user-requested fetches. */
const MIN_INTERVAL_MS = 10_000;
const MAX_FAULT_LENGTH = 500;

/** Fetches the RSL licenses that robots.txt files link to. Replicas share the work. */
@Injectable()
export class LicensesService extends PeriodicService {
  /** Revisions of robots.txt by project ID whose licenses are stored. */
  private syncedRevisions: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly licenses: LicensesRepository,
    @Inject(CONSOLE_SETTINGS)
    private readonly settings: Pick<ConsoleSettings, 'ROBOTS_REFRESH_HOURS' | 'testVisits'>,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, POLL_INTERVAL_MS, 'failed to fetch licenses; retrying soon');
  }

  override async onApplicationBootstrap(): Promise<void> {
    if (this.settings.ROBOTS_REFRESH_HOURS > 0) await super.onApplicationBootstrap();
  }

  protected async runRound(): Promise<void> {
    await this.syncChanged();
    while (!this.isStopped && (await this.fetchNext(null, this.shutdownSignal))) continue;
  }

  private async syncChanged(): Promise<void> {
    const revisions = await this.licenses.findRevisions();
    const changed = [...revisions].filter(([id, revision]) => this.syncedRevisions.get(id) !== revision);
    const ids = changed.map(([id]) => id);
    if (ids.length > 0) await this.licenses.sync(this.now(), ids);
    this.syncedRevisions = revisions;
  }

  /** Fetches a project's licenses as far as time allows. */
  async refreshProject(projectId: string): Promise<void> {
    await this.licenses.sync(this.now(), [projectId]);
    const deadline = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const signal = AbortSignal.any([deadline, this.shutdownSignal]);
    while (!signal.aborted && (await this.fetchNext(projectId, signal))) continue;
  }

  /** @returns false if no license was fetched. */
  private async fetchNext(projectId: string | null, signal: AbortSignal): Promise<boolean> {
    const license = await this.licenses.claim(projectId, this.now() - MIN_INTERVAL_MS, this.now());
    if (license === null) return false;
    const save = (fetched: FetchedLicense): Promise<void> => {
      const delayMs = REFRESH_INTERVAL_MS * (0.9 + 0.1 * Math.random());
      return this.licenses.save(license, fetched, this.now(), this.now() + delayMs);
    };
    try {
      const fetched = await this.fetch(license, signal);
      // Another process fetches the license when the claim expires.
      if (this.shutdownSignal.aborted) return false;
      await save(fetched);
    } catch (error) {
      if (this.shutdownSignal.aborted) throw error;
      this.logger.error({ err: error, url: license.url }, 'failed to process a license');
      // Otherwise, the license would stay due, and no other license would be fetched.
      await save({ fault: "couldn't be processed", contents: undefined });
    }
    return true;
  }

  private async fetch({ url: text, hosts }: ClaimedLicense, signal: AbortSignal): Promise<FetchedLicense> {
    const url = URL.parse(text);
    if (url === null) return { fault: 'is not a valid URL', contents: null };
    const { testVisits } = this.settings;
    const isOnSite = hosts.includes(url.host);
    // Otherwise, people could choose the pages that are requested on private networks.
    if (testVisits.allowPrivateAddresses && !isOnSite) {
      return { fault: "is not on the project's hosts, which is required on private networks", contents: null };
    }
    const policy = createEgressPolicy(url, testVisits);
    const response = await fetchLicense(
      url.href,
      isOnSite ? policy : { ...policy, allowAddresses: false, allowedPorts: [80, 443] },
      {
        maxBytes: MAX_LICENSE_BYTES,
        isAllowed: (next) =>
          !testVisits.allowPrivateAddresses || (next.host === url.host && next.pathname === url.pathname),
        signal,
      },
    );
    if (!Buffer.isBuffer(response)) {
      const fault = response.message.slice(0, MAX_FAULT_LENGTH);
      return { fault, contents: response.isTemporary ? undefined : null };
    }
    const { fault, contents } = parseLicense(response);
    return { fault, contents: fault === null ? contents : null };
  }
}
