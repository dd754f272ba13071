import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AUDIT_ENTRIES, Bus, BusUnavailableError } from '#libs/bus';
import type { AuditEntry } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { OutboxPublisher } from '../outbox-publisher.js';
import { AuditOutboxRepository } from './audit-outbox.repository.js';

/** Publishes audit entries to Kafka, so other services can consume them. */
@Injectable()
export class AuditPublisher extends OutboxPublisher<AuditEntry> {
  constructor(
    private readonly outbox: AuditOutboxRepository,
    private readonly bus: Bus,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(outbox, logger, 'audit log entries are waiting for Kafka; retrying');
  }

  override async onApplicationBootstrap(): Promise<void> {
    await this.outbox.setEnabled(true);
    await super.onApplicationBootstrap();
  }

  /**
   * Publishes entries one by one, so an entry that Kafka rejects doesn't block the others. The bus still sends them in
   * batches.
   */
  protected async publish(entry: AuditEntry): Promise<void> {
    try {
      await this.bus.publish(AUDIT_ENTRIES, [entry]);
    } catch (error) {
      if (error instanceof BusUnavailableError) throw error;
      // An entry that can't be encoded will never succeed, so don't retry. The audit log still contains it.
      this.logger.error({ err: error, entry: entry.id }, 'failed to publish an audit log entry; skipping it');
    }
  }
}

/** Disables the outbox on instances without Kafka. */
@Injectable()
export class AuditOutboxDisabler implements OnApplicationBootstrap {
  constructor(private readonly outbox: AuditOutboxRepository) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.outbox.setEnabled(false);
  }
}
