import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import pLimit from 'p-limit';
import { fetchAddressList, listUrl, type AddressListOutcome, type GuardedFetch } from '#libs/evidence';
import { CLOCK, LOGGER, PeriodicTask, type Clock, type Logger } from '#libs/platform';
import { Gauge } from 'prom-client';
import { CATALOG_SETTINGS, type CatalogSettings } from '../catalog-settings.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { AddressListsRepository, type DueList } from './address-lists.repository.js';

/** Injection token of the {@link GuardedFetch} for address lists and feeds. */
export const LIST_FETCH = Symbol('list fetch');

/** Delays the first check to keep startup fast. */
const FIRST_LOOK_DELAY_MS = 3_000;
const LOOK_INTERVAL_MS = 60_000;
const MAX_CONCURRENT_FETCHES = 4;
/** Seconds after which claimed lists are due again if this process dies. */
const CLAIM_SECONDS = 600;
const RETRY_SECONDS = 3_600;
const HOUR_SECONDS = 3_600;

const faulty = new Gauge({
  name: 'agent_traffic_address_list_fault',
  help: '1 while the last fetch of a list failed or was implausible',
  labelNames: ['url'],
});

@Injectable()
export class AddressListsService implements OnModuleInit, OnApplicationShutdown {
  private readonly watch = new PeriodicTask(
    () => this.refresh(),
    LOOK_INTERVAL_MS,
    (error) => this.warn(error),
  );
  private underWay = Promise.resolve();
  private isClosed = false;
  private knownUrls = '';
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
    this.watch.start(FIRST_LOOK_DELAY_MS);
  }

  /** Doesn't wait for fetches in flight, which may exceed the shutdown timeout. Their lists are due again soon. */
  onApplicationShutdown(): void {
    this.isClosed = true;
    void this.watch.stop();
  }

  /** Fetches due lists, after any fetches in flight. Resolves once this process uses them. */
  refresh(): Promise<void> {
    this.underWay = this.underWay.catch(() => undefined).then(() => this.refreshDue());
    return this.underWay;
  }

  refreshSoon(): void {
    this.refresh().catch((error: unknown) => this.warn(error));
  }

  private warn(error: unknown): void {
    if (!this.isClosed) this.logger.warn({ err: error }, 'address lists are not refreshed');
  }

  private async refreshDue(): Promise<void> {
    if (this.isClosed) return;
    // Otherwise, lists of agents that another replica has added would be deleted.
    await this.catalog.reload();
    const among = await this.keepKnown();
    const counts = { changed: 0, unchanged: 0, failed: 0 };
    for (;;) {
      const due = this.isClosed ? [] : await this.lists.takeDue(MAX_CONCURRENT_FETCHES * 4, CLAIM_SECONDS, among);
      if (due.length === 0) break;
      const outcomes = await Promise.all(due.map((list) => this.limit(() => this.refreshOne(list))));
      for (const outcome of outcomes) if (outcome !== null) counts[outcome] += 1;
    }
    if (this.isClosed) return;
    if (counts.changed + counts.unchanged === 0 && counts.failed === 0) return;
    this.logger.info(counts, 'address lists refreshed');
    if (counts.changed + counts.unchanged === 0) return;
    await this.lists.announce();
    await this.catalog.reload();
  }

  /** Stores the set of lists in the catalog. @returns URLs of the lists that can be refreshed. Null: all. */
  private async keepKnown(): Promise<string[] | null> {
    const { agents, proxies } = this.catalog.source;
    const formats = new Map<string, string>();
    for (const { url, format } of agents.flatMap(({ verification }) => verification.ip_list_urls ?? [])) {
      if (!formats.has(url)) formats.set(url, format);
    }
    for (const { list_urls: urls, format } of proxies) for (const url of urls) formats.set(url, format);
    for (const { url, format } of this.catalog.dataCenterLists) if (!formats.has(url)) formats.set(url, format);
    const known = [...formats].map(([url, format]) => ({ url, format }));
    const urls = JSON.stringify(known);
    const pinned = known.map(({ url }) => url).filter((url) => this.pinned(url));
    if (urls !== this.knownUrls) await this.lists.keepOnly(known);
    // Pinned lists may have changed since the last start. Refreshes them now rather than in a few hours.
    if (this.knownUrls === '') await this.lists.makeDue(pinned);
    this.knownUrls = urls;
    // With fetching disabled, only pinned lists are refreshed. The others keep their ranges.
    return this.settings.IP_LISTS_REFRESH_HOURS > 0 ? null : pinned;
  }

  /** Fetches a list, and stores its ranges or the fault. @returns null if the service is shutting down. */
  private async refreshOne(list: DueList): Promise<'changed' | 'unchanged' | 'failed' | null> {
    if (this.isClosed) return null;
    const outcome = await this.outcomeOf(list);
    if (this.isClosed) return null;
    if (outcome.outcome === 'failed') {
      const { kind, reason } = outcome;
      faulty.set({ url: list.url }, 1);
      this.logger.debug({ url: list.url, kind, reason }, 'an address list stays as it was');
      await this.lists.keepFault(list.url, `${kind}: ${reason}`, RETRY_SECONDS);
      return 'failed';
    }
    faulty.remove({ url: list.url });
    // Random intervals spread out the fetches. Pinned lists are refreshed even if fetching is disabled.
    const next = (this.settings.IP_LISTS_REFRESH_HOURS || 24) * HOUR_SECONDS * (0.9 + 0.1 * Math.random());
    const { ranges, etag, lastModified } =
      outcome.outcome === 'changed' ? outcome : { ranges: null, etag: list.etag, lastModified: list.last_modified };
    await this.lists.keep({ url: list.url, fetchedAt: new Date(this.now()), ranges, etag, lastModified }, next);
    return outcome.outcome;
  }

  private async outcomeOf({ url, format, etag, last_modified, ranges }: DueList): Promise<AddressListOutcome> {
    const pinned = this.pinned(url);
    if (pinned !== undefined) {
      return { outcome: 'changed', ranges: [...pinned], skipped: 0, etag: null, lastModified: null };
    }
    const request = { url, format, etag, lastModified: last_modified, previous: ranges ?? [] };
    return fetchAddressList(request, this.fetch);
  }

  private pinned(url: string): readonly string[] | undefined {
    return this.settings.pinnedLists.get(listUrl(url) ?? url);
  }
}
