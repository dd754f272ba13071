import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import pLimit from 'p-limit';
import type { AddressListsApi } from '#libs/catalog';
import { fetchAddressList, normalizeListUrl, type AddressListOutcome, type GuardedFetch } from '#libs/evidence';
import { CLOCK, LOGGER, PeriodicTask, ProblemError, type Clock, type Logger } from '#libs/platform';
import { Gauge } from 'prom-client';
import { CATALOG_SETTINGS, type CatalogSettings } from '../catalog-settings.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { AddressListsRepository, type DueList } from './address-lists.repository.js';

/** Injection token for the {@link GuardedFetch} that fetches address lists and feeds. */
export const LIST_FETCH = Symbol('list fetch');

/** Delays the first check to keep startup fast. */
const INITIAL_DELAY_MS = 3_000;
const POLL_INTERVAL_MS = 60_000;
const MAX_CONCURRENT_FETCHES = 4;
/** Time after which claimed lists are due again, in case this process dies before fetching them. */
const CLAIM_SECONDS = 600;
const RETRY_SECONDS = 3_600;
const HOUR_SECONDS = 3_600;

const faultGauge = new Gauge({
  name: 'agent_traffic_address_list_fault',
  help: "1 if the list's last fetch failed or was implausible",
  labelNames: ['url'],
});

@Injectable()
export class AddressListsService implements AddressListsApi, OnModuleInit, OnApplicationShutdown {
  private readonly poller = new PeriodicTask(
    () => this.refresh(),
    POLL_INTERVAL_MS,
    (error) => this.logFailure(error),
  );
  private inFlight = Promise.resolve();
  private isClosed = false;
  private syncedLists = '';
  private readonly limit = pLimit(MAX_CONCURRENT_FETCHES);

  constructor(
    private readonly lists: AddressListsRepository,
    private readonly catalog: CatalogService,
    @Inject(LIST_FETCH) private readonly fetch: GuardedFetch,
    @Inject(CATALOG_SETTINGS)
    private readonly settings: Pick<CatalogSettings, 'IP_LISTS_REFRESH_HOURS' | 'pinnedLists'>,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.poller.start(INITIAL_DELAY_MS);
  }

  /**
   * Doesn't wait for in-flight fetches, because they could take longer than the shutdown timeout. Their lists soon
   * become due again.
   */
  onApplicationShutdown(): void {
    this.isClosed = true;
    void this.poller.stop();
  }

  /** Fetches due lists, after any fetches already in flight. Resolves once this process uses the new ranges. */
  refresh(): Promise<void> {
    this.inFlight = this.inFlight.catch(() => undefined).then(() => this.refreshDue());
    return this.inFlight;
  }

  /** Fetches all lists again in the background. */
  async refreshAll(): Promise<void> {
    if (this.settings.IP_LISTS_REFRESH_HOURS === 0) {
      throw new ProblemError('conflict', "IP_LISTS_REFRESH_HOURS is 0, so this instance doesn't fetch address lists.");
    }
    await this.lists.makeAllDue();
    this.scheduleRefresh();
  }

  scheduleRefresh(): void {
    this.refresh().catch((error: unknown) => this.logFailure(error));
  }

  private logFailure(error: unknown): void {
    if (!this.isClosed) this.logger.warn({ err: error }, 'failed to refresh address lists');
  }

  private async refreshDue(): Promise<void> {
    if (this.isClosed) return;
    // Load agents that other replicas have just added, because `syncLists` would delete their lists otherwise.
    await this.catalog.reload();
    const refreshableUrls = await this.syncLists();
    const counts = { changed: 0, unchanged: 0, failed: 0 };
    for (;;) {
      const due = this.isClosed
        ? []
        : await this.lists.claimDue(MAX_CONCURRENT_FETCHES * 4, CLAIM_SECONDS, refreshableUrls);
      if (due.length === 0) break;
      const outcomes = await Promise.all(due.map((list) => this.limit(() => this.refreshOne(list))));
      for (const outcome of outcomes) if (outcome !== null) counts[outcome] += 1;
    }
    if (this.isClosed) return;
    if (counts.changed + counts.unchanged === 0 && counts.failed === 0) return;
    this.logger.info(counts, 'refreshed address lists');
    if (counts.changed + counts.unchanged === 0) return;
    await this.lists.incrementRevision();
    await this.catalog.reload();
  }

  /** Syncs the stored lists with the catalog. Returns the URLs of the lists to refresh, or null for all. */
  private async syncLists(): Promise<string[] | null> {
    const { agents, proxies } = this.catalog.source;
    const formats = new Map<string, string>();
    for (const { url, format } of agents.flatMap(({ verification }) => verification.ip_list_urls ?? [])) {
      if (!formats.has(url)) formats.set(url, format);
    }
    for (const { list_urls: urls, format } of proxies) for (const url of urls) formats.set(url, format);
    for (const { url, format } of this.catalog.dataCenterLists) if (!formats.has(url)) formats.set(url, format);
    const currentLists = [...formats].map(([url, format]) => ({ url, format }));
    const urls = JSON.stringify(currentLists);
    const pinned = currentLists.map(({ url }) => url).filter((url) => this.getPinnedRanges(url));
    if (urls !== this.syncedLists) await this.lists.replaceAll(currentLists);
    // The settings contain pinned lists and may have changed since the last start, so refresh these lists now instead
    // of hours later.
    if (this.syncedLists === '') await this.lists.makeDue(pinned);
    this.syncedLists = urls;
    // With fetching disabled, only pinned lists are refreshed. Other lists keep their ranges.
    return this.settings.IP_LISTS_REFRESH_HOURS > 0 ? null : pinned;
  }

  /** Fetches a list and stores the outcome. Returns null if the service is shutting down. */
  private async refreshOne(list: DueList): Promise<'changed' | 'unchanged' | 'failed' | null> {
    if (this.isClosed) return null;
    const outcome = await this.fetchList(list);
    if (this.isClosed) return null;
    if (outcome.outcome === 'failed') {
      const { kind, reason } = outcome;
      faultGauge.set({ url: list.url }, 1);
      this.logger.debug({ url: list.url, kind, reason }, 'failed to refresh an address list; keeping its ranges');
      await this.lists.recordFault(list.url, `${kind}: ${reason}`, RETRY_SECONDS);
      return 'failed';
    }
    faultGauge.remove({ url: list.url });
    // Use random intervals to spread out the fetches. Pinned lists are refreshed even if fetching is disabled.
    const nextFetchSeconds = (this.settings.IP_LISTS_REFRESH_HOURS || 24) * HOUR_SECONDS * (0.9 + 0.1 * Math.random());
    const { ranges, etag, lastModified } =
      outcome.outcome === 'changed' ? outcome : { ranges: null, etag: list.etag, lastModified: list.last_modified };
    await this.lists.storeFetched(
      { url: list.url, fetchedAt: new Date(this.now()), ranges, etag, lastModified },
      nextFetchSeconds,
    );
    return outcome.outcome;
  }

  private async fetchList({ url, format, etag, last_modified, ranges }: DueList): Promise<AddressListOutcome> {
    const pinned = this.getPinnedRanges(url);
    if (pinned !== undefined) {
      return { outcome: 'changed', ranges: [...pinned], skipped: 0, etag: null, lastModified: null };
    }
    const request = { url, format, etag, lastModified: last_modified, previous: ranges ?? [] };
    return fetchAddressList(request, this.fetch);
  }

  private getPinnedRanges(url: string): readonly string[] | undefined {
    return this.settings.pinnedLists.get(normalizeListUrl(url) ?? url);
  }
}
