import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AUDIT_ENTRIES, Bus, BusUnavailableError } from '#libs/bus';
import type { AuditEntry } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { OutboxPublisher } from '../outbox-publisher.js';
import { AuditOutboxRepository } from './audit-outbox.repository.js';

/** Publishes audit entries to Kafka for other services. */
@Injectable()
export class AuditPublisher extends OutboxPublisher<AuditEntry> {
  constructor(
    private readonly outbox: AuditOutboxRepository,
    private readonly bus: Bus,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(outbox, logger, 'entries of the audit log wait for Kafka; trying again');
  }

  override async onApplicationBootstrap(): Promise<void> {
    await this.outbox.setEnabled(true);
    await super.onApplicationBootstrap();
  }

  /** Publishes each entry separately, so one that Kafka rejects doesn't block others. The bus batches them. */
  protected async publish(entry: AuditEntry): Promise<void> {
    try {
      await this.bus.publish(AUDIT_ENTRIES, [entry]);
    } catch (error) {
      if (error instanceof BusUnavailableError) throw error;
      // An entry that can't be encoded now never will be. It stays in the audit log.
      this.logger.error(
        { err: error, entry: entry.id },
        'an entry of the audit log cannot be published; it is left out',
      );
    }
  }
}

/** Turns off the outbox in instances without Kafka. */
@Injectable()
export class UnpublishedAudit implements OnApplicationBootstrap {
  constructor(private readonly outbox: AuditOutboxRepository) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.outbox.setEnabled(false);
  }
}
