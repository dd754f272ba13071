import { Inject, Injectable } from '@nestjs/common';
import { Bus, type KafkaReport } from '#libs/bus';
import type { Queue } from '#libs/contracts';

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

  constructor(@Inject(Bus) private readonly bus: Bus) {}

  /** Null where there is no queue. */
  async read(): Promise<Queue | null> {
    if (!this.bus.hasQueue) return null;
    if (this.look === null && Date.now() - this.looked > FRESH_MS) {
      this.look = this.inspect().finally(() => {
        this.look = null;
        this.looked = Date.now();
      });
    }
    if (this.look !== null && !(await isWithin(this.look, PATIENCE_MS))) this.fault = 'Kafka does not answer';
    return { fault: this.fault, topics: this.known?.differences ?? [], groups: this.known?.groups ?? [] };
  }

  private async inspect(): Promise<void> {
    try {
      this.known = await this.bus.inspect();
      this.fault = null;
    } catch (error) {
      this.fault = (error as Error).message;
    }
  }
}

async function isWithin(work: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([work.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
