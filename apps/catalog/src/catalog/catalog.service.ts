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

/** Milliseconds between looks at whether another replica changed something, and whether readers can see it. */
const LOOK_INTERVAL_MS = 1_000;

const oldestList = new Gauge({
  name: 'agent_traffic_address_list_oldest_fetch_timestamp_seconds',
  help: 'Unix time of the last good fetch of the oldest address list; 0 without one',
});

/**
 * Makes the catalog from what the database has, and publishes it: every replica does so, the first one to see a
 * change before the others. The database's revision tells all of them, and their readers, what is newest.
 */
@Injectable()
export class CatalogService extends CurrentCatalog implements OnModuleInit, OnApplicationShutdown {
  private catalog: Catalog | null = null;
  /** 0 until the database was read. */
  private revision = 0;
  private isSeeded = false;
  private readonly watch = new PeriodicTask(
    () => this.look(),
    LOOK_INTERVAL_MS,
    (error) => this.logger.error({ err: error }, 'the catalog is not published'),
  );
  private underWay: Promise<void> = Promise.resolve();
  /** As they were fetched, and merged. */
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

  /** The agents, proxies, assistants and lists that {@link current} was compiled of. */
  get source(): Catalog {
    return this.catalog ?? bundledCatalog();
  }

  /** Where data centers publish their ranges. */
  get dataCenterLists(): readonly DataCenterList[] {
    return this.settings.dataCenterLists;
  }

  /** After a change: resolves once this process answers by it, and others have been told. */
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
    // Redis may have been away, or have lost what it had.
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

  /** What came with the release, and the test agent, go into the database. */
  private async seed(): Promise<void> {
    const { proxies, assistants } = BUNDLED_PARTS;
    const agents = [...BUNDLED_PARTS.agents, testAgent(this.settings.PUBLIC_URL).record];
    // Settings are part of the catalog, too: with others it is another one, which readers have to be told of.
    const settings = [this.settings.pinnedDirectories, this.dataCenterLists.map(({ url }) => url)];
    const version = hash('sha256', JSON.stringify([agents, proxies, assistants, settings])).slice(0, 16);
    await this.repository.seed(version, agents, assistants);
    this.isSeeded = true;
  }

  /** While the database can't be asked: what another replica, or an earlier process, made of it. */
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

  /** Merges lists only when they changed: it takes a tenth of a second, and most changes are others. */
  private dataCenterRanges(lists: StoredCatalog['lists']): readonly string[] {
    const fetched = JSON.stringify(lists.map(({ ranges }) => ranges));
    if (fetched !== this.dataCenters.fetched) this.dataCenters = { fetched, merged: publicRanges(lists) };
    return this.dataCenters.merged;
  }

  /**
   * Best effort: readers also look on their own, and the next one to look finds it.
   *
   * @param isNewest the database has just said so; else what another replica published may be newer.
   */
  private async publish(isNewest: boolean): Promise<void> {
    if (this.revision === 0 || !this.store.isShared) return;
    try {
      const published = await snapshotRevision(this.store);
      if (published === this.revision || (published !== null && !isNewest)) return;
      await writeSnapshot(this.store, { revision: this.revision, catalog: this.source });
      await this.pubSub.publish(CATALOG_CHANNEL, String(this.revision));
      // Two replicas that write at once can leave the revision of one with the snapshot of the other: the next
      // replica that looks then writes both again.
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

/** Published ranges replace the bundled ones once all of a network's lists were fetched. */
function withPublishedRanges(proxy: ProxyNetwork, lists: StoredCatalog['lists']): ProxyNetwork {
  const found = proxy.list_urls.map((url) => lists.find((list) => list.url === url));
  if (found.length === 0 || found.includes(undefined)) return proxy;
  return { ...proxy, ranges: found.flatMap((list) => list!.ranges.filter((range) => parseCidr(range) !== null)) };
}

/**
 * Returns the ranges of lists, merged, without those for special purposes: some providers list such, and people come from
 * them, as by 6to4 (2002::/16).
 */
function publicRanges(lists: StoredCatalog['lists']): string[] {
  const blocks = lists.flatMap(({ ranges }) => ranges.map(parseCidr)).filter((block) => block !== null);
  return mergeBlocks(blocks.filter((block) => isPublicAddress(cidr(block).split('/', 1)[0]!))).map(cidr);
}
