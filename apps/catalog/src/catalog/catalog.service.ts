import { hash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { formatCidr, mergeBlocks, parseCidr } from '#libs/agents';
import { KeyValueStore, PubSub } from '#libs/cache';
import {
  BUNDLED_PARTS,
  getBundledCatalog,
  createCatalog,
  compileCatalog,
  CurrentCatalog,
  readSnapshot,
  readSnapshotRevision,
  writeSnapshot,
  type Catalog,
  type DataCenterList,
  type ProxyNetwork,
} from '#libs/catalog';
import { CATALOG_CHANNEL, CATALOG_KEYS } from '#libs/contracts';
import { isPublicAddress } from '#libs/evidence';
import { Health, LOGGER, PeriodicTask, type Logger } from '#libs/platform';
import { Gauge } from 'prom-client';
import { CATALOG_SETTINGS, type CatalogSettings } from '../catalog-settings.js';
import { CatalogRepository, type StoredCatalog } from './catalog.repository.js';
import { createTestAgent } from './test-agent.js';

/** How often to check whether another replica has changed the catalog or the published snapshot has been lost. */
const POLL_INTERVAL_MS = 1_000;

const oldestListGauge = new Gauge({
  name: 'agent_traffic_address_list_oldest_fetch_timestamp_seconds',
  help: "Unix time of the oldest address list's last successful fetch; 0 if no list was fetched",
});

/**
 * Compiles the catalog from the database and publishes it to other services.
 *
 * Every replica polls the database, and the first to notice a change publishes it. The catalog with the highest
 * database revision is the newest.
 */
@Injectable()
export class CatalogService extends CurrentCatalog implements OnModuleInit, OnApplicationShutdown {
  private catalog: Catalog | null = null;
  /** 0 until the catalog has been read from the database. */
  private revision = 0;
  private isSeeded = false;
  private readonly poller = new PeriodicTask(
    () => this.poll(),
    POLL_INTERVAL_MS,
    (error) => this.logger.error({ err: error }, 'failed to publish the catalog'),
  );
  private inFlight: Promise<void> = Promise.resolve();
  /** Cached result of merging the data center ranges. `fetched` contains the ranges that were merged, as JSON. */
  private dataCenters: { fetched: string; merged: readonly string[] } = { fetched: '[]', merged: [] };

  constructor(
    private readonly repository: CatalogRepository,
    private readonly store: KeyValueStore,
    private readonly pubSub: PubSub,
    @Inject(CATALOG_SETTINGS)
    private readonly settings: Pick<CatalogSettings, 'PUBLIC_URL' | 'pinnedDirectories' | 'dataCenterLists'>,
    private readonly health: Health,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async onModuleInit(): Promise<void> {
    const describeFault = (): string | null =>
      this.revision === 0 ? 'the database could not be read; an earlier catalog is in use' : null;
    this.health.register('catalog', describeFault, { critical: false });
    await this.poll();
    if (this.revision === 0) await this.usePublishedSnapshot();
    this.poller.start(POLL_INTERVAL_MS);
  }

  onApplicationShutdown(): void {
    void this.poller.stop();
  }

  /** Source data of {@link current}. */
  get source(): Catalog {
    return this.catalog ?? getBundledCatalog();
  }

  get dataCenterLists(): readonly DataCenterList[] {
    return this.settings.dataCenterLists;
  }

  /** Loads pending changes. Resolves once this process uses them and has tried to publish them. */
  reload(): Promise<void> {
    this.inFlight = this.inFlight.catch(() => undefined).then(() => this.loadIfChanged());
    return this.inFlight;
  }

  private async poll(): Promise<void> {
    const isNewest = await this.reload().then(
      () => true,
      (error: unknown) => {
        this.logger.debug({ err: error }, 'failed to reload the catalog; keeping the current one');
        return false;
      },
    );
    // Publish even if nothing has changed, because Redis may have been down the last time or may have lost its data.
    await this.publish(isNewest);
  }

  private async loadIfChanged(): Promise<void> {
    if (!this.isSeeded) await this.seed();
    if ((await this.repository.getRevision()) === this.revision) return;
    const stored = await this.repository.load();
    const fetched = stored.lists.map(({ fetchedAt }) => fetchedAt);
    oldestListGauge.set(fetched.length > 0 ? Math.min(...fetched) / 1_000 : 0);
    const catalog = this.buildCatalog(stored);
    this.swap(compileCatalog(catalog), stored.revision);
    this.catalog = catalog;
    this.revision = stored.revision;
    this.logger.info({ revision: stored.revision, version: catalog.version }, 'compiled a new catalog');
    await this.publish(true);
  }

  private async seed(): Promise<void> {
    const { proxies, assistants } = BUNDLED_PARTS;
    const agents = [...BUNDLED_PARTS.agents, createTestAgent(this.settings.PUBLIC_URL).record];
    // The settings below are part of the compiled catalog, so the revision must increase when they change.
    const settings = [this.settings.pinnedDirectories, this.dataCenterLists.map(({ url }) => url)];
    const version = hash('sha256', JSON.stringify([agents, proxies, assistants, settings])).slice(0, 16);
    await this.repository.storeBundled(version, agents, assistants);
    this.isSeeded = true;
  }

  /** Falls back to the published snapshot while the database is unavailable. */
  private async usePublishedSnapshot(): Promise<void> {
    const snapshot = await readSnapshot(this.store).catch(() => null);
    if (snapshot === null) return;
    this.swap(compileCatalog(snapshot.catalog), snapshot.revision);
    this.catalog = snapshot.catalog;
  }

  private buildCatalog({ agents, assistants, lists, testAgentKeys: keys }: StoredCatalog): Catalog {
    const { directoryUrl: url } = createTestAgent(this.settings.PUBLIC_URL);
    const { pinnedDirectories } = this.settings;
    const agentListUrls = new Set(
      agents.flatMap(({ verification }) => verification.ip_list_urls ?? []).map(({ url }) => url),
    );
    const dataCenterListUrls = new Set(this.dataCenterLists.map(({ url }) => url));
    return createCatalog({
      agents: agents.toSorted(compareTokens),
      proxies: BUNDLED_PARTS.proxies.map((proxy) => applyPublishedRanges(proxy, lists)),
      lists: lists.filter(({ url }) => agentListUrls.has(url)),
      dataCenterRanges: this.dataCenterRanges(lists.filter(({ url }) => dataCenterListUrls.has(url))),
      assistants,
      directories: keys.length > 0 ? [...pinnedDirectories, { url, keys }] : pinnedDirectories,
    });
  }

  /** Caches the merged ranges: merging is slow, and most catalog changes don't affect these lists. */
  private dataCenterRanges(lists: StoredCatalog['lists']): readonly string[] {
    const fetched = JSON.stringify(lists.map(({ ranges }) => ranges));
    if (fetched !== this.dataCenters.fetched) this.dataCenters = { fetched, merged: mergePublicRanges(lists) };
    return this.dataCenters.merged;
  }

  /**
   * Publishes the catalog if the published one is outdated. Logs errors, and the next check retries.
   *
   * @param isNewest True if the database has just confirmed that this revision is the newest. Otherwise, the published
   * catalog may be newer and isn't overwritten.
   */
  private async publish(isNewest: boolean): Promise<void> {
    if (this.revision === 0 || !this.store.isShared) return;
    try {
      const published = await readSnapshotRevision(this.store);
      if (published === this.revision || (published !== null && !isNewest)) return;
      await writeSnapshot(this.store, { revision: this.revision, catalog: this.source });
      await this.pubSub.publish(CATALOG_CHANNEL, String(this.revision));
      // If two replicas write at the same time, one replica's revision can end up with the other's snapshot. In that
      // case, delete the revision, so that the next check writes both again.
      if ((await readSnapshot(this.store))?.revision !== this.revision) await this.store.delete(CATALOG_KEYS.revision);
    } catch (error) {
      this.logger.debug({ err: error }, 'failed to publish the catalog');
    }
  }
}

const compareTokens = (one: { token: string }, other: { token: string }): number => {
  const [a, b] = [one.token.toLowerCase(), other.token.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
};

/** Replaces a network's bundled ranges with the published ones once all of its lists have been fetched. */
function applyPublishedRanges(proxy: ProxyNetwork, lists: StoredCatalog['lists']): ProxyNetwork {
  const found = proxy.list_urls.map((url) => lists.find((list) => list.url === url));
  if (found.length === 0 || found.includes(undefined)) return proxy;
  return { ...proxy, ranges: found.flatMap((list) => list!.ranges.filter((range) => parseCidr(range) !== null)) };
}

/**
 * Merges ranges, excluding special-purpose ones such as 6to4 (2002::/16). Some providers list those, but ordinary
 * visitors use them, too.
 */
function mergePublicRanges(lists: StoredCatalog['lists']): string[] {
  const blocks = lists.flatMap(({ ranges }) => ranges.map(parseCidr)).filter((block) => block !== null);
  return mergeBlocks(blocks.filter((block) => isPublicAddress(formatCidr(block).split('/', 1)[0]!))).map(formatCidr);
}
