import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { KeyValueStore, PubSub, RedisUnavailableError } from '#libs/cache';
import { CATALOG_CHANNEL } from '#libs/contracts';
import { Health, LOGGER, PeriodicTask, type Logger } from '#libs/platform';
import { compileCatalog } from './compiled-catalog.js';
import { CurrentCatalog } from './current-catalog.js';
import { readSnapshot, readSnapshotRevision } from './snapshot.js';

/** Polling catches changes whose notification was lost. */
const POLL_INTERVAL_MS = 1_000;

/** Loads the catalog published by the catalog service: at startup, when notified of a change, and by polling. */
@Injectable()
export class PublishedCatalog extends CurrentCatalog implements OnModuleInit, OnApplicationShutdown {
  private revision: number | null = null;
  private inFlight: Promise<void> | null = null;
  private readonly poller = new PeriodicTask(
    () => this.poll(),
    POLL_INTERVAL_MS,
    (error) => this.logger.error({ err: error }, 'failed to read the catalog'),
  );
  private unsubscribe: (() => void) | undefined;

  constructor(
    private readonly store: KeyValueStore,
    private readonly pubSub: PubSub,
    private readonly health: Health,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async onModuleInit(): Promise<void> {
    const describeFault = (): string | null =>
      this.revision === null ? 'no catalog has been published yet; the bundled one is in use' : null;
    this.health.register('catalog', describeFault, { critical: false });
    this.unsubscribe = this.pubSub.subscribe(CATALOG_CHANNEL, () => void this.poll());
    await this.poll();
    this.poller.start(POLL_INTERVAL_MS);
  }

  onApplicationShutdown(): void {
    void this.poller.stop();
    this.unsubscribe?.();
  }

  private poll(): Promise<void> {
    this.inFlight ??= this.loadIfChanged().finally(() => {
      this.inFlight = null;
    });
    return this.inFlight;
  }

  private async loadIfChanged(): Promise<void> {
    try {
      const revision = await readSnapshotRevision(this.store);
      if (revision === null || revision === this.revision) return;
      const snapshot = await readSnapshot(this.store);
      if (snapshot === null || snapshot.revision === this.revision) return;
      this.swap(compileCatalog(snapshot.catalog), snapshot.revision);
      this.revision = snapshot.revision;
      this.logger.info({ revision: snapshot.revision, version: snapshot.catalog.version }, 'loaded a new catalog');
    } catch (error) {
      if (!(error instanceof RedisUnavailableError)) this.logger.error({ err: error }, 'failed to read the catalog');
    }
  }
}
