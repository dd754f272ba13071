import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { DeadLettersRepository } from './dead-letters.repository.js';
import { RETENTION_DAYS } from './ingest.pipeline.js';
import { dayOf, PartitionsRepository } from './partitions.repository.js';

const HOUR = 3_600_000;
/** Partitions are there this many days before they are needed. */
const DAYS_AHEAD = 3;

/** Makes partitions ahead and drops those past the retention, every hour. */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(PartitionsRepository) private readonly partitions: PartitionsRepository,
    @Inject(DeadLettersRepository) private readonly deadLetters: DeadLettersRepository,
    @Inject(RETENTION_DAYS) private readonly retentionDays: number,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.tidy();
    this.timer = setInterval(() => void this.tidy(), HOUR);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async tidy(): Promise<void> {
    try {
      const today = dayOf(Date.now());
      await this.partitions.ensure(Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => today + ahead));
      const dropped = await this.partitions.dropBefore(today - this.retentionDays);
      if (dropped.length > 0) this.logger.info({ dropped }, 'dropped the visits past the retention');
      await this.deadLetters.forgetOld();
    } catch (error) {
      this.logger.warn({ err: error }, 'tidying the database failed; it is tried again in an hour');
    }
  }
}
