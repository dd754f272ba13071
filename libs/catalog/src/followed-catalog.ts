import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { KeyValue, PubSub, RedisUnavailableError } from '#libs/cache';
import { CATALOG_CHANNEL } from '#libs/contracts';
import { Health, LOGGER, PeriodicTask, type Logger } from '#libs/platform';
import { compileCatalog } from './compiled-catalog.js';
import { CurrentCatalog } from './current-catalog.js';
import { readSnapshot, snapshotRevision } from './snapshot.js';

/** Polling interval, in case a notification is lost. */
const LOOK_INTERVAL_MS = 1_000;

/** Loads the catalog that the catalog service publishes: at startup, when notified of a change, and by polling. */
@Injectable()
export class FollowedCatalog extends CurrentCatalog implements OnModuleInit, OnApplicationShutdown {
  private revision: number | null = null;
  private underWay: Promise<void> | null = null;
  private readonly watch = new PeriodicTask(
    () => this.look(),
    LOOK_INTERVAL_MS,
    (error) => this.logger.error({ err: error }, 'the catalog cannot be read'),
  );
  private unsubscribe: (() => void) | undefined;

  constructor(
    private readonly store: KeyValue,
    private readonly pubSub: PubSub,
    private readonly health: Health,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async onModuleInit(): Promise<void> {
    const isBundled = (): string | null =>
      this.revision === null ? 'no catalog was published yet: the one that came with the release is in use' : null;
    this.health.register('catalog', isBundled, { critical: false });
    this.unsubscribe = this.pubSub.subscribe(CATALOG_CHANNEL, () => void this.look());
    await this.look();
    this.watch.start(LOOK_INTERVAL_MS);
  }

  onApplicationShutdown(): void {
    void this.watch.stop();
    this.unsubscribe?.();
  }

  private look(): Promise<void> {
    this.underWay ??= this.follow().finally(() => {
      this.underWay = null;
    });
    return this.underWay;
  }

  private async follow(): Promise<void> {
    try {
      const revision = await snapshotRevision(this.store);
      if (revision === null || revision === this.revision) return;
      const snapshot = await readSnapshot(this.store);
      if (snapshot === null || snapshot.revision === this.revision) return;
      this.swap(compileCatalog(snapshot.catalog), snapshot.revision);
      this.revision = snapshot.revision;
      this.logger.info({ revision: snapshot.revision, version: snapshot.catalog.version }, 'catalog swapped');
    } catch (error) {
      if (!(error instanceof RedisUnavailableError)) this.logger.error({ err: error }, 'the catalog cannot be read');
    }
  }
}
