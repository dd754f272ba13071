import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { createDataSource, type DatabaseOptions } from './data-source.js';

/** Provides the one `DataSource` of the process, connected before anything else starts. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  static forRoot(options: DatabaseOptions): DynamicModule {
    const provider = {
      provide: DataSource,
      useFactory: () => createDataSource(options).initialize(),
    };
    return { module: DatabaseModule, providers: [provider], exports: [DataSource] };
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
