import { Inject, Injectable } from '@nestjs/common';
import { Bus } from '#libs/bus';
import type { VisitChange } from '#libs/contracts';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import pTimeout from 'p-timeout';
import { visitChangeMessage } from './visit-change-message.js';
import { VisitChangesRepository } from './visit-changes.repository.js';

const INTERVAL_MS = 1_000;

/** Publishes visits that were identified again or erased for other services, if there is Kafka. */
@Injectable()
export class VisitChangesPublisher extends PeriodicService {
  constructor(
    private readonly changes: VisitChangesRepository,
    private readonly bus: Bus,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, INTERVAL_MS, 'changes of visits wait for Kafka; trying again');
  }

  override async onApplicationBootstrap(): Promise<void> {
    if (this.bus.hasQueue) await super.onApplicationBootstrap();
    else await this.changes.clear();
  }

  protected async round(): Promise<void> {
    const publish = (changes: readonly VisitChange[]) => this.bus.publish(changes.map(visitChangeMessage));
    // Kafka may take longer to respond than the process has to end. Changes that aren't acknowledged are published again.
    const send = (changes: readonly VisitChange[]) =>
      pTimeout(publish(changes), { milliseconds: Infinity, signal: this.closing });
    try {
      while (!this.closing.aborted && (await this.changes.publishOldest(send)) > 0) continue;
    } catch (error) {
      if (!this.closing.aborted) throw error;
    }
  }
}
