import { hash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { cidr, mergeBlocks, parseCidr } from '#libs/agents';
import { KeyValue, PubSub } from '#libs/cache';
import {
  BUNDLED_PARTS,
  bundledCatalog,
  catalogOf,
  compileCatalog,
  CurrentCatalog,
  readSnapshot,
  snapshotRevision,
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
import { testAgent } from './test-agent.js';

/** Milliseconds between checks for changes by other replicas and for a missing snapshot. */
const LOOK_INTERVAL_MS = 1_000;

const oldestList = new Gauge({
  name: 'agent_traffic_address_list_oldest_fetch_timestamp_seconds',
  help: 'Unix time of the last good fetch of the oldest address list; 0 without one',
});

/**
 * Compiles the catalog from the database and publishes it to other services.
 *
 * Every replica does this, and the first one to notice a change publishes it. The database's revision tells replicas
 * and readers which catalog is newest.
 */
@Injectable()
export class CatalogService extends CurrentCatalog implements OnModuleInit, OnApplicationShutdown {
  private catalog: Catalog | null = null;
  /** 0 until the database has been read. */
  private revision = 0;
  private isSeeded = false;
  private readonly watch = new PeriodicTask(
    () => this.look(),
    LOOK_INTERVAL_MS,
    (error) => this.logger.error({ err: error }, 'the catalog is not published'),
  );
  private underWay: Promise<void> = Promise.resolve();
  /** Last fetched lists as JSON, and their merged ranges. */
  private dataCenters: { fetched: string; merged: readonly string[] } = { fetched: '[]', merged: [] };

  constructor(
    private readonly repository: CatalogRepository,
    private readonly store: KeyValue,
    private readonly pubSub: PubSub,
    @Inject(CATALOG_SETTINGS)
    private readonly settings: Pick<CatalogSettings, 'PUBLIC_URL' | 'pinnedDirectories' | 'dataCenterLists'>,
    private readonly health: Health,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async onModuleInit(): Promise<void> {
    const isUnread = (): string | null =>
      this.revision === 0 ? 'the database was not read yet: an earlier catalog is in use' : null;
    this.health.register('catalog', isUnread, { critical: false });
    await this.look();
    if (this.revision === 0) await this.takePublished();
    this.watch.start(LOOK_INTERVAL_MS);
  }

  onApplicationShutdown(): void {
    void this.watch.stop();
  }

  /** The data that {@link current} was compiled from. */
  get source(): Catalog {
    return this.catalog ?? bundledCatalog();
  }

  get dataCenterLists(): readonly DataCenterList[] {
    return this.settings.dataCenterLists;
  }

  /** Loads the catalog after a change. Resolves once this process uses it and has tried to publish it. */
  reload(): Promise<void> {
    this.underWay = this.underWay.catch(() => undefined).then(() => this.loadNewer());
    return this.underWay;
  }

  private async look(): Promise<void> {
    const isNewest = await this.reload().then(
      () => true,
      (error: unknown) => {
        this.logger.debug({ err: error }, 'the catalog stays as it is');
        return false;
      },
    );
    // Redis may have been unavailable or may have lost its data.
    await this.publish(isNewest);
  }

  private async loadNewer(): Promise<void> {
    if (!this.isSeeded) await this.seed();
    if ((await this.repository.revision()) === this.revision) return;
    const stored = await this.repository.load();
    const fetched = stored.lists.map(({ fetchedAt }) => fetchedAt);
    oldestList.set(fetched.length > 0 ? Math.min(...fetched) / 1_000 : 0);
    const catalog = this.assemble(stored);
    this.swap(compileCatalog(catalog), stored.revision);
    this.catalog = catalog;
    this.revision = stored.revision;
    this.logger.info({ revision: stored.revision, version: catalog.version }, 'catalog compiled');
    await this.publish(true);
  }

  private async seed(): Promise<void> {
    const { proxies, assistants } = BUNDLED_PARTS;
    const agents = [...BUNDLED_PARTS.agents, testAgent(this.settings.PUBLIC_URL).record];
    // These settings affect the catalog, so changing them must increase the revision.
    const settings = [this.settings.pinnedDirectories, this.dataCenterLists.map(({ url }) => url)];
    const version = hash('sha256', JSON.stringify([agents, proxies, assistants, settings])).slice(0, 16);
    await this.repository.seed(version, agents, assistants);
    this.isSeeded = true;
  }

  /** Uses the published snapshot while the database is unavailable. */
  private async takePublished(): Promise<void> {
    const snapshot = await readSnapshot(this.store).catch(() => null);
    if (snapshot === null) return;
    this.swap(compileCatalog(snapshot.catalog), snapshot.revision);
    this.catalog = snapshot.catalog;
  }

  private assemble({ agents, assistants, lists, testAgentKeys: keys }: StoredCatalog): Catalog {
    const { directoryUrl: url } = testAgent(this.settings.PUBLIC_URL);
    const { pinnedDirectories } = this.settings;
    const ofAgents = new Set(
      agents.flatMap(({ verification }) => verification.ip_list_urls ?? []).map(({ url }) => url),
    );
    const ofDataCenters = new Set(this.dataCenterLists.map(({ url }) => url));
    return catalogOf({
      agents: agents.toSorted(byToken),
      proxies: BUNDLED_PARTS.proxies.map((proxy) => withPublishedRanges(proxy, lists)),
      lists: lists.filter(({ url }) => ofAgents.has(url)),
      dataCenterRanges: this.dataCenterRanges(lists.filter(({ url }) => ofDataCenters.has(url))),
      assistants,
      directories: keys.length > 0 ? [...pinnedDirectories, { url, keys }] : pinnedDirectories,
    });
  }

  /** Merges lists only if they changed: it is slow, and most catalog changes don't affect them. */
  private dataCenterRanges(lists: StoredCatalog['lists']): readonly string[] {
    const fetched = JSON.stringify(lists.map(({ ranges }) => ranges));
    if (fetched !== this.dataCenters.fetched) this.dataCenters = { fetched, merged: publicRanges(lists) };
    return this.dataCenters.merged;
  }

  /**
   * Publishes the catalog if the published one is outdated. Errors are only logged, and the next check tries again.
   *
   * @param isNewest Whether the database has just confirmed that this is the newest revision. If not, the published one
   *   may be newer.
   */
  private async publish(isNewest: boolean): Promise<void> {
    if (this.revision === 0 || !this.store.isShared) return;
    try {
      const published = await snapshotRevision(this.store);
      if (published === this.revision || (published !== null && !isNewest)) return;
      await writeSnapshot(this.store, { revision: this.revision, catalog: this.source });
      await this.pubSub.publish(CATALOG_CHANNEL, String(this.revision));
      // Concurrent writes can combine one replica's revision with another's snapshot. Without a revision, the next
      // check writes both again.
      if ((await readSnapshot(this.store))?.revision !== this.revision) await this.store.delete(CATALOG_KEYS.revision);
    } catch (error) {
      this.logger.debug({ err: error }, 'the catalog is not published');
    }
  }
}

const byToken = (one: { token: string }, other: { token: string }): number => {
  const [a, b] = [one.token.toLowerCase(), other.token.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
};

/** Replaces a network's bundled ranges once all of its lists have been fetched. */
function withPublishedRanges(proxy: ProxyNetwork, lists: StoredCatalog['lists']): ProxyNetwork {
  const found = proxy.list_urls.map((url) => lists.find((list) => list.url === url));
  if (found.length === 0 || found.includes(undefined)) return proxy;
  return { ...proxy, ranges: found.flatMap((list) => list!.ranges.filter((range) => parseCidr(range) !== null)) };
}

/**
 * Returns the merged ranges of lists. Leaves out special-purpose ranges, such as 6to4 (2002::/16): some providers list
 * them, but people use them, too.
 */
function publicRanges(lists: StoredCatalog['lists']): string[] {
  const blocks = lists.flatMap(({ ranges }) => ranges.map(parseCidr)).filter((block) => block !== null);
  return mergeBlocks(blocks.filter((block) => isPublicAddress(cidr(block).split('/', 1)[0]!))).map(cidr);
}
