import type { Provider, Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ClickHouse } from './clickhouse/clickhouse.js';
import { CLICKHOUSE_IMPLEMENTATIONS } from './clickhouse/implementations.js';

/**
 * Returns providers for repositories of this library. Each repository reads from the database that stores the visits.
 * The module must be part of an application with `VisitStoreModule`.
 */
export const provideRepositories = (...repositories: readonly Type[]): Provider[] =>
  repositories.map((repository) => ({
    provide: repository,
    inject: [ModuleRef, ClickHouse],
    useFactory: (module: ModuleRef, clickhouse: ClickHouse | null) =>
      module.create((clickhouse !== null && CLICKHOUSE_IMPLEMENTATIONS.get(repository)) || repository),
  }));
