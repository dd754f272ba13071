import { Injectable } from '@nestjs/common';
import { Bus, type KafkaReport } from '#libs/bus';
import type { Queue } from '#libs/contracts';
import { errorMessage } from '#libs/platform';
import pTimeout from 'p-timeout';

/** How long a report of the queue is reused. */
const CACHE_MS = 5_000;
const TIMEOUT_MS = 4_000;

/** Reports how much waits for whom in the queue between the services. Concurrent requests share one inspection. */
@Injectable()
export class QueueService {
  private inspectedAt = -Infinity;
  private inspection: Promise<void> | null = null;
  private known: KafkaReport | null = null;
  private fault: string | null = 'it was not inspected yet';

  constructor(private readonly bus: Bus) {}

  /** Null without a queue. */
  async read(): Promise<Queue | null> {
    if (!this.bus.hasQueue) return null;
    if (this.inspection === null && performance.now() - this.inspectedAt > CACHE_MS) {
      this.inspection = this.inspect().finally(() => {
        this.inspection = null;
        this.inspectedAt = performance.now();
      });
    }
    if (this.inspection !== null)
      await pTimeout(this.inspection, { milliseconds: TIMEOUT_MS, fallback: () => this.noAnswer() });
    return { fault: this.fault, topics: this.known?.differences ?? [], groups: this.known?.groups ?? [] };
  }

  private noAnswer(): void {
    this.fault = 'Kafka does not answer';
  }

  private async inspect(): Promise<void> {
    try {
      this.known = await this.bus.inspect();
      this.fault = null;
    } catch (error) {
      this.fault = errorMessage(error);
    }
  }
}
