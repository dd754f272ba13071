import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
  Optional,
  type Provider,
} from '@nestjs/common';
import { Health, LOGGER, type Logger, isUnavailableError } from '#libs/platform';
import { DataSource } from 'typeorm';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDataSource, type DatabaseOptions, pendingMigrations } from './data-source.js';
import type { ReplicaOptions } from './database-url.js';
import { InstanceReporter, SERVICE_NAME } from './instance-reporter.js';
import { ReadDatabase } from './read-database.js';
import { ReadReplica } from './read-replica.js';

interface DatabaseModuleOptions extends DatabaseOptions {
  /** If true, the process waits for the database at startup and is unhealthy without it. Default: true. */
  isCritical?: boolean;
  /** Also provides {@link READ_DATA_SOURCE} and {@link ReadDatabase}. Default: false. */
  hasReadPool?: boolean;
  /** Read replica for {@link ReadDatabase}. Default: none. */
  replica?: ReplicaOptions | null;
}

/**
 * Injection token for a second `DataSource` with its own connection pool, for charts, the timeline, streams and
 * exports. Slow reads there can't exhaust the connections needed to store visits or sign users in.
 */
export const READ_DATA_SOURCE = Symbol('reading data source');

export const READ_POOL_SIZE = 8;

const READ_REPLICA = Symbol('read replica');
const OPTIONS = Symbol('database options');

/** Provides the process's `DataSource`. A critical database is connected before anything else starts. */
@Global()
@Module({})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    @Optional() @Inject(READ_DATA_SOURCE) private readonly reading: DataSource | undefined,
    @Optional() @Inject(READ_REPLICA) private readonly replica: ReadReplica | null | undefined,
    private readonly health: Health,
    @Inject(OPTIONS) private readonly options: DatabaseModuleOptions,
  ) {}

  static forRoot(options: DatabaseModuleOptions): DynamicModule {
    const { applicationName = 'agent-traffic' } = options;
    return {
      module: DatabaseModule,
      providers: [
        { provide: OPTIONS, useValue: options },
        { provide: SERVICE_NAME, useValue: applicationName },
        InstanceReporter,
        { provide: DataSource, inject: [LOGGER], useFactory: (logger: Logger) => connect(options, logger) },
        ...(options.hasReadPool ? createReadProviders(options) : []),
      ],
      exports: [DataSource, ...(options.hasReadPool ? [READ_DATA_SOURCE, ReadDatabase] : [])],
    };
  }

  onModuleInit(): void {
    const check = (): Promise<null> => this.dataSource.query('SELECT 1').then(() => null);
    this.health.register('database', check, { critical: this.options.isCritical ?? true });
    this.replica?.start(this.health);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.replica?.stop();
    for (const pool of [this.dataSource, this.reading]) if (pool?.isInitialized) await pool.destroy();
  }
}

function createReadProviders({
  replica = null,
  applicationName = 'agent-traffic',
  ...options
}: DatabaseModuleOptions): Provider[] {
  const readOptions = { ...options, poolSize: READ_POOL_SIZE, applicationName: `${applicationName} reading` };
  return [
    { provide: READ_DATA_SOURCE, inject: [LOGGER], useFactory: (logger: Logger) => connect(readOptions, logger) },
    {
      provide: READ_REPLICA,
      inject: [LOGGER],
      useFactory: (logger: Logger) => replica && createReplica(readOptions, replica, logger),
    },
    {
      provide: ReadDatabase,
      inject: [READ_DATA_SOURCE, READ_REPLICA],
      useFactory: (primary: DataSource, reads: ReadReplica | null) => new ReadDatabase(primary, reads),
    },
  ];
}

function createReplica(options: DatabaseOptions, { url, maxLagSeconds }: ReplicaOptions, logger: Logger): ReadReplica {
  const checkOptions = { ...options, poolSize: 1, applicationName: 'replica check' };
  const checked = { replica: createDataSource({ ...checkOptions, url }), primary: createDataSource(checkOptions) };
  return new ReadReplica(createDataSource({ ...options, url }), checked, maxLagSeconds, logger);
}

const RETRY_INTERVAL_MS = 1_000;

/**
 * Connects to the database and retries until it responds. For a non-critical database, retries run in the background,
 * and queries fail in the meantime.
 */
async function connect(options: DatabaseModuleOptions, logger: Logger): Promise<DataSource> {
  const dataSource = createDataSource(options);
  const { isCritical = true } = options;
  try {
    await initialize(dataSource);
  } catch (error) {
    if (error instanceof NotMigratedError || (isCritical && !isUnavailableError(error))) throw error;
    logger.warn({ err: error }, 'database is not available yet; retrying');
    const connected = retryConnection(dataSource, isCritical, logger);
    if (isCritical) await connected;
  }
  return dataSource;
}

async function retryConnection(dataSource: DataSource, isCritical: boolean, logger: Logger): Promise<void> {
  for (;;) {
    await sleep(RETRY_INTERVAL_MS, undefined, { ref: isCritical });
    try {
      await initialize(dataSource);
      logger.info('connected to the database');
      return;
    } catch (error) {
      if (isCritical && !isUnavailableError(error)) throw error;
      if (error instanceof NotMigratedError) logger.error(error.message);
    }
  }
}

class NotMigratedError extends Error {
  override name = 'NotMigratedError';
}

async function initialize(dataSource: DataSource): Promise<void> {
  if (!dataSource.isInitialized) await dataSource.initialize();
  const pending = await pendingMigrations(dataSource);
  if (pending.length === 0) return;
  throw new NotMigratedError(
    `The database schema is out of date. Pending migrations: ${pending.join(', ')}. Run agent-traffic migrate from this release first.`,
  );
}
