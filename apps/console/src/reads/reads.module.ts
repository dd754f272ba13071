import { Module } from '@nestjs/common';
import { SnapshotsRepository } from '#libs/visit-store';
import { CatalogCacheRepository } from './catalog-cache.repository.js';
import { ReadLimits } from './read-limits.js';
import { SnapshotReader } from './snapshot-reader.js';

@Module({
  providers: [CatalogCacheRepository, ReadLimits, SnapshotReader, SnapshotsRepository],
  exports: [CatalogCacheRepository, ReadLimits, SnapshotReader],
})
export class ReadsModule {}
