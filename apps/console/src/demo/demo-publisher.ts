import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Bus, BusUnavailableError, RECEIVED_VISITS, type ReceivedVisits } from '#libs/bus';
import type { Visit } from '#libs/contracts';
import { createReceivedVisits } from '../onboarding/received-visits.js';

/** Delay before retrying if the message bus is unavailable. */
const RETRY_DELAY_MS = 1_000;
const MAX_ATTEMPTS = 30;

/** Publishes demo visits as if a site had reported them. */
@Injectable()
export class DemoPublisher {
  constructor(private readonly bus: Bus) {}

  /** @throws {BusUnavailableError} The message bus is still unavailable after several attempts. */
  async publish(
    batch: Pick<ReceivedVisits, 'batchId' | 'projectId' | 'traceparent'>,
    visits: readonly Visit[],
    signal: AbortSignal,
  ): Promise<void> {
    if (visits.length === 0) return;
    const received = createReceivedVisits(batch, visits);
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        return await this.bus.publish(RECEIVED_VISITS, [received]);
      } catch (error) {
        if (!(error instanceof BusUnavailableError) || attempt === MAX_ATTEMPTS) throw error;
        await sleep(RETRY_DELAY_MS, undefined, { signal });
      }
    }
  }
}
