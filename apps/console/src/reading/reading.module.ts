import { Module } from '@nestjs/common';
import { CatalogCacheRepository } from './catalog-cache.repository.js';
import { ReadLimits } from './read-limits.js';
import { SnapshotReader } from './snapshot-reader.repository.js';

/** Reads that may take long: pages of the timeline, and charts. */
@Module({
  providers: [CatalogCacheRepository, ReadLimits, SnapshotReader],
  exports: [CatalogCacheRepository, ReadLimits, SnapshotReader],
})
export class ReadingModule {}
