import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Bus, VISIT_CHANGES } from '#libs/bus';
import type { VisitChange } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { VisitChangesRepository } from '#libs/visit-store';
import { OutboxPublisher } from '../outbox-publisher.js';

/** Notifies other services about visits that were re-identified or erased. */
@Injectable()
export class VisitChangesPublisher extends OutboxPublisher<readonly VisitChange[]> {
  constructor(
    changes: VisitChangesRepository,
    private readonly bus: Bus,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(changes, logger, 'failed to publish visit changes to Kafka; retrying');
  }

  protected publish(changes: readonly VisitChange[]): Promise<void> {
    return this.bus.publish(VISIT_CHANGES, changes);
  }
}

/** Deletes pending changes on instances without Kafka. */
@Injectable()
export class UnpublishedVisitChanges implements OnApplicationBootstrap {
  constructor(private readonly changes: VisitChangesRepository) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.changes.clear();
  }
}
