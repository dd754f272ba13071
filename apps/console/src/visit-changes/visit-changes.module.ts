import { type DynamicModule, Module } from '@nestjs/common';
import { VisitChangesRepository, provideRepositories } from '#libs/visit-store';
import { UnpublishedVisitChanges, VisitChangesPublisher } from './visit-changes.publisher.js';

/** Publishes changes to stored visits for other services. */
@Module({ providers: [...provideRepositories(VisitChangesRepository)] })
export class VisitChangesModule {
  static forRoot(hasQueue: boolean): DynamicModule {
    return { module: VisitChangesModule, providers: [hasQueue ? VisitChangesPublisher : UnpublishedVisitChanges] };
  }
}
