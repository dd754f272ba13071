import { Module } from '@nestjs/common';
import { VisitChangesPublisher } from './visit-changes.publisher.js';
import { VisitChangesRepository } from './visit-changes.repository.js';

/** What became of visits after they were published. */
@Module({ providers: [VisitChangesPublisher, VisitChangesRepository] })
export class VisitChangesModule {}
