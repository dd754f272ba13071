import { Module } from '@nestjs/common';
import { SnapshotReader } from './snapshot-reader.repository.js';

/** Reads that may take long: pages of the timeline, and charts. */
@Module({ providers: [SnapshotReader], exports: [SnapshotReader] })
export class ReadingModule {}
