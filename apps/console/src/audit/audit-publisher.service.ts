import { Inject, Injectable } from '@nestjs/common';
import { Bus } from '#libs/bus';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import { auditMessage } from './audit-message.js';
import { AuditOutboxRepository } from './audit-outbox.repository.js';

const INTERVAL_MS = 1_000;

/** Publishes entries of the audit log for other services, where there is Kafka. */
@Injectable()
export class AuditPublisher extends PeriodicService {
  constructor(
    private readonly outbox: AuditOutboxRepository,
    private readonly bus: Bus,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, INTERVAL_MS, 'entries of the audit log wait for Kafka; trying again');
  }

  override async onApplicationBootstrap(): Promise<void> {
    await this.outbox.turn(this.bus.hasQueue);
    if (this.bus.hasQueue) await super.onApplicationBootstrap();
  }

  protected async round(): Promise<void> {
    let isMore = true;
    while (isMore && !this.isStopped) {
      isMore = await this.outbox.pass((entries) => this.bus.publish(entries.map(auditMessage)));
    }
  }
}
