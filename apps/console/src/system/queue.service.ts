import { Injectable } from '@nestjs/common';
import { Bus, type KafkaReport } from '#libs/bus';
import type { Queue } from '#libs/contracts';
import { errorMessage } from '#libs/platform';
import pTimeout from 'p-timeout';

/** Milliseconds for which a look at the queue counts, and that somebody waits for it. */
const FRESH_MS = 5_000;
const PATIENCE_MS = 4_000;

/** How much waits for whom in the queue between the services. It is looked at once for all who ask at the same time. */
@Injectable()
export class QueueService {
  private looked = 0;
  private look: Promise<void> | null = null;
  private known: KafkaReport | null = null;
  private fault: string | null = 'it was not looked at yet';

  constructor(private readonly bus: Bus) {}

  /** Null where there is no queue. */
  async read(): Promise<Queue | null> {
    if (!this.bus.hasQueue) return null;
    if (this.look === null && Date.now() - this.looked > FRESH_MS) {
      this.look = this.inspect().finally(() => {
        this.look = null;
        this.looked = Date.now();
      });
    }
    if (this.look !== null) await pTimeout(this.look, { milliseconds: PATIENCE_MS, fallback: () => this.noAnswer() });
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
