import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Health } from '#libs/platform';
import { DataSource } from 'typeorm';
import { createDataSource, type DatabaseOptions } from './data-source.js';

export interface DatabaseModuleOptions extends DatabaseOptions {
  /** Whether the process can do its work without the database. */
  isCritical?: boolean;
}

const OPTIONS = Symbol('database options');

/** Provides the one `DataSource` of the process, connected before anything else starts. */
@Global()
@Module({})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Health) private readonly health: Health,
    @Inject(OPTIONS) private readonly options: DatabaseModuleOptions,
  ) {}

  static forRoot(options: DatabaseModuleOptions): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: OPTIONS, useValue: options },
        { provide: DataSource, useFactory: () => createDataSource(options).initialize() },
      ],
      exports: [DataSource],
    };
  }

  onModuleInit(): void {
    const check = (): Promise<null> => this.dataSource.query('SELECT 1').then(() => null);
    this.health.register('database', check, { critical: this.options.isCritical ?? true });
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
