import { Inject, Injectable } from '@nestjs/common';
import { Bus, type BusMessage } from '#libs/bus';
import type { AuditEntry } from '#libs/contracts';
import { LOGGER, PeriodicService, type Logger } from '#libs/platform';
import pTimeout from 'p-timeout';
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
    await this.outbox.setEnabled(this.bus.hasQueue);
    if (this.bus.hasQueue) await super.onApplicationBootstrap();
  }

  protected async round(): Promise<void> {
    // Each by itself, so that one that Kafka refuses holds up no other. The bus sends them together.
    const publish = (entry: AuditEntry): Promise<void> => this.bus.publish(this.messagesOf(entry));
    // Kafka may take longer to answer than an end of the process waits. What is not acknowledged comes again.
    const send = (entry: AuditEntry) => pTimeout(publish(entry), { milliseconds: Infinity, signal: this.closing });
    try {
      while (!this.closing.aborted && (await this.outbox.publishOldest(send)) > 0) continue;
    } catch (error) {
      if (!this.closing.aborted) throw error;
    }
  }

  /** What cannot be written as a message now never can: the audit log has the entry, and the process's log names it. */
  private messagesOf(entry: AuditEntry): BusMessage[] {
    try {
      return [auditMessage(entry)];
    } catch (error) {
      this.logger.error(
        { err: error, entry: entry.id },
        'an entry of the audit log cannot be published; it is left out',
      );
      return [];
    }
  }
}
