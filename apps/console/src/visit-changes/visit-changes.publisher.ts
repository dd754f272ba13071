import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Bus, VISIT_CHANGES } from '#libs/bus';
import type { VisitChange } from '#libs/contracts';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import pTimeout from 'p-timeout';
import { VisitChangesRepository } from './visit-changes.repository.js';

const INTERVAL_MS = 1_000;

/** Publishes visits that were identified again or erased for other services. */
@Injectable()
export class VisitChangesPublisher extends PeriodicService {
  constructor(
    private readonly changes: VisitChangesRepository,
    private readonly bus: Bus,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, INTERVAL_MS, 'changes of visits wait for Kafka; trying again');
  }

  protected async round(): Promise<void> {
    // Kafka may take longer to respond than the process has to end. Changes that aren't acknowledged are published again.
    const send = (changes: readonly VisitChange[]) =>
      pTimeout(this.bus.publish(VISIT_CHANGES, changes), { milliseconds: Infinity, signal: this.closing });
    try {
      while (!this.closing.aborted && (await this.changes.publishOldest(send)) > 0) continue;
    } catch (error) {
      if (!this.closing.aborted) throw error;
    }
  }
}

/** Deletes pending changes, if there is no Kafka to publish them. */
@Injectable()
export class UnpublishedVisitChanges implements OnApplicationBootstrap {
  constructor(private readonly changes: VisitChangesRepository) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.changes.clear();
  }
}
