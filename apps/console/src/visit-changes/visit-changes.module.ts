import { Module } from '@nestjs/common';
import { VisitChangesPublisher } from './visit-changes.publisher.js';
import { VisitChangesRepository } from './visit-changes.repository.js';

/** Changes of visits after their publication, for other services. */
@Module({ providers: [VisitChangesPublisher, VisitChangesRepository] })
export class VisitChangesModule {}
