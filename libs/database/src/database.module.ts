import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import { Health, LOGGER, type Logger, isUnavailable } from '#libs/platform';
import { DataSource } from 'typeorm';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDataSource, type DatabaseOptions, pendingMigrations } from './data-source.js';
import { InstanceReporter, SERVICE_NAME } from './instance-reporter.js';

interface DatabaseModuleOptions extends DatabaseOptions {
  /** Whether the process requires the database. If so, it waits for it at startup. Default: true. */
  isCritical?: boolean;
  /** Whether to also provide {@link READING_DATA_SOURCE}. */
  hasReadingPool?: boolean;
}

/**
 * Injection token of a `DataSource` with a separate connection pool for charts, the timeline, streams and exports. Slow
 * reads can't use up the connections that storing visits, the outbox and sign-ins need.
 */
export const READING_DATA_SOURCE = Symbol('reading data source');

export const READING_CONNECTIONS = 8;

const OPTIONS = Symbol('database options');

/**
 * Provides the `DataSource` of the process. If the database is critical, it is connected before anything else starts.
 */
@Global()
@Module({})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    @Optional() @Inject(READING_DATA_SOURCE) private readonly reading: DataSource | undefined,
    private readonly health: Health,
    @Inject(OPTIONS) private readonly options: DatabaseModuleOptions,
  ) {}

  static forRoot(options: DatabaseModuleOptions): DynamicModule {
    const { applicationName = 'agent-traffic' } = options;
    const reading = { ...options, poolSize: READING_CONNECTIONS, applicationName: `${applicationName} reading` };
    return {
      module: DatabaseModule,
      providers: [
        { provide: OPTIONS, useValue: options },
        { provide: SERVICE_NAME, useValue: applicationName },
        InstanceReporter,
        { provide: DataSource, inject: [LOGGER], useFactory: (logger: Logger) => connect(options, logger) },
        ...(options.hasReadingPool
          ? [
              {
                provide: READING_DATA_SOURCE,
                inject: [LOGGER],
                useFactory: (logger: Logger) => connect(reading, logger),
              },
            ]
          : []),
      ],
      exports: [DataSource, ...(options.hasReadingPool ? [READING_DATA_SOURCE] : [])],
    };
  }

  onModuleInit(): void {
    const check = (): Promise<null> => this.dataSource.query('SELECT 1').then(() => null);
    this.health.register('database', check, { critical: this.options.isCritical ?? true });
  }

  async onApplicationShutdown(): Promise<void> {
    for (const pool of [this.dataSource, this.reading]) if (pool?.isInitialized) await pool.destroy();
  }
}

const RETRY_INTERVAL_MS = 1_000;

/**
 * Connects to the database, and retries until it responds. If the database isn't critical, retries run in the
 * background, and queries fail until then.
 */
async function connect(options: DatabaseModuleOptions, logger: Logger): Promise<DataSource> {
  const dataSource = createDataSource(options);
  const { isCritical = true } = options;
  try {
    await initialize(dataSource);
  } catch (error) {
    if (error instanceof NotMigratedError || (isCritical && !isUnavailable(error))) throw error;
    logger.warn({ err: error }, 'the database does not answer yet; trying again');
    const connected = connectLater(dataSource, isCritical, logger);
    if (isCritical) await connected;
  }
  return dataSource;
}

async function connectLater(dataSource: DataSource, isCritical: boolean, logger: Logger): Promise<void> {
  for (;;) {
    await sleep(RETRY_INTERVAL_MS, undefined, { ref: isCritical });
    try {
      await initialize(dataSource);
      logger.info('connected to the database');
      return;
    } catch (error) {
      if (isCritical && !isUnavailable(error)) throw error;
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
    `The database lacks ${pending.join(', ')}. Run this version's agent-traffic migrate first.`,
  );
}
