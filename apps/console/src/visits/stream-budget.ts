import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';

const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

export interface BudgetedStream {
  readonly unsentBytes: number;
  /** Ends the stream. Its client reconnects and resumes. */
  cutOff(): void;
}

/** Returns the unsent bytes of all streams of the process. */
let unsentBytes = (): number => 0;

const metrics: { unsent: Gauge } = {
  unsent: new Gauge({
    name: 'agent_traffic_console_stream_unsent_bytes',
    help: 'Unsent bytes of live streams',
    collect(): void {
      metrics.unsent.set(unsentBytes());
    },
  }),
};

/** Limits the memory used by clients that read too slowly, across all streams of the process. */
@Injectable()
export class StreamBudget {
  private readonly streams = new Set<BudgetedStream>();
  maxBytes = MAX_UNSENT_BYTES;
  /** Upper bound of the unsent bytes. Measuring all streams on each write would cost more than the write. */
  private bytes = 0;

  constructor() {
    unsentBytes = () => this.unsentBytes;
  }

  /** @returns a function to call when the stream ends. */
  add(stream: BudgetedStream): () => void {
    this.streams.add(stream);
    return () => void this.streams.delete(stream);
  }

  wrote(bytes: number): void {
    this.bytes += bytes;
  }

  /**
   * Ensures that all streams together are within the budget. Disconnects the slowest ones if they aren't. Call before
   * writing.
   */
  async settle(): Promise<void> {
    if (this.bytes <= this.maxBytes) return;
    // Waits a tick, because data that sockets accept immediately still counts as unsent.
    await turn();
    const slowest = [...this.streams].toSorted((one, other) => other.unsentBytes - one.unsentBytes);
    this.bytes = this.unsentBytes;
    for (const stream of slowest) {
      if (this.bytes <= this.maxBytes) return;
      this.bytes -= stream.unsentBytes;
      stream.cutOff();
    }
  }

  get unsentBytes(): number {
    let bytes = 0;
    for (const stream of this.streams) bytes += stream.unsentBytes;
    return bytes;
  }
}
