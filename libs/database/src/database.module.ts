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

/** Provides the one `DataSource` of the process, connected before anything else starts. */
@Global()
@Module({})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Health) private readonly health: Health,
  ) {}

  static forRoot(options: DatabaseOptions): DynamicModule {
    const provider = {
      provide: DataSource,
      useFactory: () => createDataSource(options).initialize(),
    };
    return { module: DatabaseModule, providers: [provider], exports: [DataSource] };
  }

  onModuleInit(): void {
    this.health.register('database', () => this.dataSource.query('SELECT 1').then(() => null));
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
