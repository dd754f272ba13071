import { type DynamicModule, Module } from '@nestjs/common';
import { VisitChangesRepository } from '#libs/visit-store';
import { UnpublishedVisitChanges, VisitChangesPublisher } from './visit-changes.publisher.js';

/** Publishes changes of visits for other services. */
@Module({ providers: [VisitChangesRepository] })
export class VisitChangesModule {
  static forRoot(hasQueue: boolean): DynamicModule {
    return { module: VisitChangesModule, providers: [hasQueue ? VisitChangesPublisher : UnpublishedVisitChanges] };
  }
}
