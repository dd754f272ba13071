import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Health } from '#libs/platform';
import { CheckoutsRepository } from './checkouts.repository.js';
import { BatchesRepository } from './clickhouse/batches.repository.js';
import { ClickHouse } from './clickhouse/clickhouse.js';
import type { VisitStoreOptions } from './visit-store-settings.js';
import { CountRollupsRepository } from './count-rollups.repository.js';
import { ExpiredPartitionsRepository } from './expired-partitions.repository.js';
import { MovedCountsRepository } from './moved-counts.repository.js';
import { NewFetchesRepository } from './new-fetches.repository.js';
import { PartitionsRepository } from './partitions.repository.js';
import { provideRepositories } from './provide-repositories.js';
import { ReidentificationsRepository } from './reidentifications.repository.js';
import { ReidentifiedVisitsRepository } from './reidentified-visits.repository.js';
import { RemovedProjectsRepository } from './removed-projects.repository.js';
import { VisitFormsRepository } from './visit-forms.repository.js';
import { VisitStoreLocation } from './visit-store-location.repository.js';
import { VisitsRepository } from './visits.repository.js';

/** Repositories that ingest uses. Other modules provide the repositories they use with `provideRepositories`. */
const REPOSITORIES = [
  CheckoutsRepository,
  CountRollupsRepository,
  ExpiredPartitionsRepository,
  NewFetchesRepository,
  PartitionsRepository,
  ReidentificationsRepository,
  ReidentifiedVisitsRepository,
  RemovedProjectsRepository,
  VisitFormsRepository,
  VisitsRepository,
];

/** Time that running statements have to finish when the process stops. */
const SHUTDOWN_TIMEOUT_MS = 5_000;

/** Short, so that checks of an unresponsive server don't use all connections. */
const HEALTH_TIMEOUT_MS = 2_000;

/** Connects to the database that stores the visits. */
@Module({})
export class VisitStoreModule implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  constructor(
    @Inject(ClickHouse) private readonly clickhouse: ClickHouse | null,
    private readonly location: VisitStoreLocation,
    private readonly health: Health,
  ) {}

  /** @param options Options for ClickHouse, or null if PostgreSQL stores the visits. */
  static forRoot(options: VisitStoreOptions | null): DynamicModule {
    return {
      module: VisitStoreModule,
      global: true,
      providers: [
        { provide: ClickHouse, useFactory: () => options && new ClickHouse(options) },
        VisitStoreLocation,
        BatchesRepository,
        ...provideRepositories(MovedCountsRepository),
        ...provideRepositories(...REPOSITORIES),
      ],
      exports: [ClickHouse, BatchesRepository, ...REPOSITORIES],
    };
  }

  async onModuleInit(): Promise<void> {
    await this.location.check(this.clickhouse);
    const { clickhouse } = this;
    if (clickhouse === null) return;
    const check = () => clickhouse.query('SELECT 1', {}, { timeoutMs: HEALTH_TIMEOUT_MS }).then(() => null);
    this.health.register('clickhouse', check, { critical: false });
  }

  onModuleDestroy(): void {
    this.clickhouse?.abortAfter(SHUTDOWN_TIMEOUT_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.clickhouse?.close();
  }
}
