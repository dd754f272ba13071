import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Bus } from '#libs/bus';
import { LOGGER, PeriodicTask, type Logger } from '#libs/platform';
import { auditMessage } from './audit-message.js';
import { AuditOutboxRepository } from './audit-outbox.repository.js';

const INTERVAL_MS = 1_000;

/** Publishes entries of the audit log for other services, where there is Kafka. */
@Injectable()
export class AuditPublisher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task = new PeriodicTask(
    () => this.publishAll(),
    INTERVAL_MS,
    (error) => this.logger.warn({ err: error }, 'entries of the audit log wait for Kafka; trying again'),
  );

  constructor(
    private readonly outbox: AuditOutboxRepository,
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.outbox.turn(this.bus.hasQueue);
    if (this.bus.hasQueue) this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  private async publishAll(): Promise<void> {
    let isMore = true;
    while (isMore && !this.task.isStopped) {
      isMore = await this.outbox.pass((entries) => this.bus.publish(entries.map(auditMessage)));
    }
  }
}
