import { Module } from '@nestjs/common';
import { SnapshotReader } from './snapshot-reader.repository.js';

/** Reading what may take long: the timeline and charts. */
@Module({ providers: [SnapshotReader], exports: [SnapshotReader] })
export class ReadingModule {}
